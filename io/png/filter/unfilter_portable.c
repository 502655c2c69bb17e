/* The loops that unfilter rows, compiled for the baseline of the architecture. */
#define UNFILTER_LOOPS img_unfilter_portable
#include "io/png/filter/vectors_portable.h"

#include "io/png/filter/unfilter_source.h"
