/* Undoing filters, compiled for x86-64-v3; only called where img_cpu_level() says so. */
#define UNFILTER_LOOPS img_unfilter_avx2
#include "io/png/filter/vectors_avx2.h"

#include "io/png/filter/unfilter_source.h"
