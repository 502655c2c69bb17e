/* The walk, compiled for what every processor of this architecture has. */
#define MATCH_LOOPS img_match_portable
#include "io/png/deflate/matches_source.h"
