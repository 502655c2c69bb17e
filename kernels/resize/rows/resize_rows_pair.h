/* Included by resize_loops.c: converts source rows to pairs of rows. */
#ifndef IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_ROWS_PAIR_H
#define IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_ROWS_PAIR_H

#include <string.h>

#include "kernels/resize/rows/resize_rows.h"

/* Values that stand in place of the number of channels for pixels without alpha: OPAQUE for samples
 * that stay as they are, LIGHT for conversion to linear light. */
enum { OPAQUE = 0, LIGHT = -1 };

/* Pairs GROUP samples of two rows, as pair_lifted does, but converts them to linear light with a
 * table. It handles four samples at a time, which are adjacent in the order of pairs too. */
static inline void pair_light(const ImgResize *own, const uint8_t *a, const uint8_t *b,
                              int16_t *pairs)
{
    const uint32_t *light = (const uint32_t *)(const void *)((const uint8_t *)own + own->light_at);
    const uint32_t scale = own->scale;
    const int32_t zero = own->zero;
    for (size_t i = 0; i < GROUP; i += 4) {
        const size_t sample = sample_of_pair(i);
        for (size_t k = 0; k < 4; k++) {
            pairs[2 * (i + k)] = (int16_t)((int32_t)light[a[sample + k] * scale] - zero);
            pairs[2 * (i + k) + 1] = (int16_t)((int32_t)light[b[sample + k] * scale] - zero);
        }
    }
}

/* Pairs GROUP samples of two rows, in the order that vector instructions produce. Vertical sums
 * keep this order until they are complete; storing them restores the order of samples. */
static inline void pair_group(const ImgResize *own, const uint8_t *a, const uint8_t *b,
                              int32_t channels, int16_t *pairs)
{
    if (channels == LIGHT)
        pair_light(own, a, b, pairs);
    else
        pair_lifted(a, b, channels, pairs);
    if (channels == OPAQUE && own->scale != 1)
        for (size_t i = 0; i < 2 * (size_t)GROUP; i++)
            pairs[i] = (int16_t)(pairs[i] * (int32_t)own->scale);
}

static inline void pair_samples(const ImgResize *own, const uint8_t *a, const uint8_t *b,
                                size_t count, int32_t channels, int16_t *pairs)
{
    size_t i = 0;
    for (; i + GROUP <= count; i += GROUP)
        pair_group(own, a + i, b + i, channels, pairs + 2 * i);
    if (i == count)
        return;
    uint8_t rest[2][GROUP] = {{0}};
    memcpy(rest[0], a + i, count - i);
    memcpy(rest[1], b + i, count - i);
    pair_group(own, rest[0], rest[1], channels, pairs + 2 * i);
}

static inline void pair_slice(const ImgResize *own, const ImgResizeSlice *slice, int32_t channels)
{
    int16_t *pairs = slice->pairs;
    for (size_t i = 0; i < slice->count; i++, pairs += slice->stride)
        pair_samples(own, slice->rows[2 * i] + slice->at, slice->rows[2 * i + 1] + slice->at,
                     slice->samples, channels, pairs);
}

static void pair_rows(const ImgResize *own, const ImgResizeSlice *slice)
{
    if (own->linear)
        pair_slice(own, slice, LIGHT);
    else if (!own->has_alpha)
        pair_slice(own, slice, OPAQUE);
    else if (own->channels == 2)
        pair_slice(own, slice, 2);
    else
        pair_slice(own, slice, 4);
}

#endif
