/* The loops that unfilter rows, compiled for x86-64-v3. They are called only if img_cpu_level()
 * allows it. */
#define UNFILTER_LOOPS img_unfilter_avx2
#include "io/png/filter/vectors_avx2.h"

#include "io/png/filter/unfilter_source.h"
