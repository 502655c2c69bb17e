/* The walk, compiled for x86-64-v3: bit instructions, and 32 bytes compared at once. */
#define MATCH_LOOPS img_match_avx2
#include "io/png/deflate/matches_source.h"
