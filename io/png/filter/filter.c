/* Filters a row, chooses its filter, or unfilters rows, with the fastest loops that the processor
 * supports. */
#include "io/png/filter/filter.h"

#include <string.h>

#include "io/png/filter/filter_loops.h"
#include "kernels/core/parallel/cpu.h"

static const ImgFilterLoops *filter_loops(void)
{
#ifdef IMGTOOL_X86
    if (img_cpu_level() >= IMG_CPU_AVX512)
        return &img_filter_avx512;
    if (img_cpu_level() >= IMG_CPU_AVX2)
        return &img_filter_avx2;
#endif
    return &img_filter_portable;
}

void img_png_filter_row(ImgFilter filter, size_t pixel, size_t row_bytes, const uint8_t *row,
                        const uint8_t *above, uint8_t *filtered)
{
    if (row_bytes >= IMG_FILTER_LEAST_BYTES) {
        filter_loops()->filter_row(filter, pixel, row_bytes, row, above, filtered);
    } else if (filter == IMG_FILTER_NONE) {
        filtered[0] = IMG_FILTER_NONE;
        memcpy(filtered + 1, row, row_bytes);
    } else {
        img_png_filter_row_reference(filter, pixel, row_bytes, row, above, filtered);
    }
}

ImgFilter img_png_filter_best(unsigned allowed, size_t pixel, size_t row_bytes, const uint8_t *row,
                              const uint8_t *above, uint8_t *filtered)
{
    if ((allowed & (allowed - 1)) == 0) {
        ImgFilter only = (ImgFilter)__builtin_ctz(allowed);
        img_png_filter_row(only, pixel, row_bytes, row, above, filtered);
        return only;
    }
    if (row_bytes < IMG_FILTER_LEAST_BYTES)
        return img_png_filter_best_reference(allowed, pixel, row_bytes, row, above, filtered);
    const ImgFilterLoops *loops = filter_loops();
    ImgFilter best = IMG_FILTER_NONE;
    uint64_t sums[IMG_FILTERS] = {0}, least = UINT64_MAX;
    loops->sums(allowed, pixel, row_bytes, row, above, sums);
    for (ImgFilter filter = IMG_FILTER_NONE; filter < IMG_FILTERS; filter++)
        if ((allowed & 1U << filter) != 0 && sums[filter] < least) {
            least = sums[filter];
            best = filter;
        }
    loops->filter_row(best, pixel, row_bytes, row, above, filtered);
    return best;
}

static ImgUnfilterLoops *unfilter_loops(void)
{
#ifdef IMGTOOL_X86
    if (img_cpu_level() >= IMG_CPU_AVX2)
        return img_unfilter_avx2;
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
        unfilter_loops()(unfilter, from, whole);
    return whole == to || img_png_unfilter_reference(unfilter, whole, to);
}
