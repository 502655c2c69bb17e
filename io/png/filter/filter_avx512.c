/* Filtering, compiled for x86-64-v4; only called where img_cpu_level() says so. */
#define FILTER_LOOPS img_filter_avx512
#include "io/png/filter/vectors_avx512.h"

#include "io/png/filter/filter_source.h"
