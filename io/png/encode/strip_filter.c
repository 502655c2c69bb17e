#include "io/png/encode/strip_filter.h"

#include <stdlib.h>
#include <string.h>

#include "io/png/deflate/logarithm.h"
#include "io/png/encode/rows.h"
#include "io/png/filter/filter.h"

enum {
    REFERRING_TO_NONE = 1 << IMG_FILTER_NONE | 1 << IMG_FILTER_SUB,
};

bool img_strip_filter_init(ImgStripFilter *filter, const ImgView *view)
{
    size_t row_bytes = img_png_row_bytes(view->width, view->format);
    *filter = (ImgStripFilter){view, row_bytes, img_format_pixel_size(view->format), {0}, {0}};
    bool complete = true;
    for (int i = 0; i < 2; i++) {
        filter->rows[i] = malloc(row_bytes);
        filter->filtered[i] = malloc(1 + row_bytes);
        complete = complete && filter->rows[i] != NULL && filter->filtered[i] != NULL;
    }
    return complete;
}

void img_strip_filter_free(ImgStripFilter *filter)
{
    for (int i = 0; i < 2; i++) {
        free(filter->rows[i]);
        free(filter->filtered[i]);
    }
}

static uint64_t cost_of_row(const ImgByteCosts *costs, const uint8_t *bytes, size_t size)
{
    uint64_t sums[4] = {0};
    size_t i = 0;
    for (; i + 4 <= size; i += 4)
        for (size_t k = 0; k < 4; k++)
            sums[k] += costs->of[bytes[i + k]];
    for (; i < size; i++)
        sums[0] += costs->of[bytes[i]];
    return sums[0] + sums[1] + sums[2] + sums[3];
}

static void filter_by_cost(const ImgStripFilter *filter, unsigned filters,
                           const ImgByteCosts *costs, const uint8_t *row, const uint8_t *above,
                           uint8_t *out)
{
    uint64_t least = UINT64_MAX;
    uint8_t *best = filter->filtered[0], *other = filter->filtered[1];
    for (ImgFilter type = IMG_FILTER_NONE; type < IMG_FILTERS; type++) {
        if ((filters >> type & 1) == 0)
            continue;
        img_png_filter_row(type, filter->pixel, filter->row_bytes, row, above, other);
        uint64_t cost = cost_of_row(costs, other + 1, filter->row_bytes);
        if (cost < least) {
            uint8_t *better = other;
            other = best;
            best = better;
            least = cost;
        }
    }
    memcpy(out, best, 1 + filter->row_bytes);
}

unsigned img_strip_filters_of_row(unsigned filters, bool is_first)
{
    if (!is_first)
        return filters;
    return (filters & REFERRING_TO_NONE) != 0 ? filters & REFERRING_TO_NONE : 1 << IMG_FILTER_SUB;
}

size_t img_strip_filter(const ImgStripFilter *filter, int32_t from, int32_t to, unsigned filters,
                        const ImgByteCosts *costs, uint8_t *out)
{
    uint8_t *at = out;
    const uint8_t *above = NULL;
    for (int32_t y = from; y < to; y++) {
        const uint8_t *row = img_png_row(filter->view, y, filter->rows[y & 1]);
        unsigned allowed = img_strip_filters_of_row(filters, above == NULL);
        if (costs == NULL)
            img_png_filter_best(allowed, filter->pixel, filter->row_bytes, row, above, at);
        else
            filter_by_cost(filter, allowed, costs, row, above, at);
        at += 1 + filter->row_bytes;
        above = row;
    }
    return (size_t)(at - out);
}

void img_byte_costs(const uint8_t *data, size_t size, ImgByteCosts *costs)
{
    size_t counts[256] = {0};
    for (size_t i = 0; i < size; i++)
        counts[data[i]]++;
    unsigned all = img_logarithm((uint32_t)size);
    for (int i = 0; i < 256; i++)
        costs->of[i] = (uint16_t)(all - img_logarithm((uint32_t)counts[i]));
}
