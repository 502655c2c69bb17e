/* The loops that filter rows, compiled for x86-64-v4. They are called only if img_cpu_level()
 * allows it. */
#define FILTER_LOOPS img_filter_avx512
#include "io/png/filter/vectors_avx512.h"

#include "io/png/filter/filter_source.h"
