/* The walk (the loop over the data that finds matches), compiled for the baseline of the
 * architecture. */
#define MATCH_LOOPS img_match_portable
#include "io/png/deflate/matches_source.h"
