/* Lists the implementations of PNG's row filters and of their inverse that this processor supports.
 * Tests compare each of them with the reference. */
#ifndef IMGTOOL_TESTS_CHECKCODEC_FILTER_VERSIONS_H
#define IMGTOOL_TESTS_CHECKCODEC_FILTER_VERSIONS_H

#include "io/png/filter/filter_loops.h"
#include "kernels/core/parallel/cpu.h"

enum { FILTER_VERSIONS_MOST = 3, UNFILTER_VERSIONS_MOST = 2 };

/* Writes to `loops` the versions of the filter loops that this processor supports. Returns their
 * number. */
static inline int filter_versions(const ImgFilterLoops *loops[FILTER_VERSIONS_MOST])
{
    int count = 0;
    loops[count++] = &img_filter_portable;
#ifdef IMGTOOL_X86
    if (img_cpu_level() >= IMG_CPU_AVX2)
        loops[count++] = &img_filter_avx2;
    if (img_cpu_level() >= IMG_CPU_AVX512)
        loops[count++] = &img_filter_avx512;
#endif
    return count;
}

static inline int unfilter_versions(ImgUnfilterLoops *loops[UNFILTER_VERSIONS_MOST])
{
    int count = 0;
    loops[count++] = img_unfilter_portable;
#ifdef IMGTOOL_X86
    if (img_cpu_level() >= IMG_CPU_AVX2)
        loops[count++] = img_unfilter_avx2;
#endif
    return count;
}

#endif
