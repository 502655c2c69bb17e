/* Unfilters rows: checks the filter types, then calls the fastest loops that the processor
 * supports. */
#include "io/png/filter/unfilter_loops.h"
#include "kernels/core/parallel/cpu.h"

static ImgUnfilterLoops *best_loops(void)
{
#ifdef IMGTOOL_X86
    if (img_cpu_level() >= IMG_CPU_AVX2)
        return img_unfilter_avx2;
#endif
#ifdef IMGTOOL_NEON
    if (img_cpu_level() >= IMG_CPU_NEON)
        return img_unfilter_neon;
#endif
    return img_unfilter_portable;
}

bool img_png_unfilter(const ImgUnfilter *unfilter, size_t from, size_t to)
{
    for (int32_t y = 0; y < unfilter->count; y++)
        if (unfilter->filtered[(size_t)y * (1 + unfilter->row_bytes)] >= IMG_FILTERS)
            return false;
    size_t whole = to - (to - from) % unfilter->pixel;
    if (from < whole)
        best_loops()(unfilter, from, whole);
    return whole == to || img_png_unfilter_reference(unfilter, whole, to);
}
