/* The row filters in plain code, one byte at a time as in the specification. Tests use them as
 * references, and short rows are filtered with them. */
#include <stdlib.h>

#include "io/png/filter/filter.h"

/* Returns one of left, above and upper left: the one that is closest to left + above - upper left
 * (section 9.4 of the specification). */
static uint8_t paeth(uint8_t left, uint8_t above, uint8_t corner)
{
    int guess = left + above - corner;
    int to_left = abs(guess - left), to_above = abs(guess - above), to_corner = abs(guess - corner);
    if (to_left <= to_above && to_left <= to_corner)
        return left;
    return to_above <= to_corner ? above : corner;
}

/* Returns the filter's prediction for byte `i` of a row. */
static uint8_t predict(ImgFilter filter, size_t pixel, const uint8_t *row, const uint8_t *above,
                       size_t i)
{
    uint8_t left = i >= pixel ? row[i - pixel] : 0;
    uint8_t up = above != NULL ? above[i] : 0;
    uint8_t corner = above != NULL && i >= pixel ? above[i - pixel] : 0;
    switch (filter) {
    case IMG_FILTER_SUB:
        return left;
    case IMG_FILTER_UP:
        return up;
    case IMG_FILTER_AVERAGE:
        return (uint8_t)((left + up) / 2);
    case IMG_FILTER_PAETH:
        return paeth(left, up, corner);
    default:
        return 0;
    }
}

bool img_png_unfilter_reference(const ImgUnfilter *unfilter, size_t from, size_t to)
{
    const uint8_t *above = unfilter->above;
    for (int32_t y = 0; y < unfilter->count; y++) {
        const uint8_t *filtered = unfilter->filtered + (size_t)y * (1 + unfilter->row_bytes);
        uint8_t *row = unfilter->rows + (size_t)y * unfilter->stride;
        if (filtered[0] >= IMG_FILTERS)
            return false;
        for (size_t i = from; i < to; i++) {
            uint8_t guess = predict((ImgFilter)filtered[0], unfilter->pixel, row, above, i);
            row[i] = (uint8_t)(filtered[1 + i] + guess);
        }
        above = row;
    }
    return true;
}

void img_png_filter_row_reference(ImgFilter filter, size_t pixel, size_t row_bytes,
                                  const uint8_t *row, const uint8_t *above, uint8_t *filtered)
{
    filtered[0] = (uint8_t)filter;
    for (size_t i = 0; i < row_bytes; i++)
        filtered[1 + i] = (uint8_t)(row[i] - predict(filter, pixel, row, above, i));
}

/* Returns the sum of absolute values of the bytes of a filtered row; bytes count as signed. */
static uint64_t absolute_sum(size_t row_bytes, const uint8_t *filtered)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < row_bytes; i++)
        sum += filtered[1 + i] < 128 ? filtered[1 + i] : 256U - filtered[1 + i];
    return sum;
}

ImgFilter img_png_filter_best_reference(unsigned allowed, size_t pixel, size_t row_bytes,
                                        const uint8_t *row, const uint8_t *above, uint8_t *filtered)
{
    ImgFilter best = IMG_FILTER_NONE;
    uint64_t least = UINT64_MAX;
    for (ImgFilter filter = IMG_FILTER_NONE; filter < IMG_FILTERS; filter++) {
        if ((allowed & 1U << filter) == 0)
            continue;
        img_png_filter_row_reference(filter, pixel, row_bytes, row, above, filtered);
        uint64_t sum = absolute_sum(row_bytes, filtered);
        if (sum < least) {
            least = sum;
            best = filter;
        }
    }
    img_png_filter_row_reference(best, pixel, row_bytes, row, above, filtered);
    return best;
}
