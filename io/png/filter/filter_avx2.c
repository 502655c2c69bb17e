/* The loops that filter rows, compiled for x86-64-v3. They are called only if img_cpu_level()
 * allows it. */
#define FILTER_LOOPS img_filter_avx2
#include "io/png/filter/vectors_avx2.h"

#include "io/png/filter/filter_source.h"
