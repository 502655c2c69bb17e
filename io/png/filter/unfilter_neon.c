/* The loops that unfilter rows, compiled for NEON, which every 64-bit ARM processor has. */
#define UNFILTER_LOOPS img_unfilter_neon
#include "io/png/filter/vectors_neon.h"

#include "io/png/filter/unfilter_source.h"
