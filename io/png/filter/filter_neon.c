/* The loops that filter rows, compiled for NEON, which every 64-bit ARM processor has. */
#define FILTER_LOOPS img_filter_neon
#include "io/png/filter/vectors_neon.h"

#include "io/png/filter/filter_source.h"
