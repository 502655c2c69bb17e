/* Undoing filters with the vectors that the compiler takes for granted. */
#define UNFILTER_LOOPS img_unfilter_portable
#include "io/png/filter/vectors_portable.h"

#include "io/png/filter/unfilter_source.h"
