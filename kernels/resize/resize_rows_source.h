/* Rows of resize_rows.h: included by files that name their variant by ROWS and bring vectors
 * (resize_vector_portable.h), and are compiled for different processors. */
#include <string.h>

#include "kernels/resize/resize_rows.h"

/* --- Down ------------------------------------------------------------------------------------- */

enum { VECTOR = 16 };

/* `channels`: of pixels with alpha, else 0. */
static inline void pair_any(uint32_t scale, const uint8_t *a, const uint8_t *b, size_t count,
                            int32_t channels, int16_t *pairs)
{
    size_t i = 0;
    for (; i + VECTOR <= count; i += VECTOR)
        pair_lifted(scale, a + i, b + i, channels, pairs + 2 * i);
    if (i == count)
        return;
    uint8_t rest[2][VECTOR] = {{0}};
    memcpy(rest[0], a + i, count - i);
    memcpy(rest[1], b + i, count - i);
    pair_lifted(scale, rest[0], rest[1], channels, pairs + 2 * i);
}

static void pair_light(const ImgResize *own, const uint8_t *a, const uint8_t *b, size_t count,
                       int16_t *pairs)
{
    for (size_t i = 0; i < count; i++) {
        pairs[2 * i] = (int16_t)((int32_t)img_resize_light(own, a[i] * own->scale) - own->zero);
        pairs[2 * i + 1] = (int16_t)((int32_t)img_resize_light(own, b[i] * own->scale) - own->zero);
    }
}

static void pair_rows(const ImgResize *own, const uint8_t *a, const uint8_t *b, size_t count,
                      int16_t *pairs)
{
    if (own->linear)
        pair_light(own, a, b, count, pairs);
    else if (!own->has_alpha)
        pair_any(own->scale, a, b, count, 0, pairs);
    else if (own->channels == 2)
        pair_any(own->scale, a, b, count, 2, pairs);
    else
        pair_any(own->scale, a, b, count, 4, pairs);
}

/* As many sums as registers hold, and a divisor of IMG_RESIZE_STRIP. */
enum { SUMS = 8 };

static void sum_down(const ImgResize *own, const ImgResizeSum *sum, size_t count)
{
    const int32_t shift = own->down.places - own->fraction;
    for (size_t i = 0; i < count; i += (size_t)SUMS * VECTOR) {
        Sums sums[SUMS];
        for (size_t k = 0; k < SUMS; k++)
            sums[k] = sum->from != NULL ? sums_load(sum->from + i + VECTOR * k)
                                        : sums_start(INT32_C(1) << (shift - 1));
        const int16_t *from = sum->pairs + 2 * i;
        for (int32_t tap = 0; tap < sum->taps; tap += 2, from += sum->stride)
            for (size_t k = 0; k < SUMS; k++)
                sums[k] = sums_add(sums[k], from + 2 * VECTOR * k, sum->weights + tap);
        for (size_t k = 0; k < SUMS; k++)
            if (sum->to != NULL)
                sums_store_32(sums[k], 0, sum->to + i + VECTOR * k);
            else
                sums_store_16(sums[k], shift, sum->middle + i + VECTOR * k);
    }
}

/* --- Across ----------------------------------------------------------------------------------- */

static inline void pair_cells(const int16_t *middle, size_t stride, int32_t channels, size_t count,
                              int16_t *pairs)
{
    const size_t size = cell_size(channels);
    for (size_t i = 0; i < count; i += size)
        pair_cell(middle + i, stride, channels, pairs + i * IMG_RESIZE_ROWS);
}

static void pair_columns(const int16_t *middle, size_t stride, int32_t channels, size_t count,
                         int16_t *pairs)
{
    switch (channels) {
    case 1:
        pair_cells(middle, stride, 1, count, pairs);
        break;
    case 2:
        pair_cells(middle, stride, 2, count, pairs);
        break;
    case 3:
        pair_cells(middle, stride, 3, count, pairs);
        break;
    default:
        pair_cells(middle, stride, 4, count, pairs);
        break;
    }
}

/* As img_resize_color: quotients of up to 255 by floating point are off by less than one, and what
 * is left tells by how much. */
static void store_alpha(int32_t values[4][VECTOR], int32_t channels, uint8_t *to)
{
    const int32_t *alpha = values[channels - 1];
    int32_t divisors[VECTOR];
    float inverses[VECTOR];
    for (int i = 0; i < VECTOR; i++) {
        divisors[i] = alpha[i] > 1 ? alpha[i] : 1;
        inverses[i] = 1 / (float)divisors[i];
    }
    for (int32_t c = 0; c + 1 < channels; c++)
        for (int i = 0; i < VECTOR; i++) {
            const int32_t a = alpha[i] > 0 ? alpha[i] : 0;
            const int32_t color = values[c][i] < 0 ? 0 : values[c][i] < a ? values[c][i] : a;
            const int32_t wanted = color * 255 + a / 2;
            const int32_t quotient = (int32_t)((float)wanted * inverses[i]);
            const int32_t rest = wanted - quotient * divisors[i];
            to[c * VECTOR + i] = (uint8_t)(quotient + (rest >= divisors[i]) - (rest < 0));
        }
    for (int i = 0; i < VECTOR; i++) {
        const int32_t a = alpha[i] < 0 ? 0 : alpha[i] < 65025 ? alpha[i] : 65025;
        to[(channels - 1) * VECTOR + i] = (uint8_t)((a + 127) / 255);
    }
}

static void store_light(const ImgResize *own, int32_t values[4][VECTOR], int32_t channels,
                        uint8_t *to)
{
    const int32_t top = (int32_t)own->top;
    for (int32_t c = 0; c < channels; c++)
        for (int i = 0; i < VECTOR; i++) {
            const int32_t light = values[c][i] < 0 ? 0 : values[c][i] < top ? values[c][i] : top;
            to[c * VECTOR + i] = (uint8_t)img_resize_code(own, (uint32_t)light);
        }
}

/* All channels of a column; zero is added as it is rounded, where samples follow at once. */
static inline void sum_column(const ImgResize *own, const int16_t *pairs, const int16_t *weights,
                              int32_t channels, uint8_t *to)
{
    const int32_t shift = own->across.places + own->fraction;
    const int32_t taps = own->across.taps;
    const bool alpha = channels % 2 == 0, at_once = !alpha && !own->linear;
    const int32_t start = (INT32_C(1) << (shift - 1)) + (at_once ? own->zero << shift : 0);
    Sums sums[4];
    for (int32_t c = 0; c < channels; c++)
        sums[c] = sums_start(start);
    for (int32_t tap = 0; tap < taps; tap += 2)
        for (int32_t c = 0; c < channels; c++)
            sums[c] =
                sums_add(sums[c], pairs + (tap / 2 * channels + c) * (2 * VECTOR), weights + tap);
    int32_t values[4][VECTOR];
    for (int32_t c = 0; c < channels; c++)
        if (at_once)
            sums_store_8(sums[c], shift, to + c * VECTOR);
        else
            sums_store_32(sums[c], shift, values[c]);
    if (at_once)
        return;
    for (int32_t c = 0; c < channels; c++)
        for (int i = 0; i < VECTOR; i++)
            values[c][i] += own->zero;
    if (alpha)
        store_alpha(values, channels, to);
    else
        store_light(own, values, channels, to);
}

static inline void sum_columns(const ImgResize *own, const ImgResizePart *part,
                               const int16_t *pairs, int32_t channels, uint8_t *columns)
{
    const int32_t *firsts = img_resize_first(own, &own->across);
    const uint8_t *block = (const uint8_t *)own + own->across.weights_at;
    const int16_t *weights = (const int16_t *)(const void *)block;
    for (int32_t x = part->first; x < part->end; x++) {
        const size_t at = (size_t)(firsts[x] - part->from) * (size_t)channels;
        sum_column(own, pairs + at * VECTOR, weights + (size_t)x * (size_t)own->across.taps,
                   channels, columns + (size_t)(x - part->first) * (size_t)(channels * VECTOR));
    }
}

static void sum_across(const ImgResize *own, const ImgResizePart *part, const int16_t *pairs,
                       uint8_t *columns)
{
    switch (own->channels) {
    case 1:
        sum_columns(own, part, pairs, 1, columns);
        break;
    case 2:
        sum_columns(own, part, pairs, 2, columns);
        break;
    case 3:
        sum_columns(own, part, pairs, 3, columns);
        break;
    default:
        sum_columns(own, part, pairs, 4, columns);
        break;
    }
}

static void put_rows(const uint8_t *columns, size_t count, int32_t rows, uint8_t *to, size_t stride)
{
    uint8_t block[VECTOR * VECTOR];
    for (size_t i = 0; i < count; i += VECTOR) {
        const size_t size = count - i < VECTOR ? count - i : VECTOR;
        turn_block(columns + i * VECTOR, block);
        for (int32_t row = 0; row < rows; row++)
            memcpy(to + (size_t)row * stride + i, block + (size_t)row * VECTOR, size);
    }
}

const ImgResizeRows ROWS = {pair_rows, sum_down, pair_columns, sum_across, put_rows};
