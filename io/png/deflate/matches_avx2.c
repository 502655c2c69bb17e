/* The walk (the loop over the data that finds matches), compiled for x86-64-v3, which has bit
 * instructions and comparisons of 32 bytes. */
#define MATCH_LOOPS img_match_avx2
#include "io/png/deflate/matches_source.h"
