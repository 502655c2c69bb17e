/* Filtering, compiled for x86-64-v3; only called where img_cpu_level() says so. */
#define FILTER_LOOPS img_filter_avx2
#include "io/png/filter/vectors_avx2.h"

#include "io/png/filter/filter_source.h"
