/* The loops that filter rows, compiled for the baseline of the architecture. */
#define FILTER_LOOPS img_filter_portable
#include "io/png/filter/vectors_portable.h"

#include "io/png/filter/filter_source.h"
