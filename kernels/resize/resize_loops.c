/* Implements the functions of resize_rows.h. This file is compiled once for each instruction set
 * (core/parallel/cpu.h). */
#include <string.h>

#include "kernels/core/minmax.h"
#include "kernels/core/parallel/cpu.h"
#include "kernels/resize/resize_pairs.h"
#include "kernels/resize/resize_rows.h"
#include "kernels/simd/simd.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    VECTOR = 16,
    /* Number of vectors of 16 sums that are computed together: as many as registers hold. The
     * number of their sums is a multiple of GROUP and a divisor of IMG_RESIZE_SLICE. */
    SUMS = V_BYTES == 64 ? 8 : 4,
};

/* --- Pairs of rows ---------------------------------------------------------------------------- */

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

/* --- Down ------------------------------------------------------------------------------------- */

/* Returns the initial value of vertical sums, which makes them round to nearest. If paired samples
 * still contain `zero`, it also subtracts `zero` from the sums. This is possible because weights
 * sum to one. */
static int32_t start_down(const ImgResize *own)
{
    const int32_t half = INT32_C(1) << (own->down.places - own->fraction - 1);
    const bool has_zero = !own->linear && !own->has_alpha;
    return half - (has_zero ? own->zero << own->down.places : 0);
}

static void sum_down(const ImgResize *own, const ImgResizeSum *sum, size_t count)
{
    const int32_t shift = own->down.places - own->fraction, start = start_down(own);
    for (size_t i = 0; i < count; i += (size_t)SUMS * VECTOR) {
        VSixteen sums[SUMS];
        for (size_t k = 0; k < SUMS; k++)
            sums[k] =
                sum->from != NULL ? load_sixteen(sum->from + i + VECTOR * k) : sixteen_all(start);
        const int16_t *from = sum->pairs + 2 * i;
        for (int32_t tap = 0; tap < sum->taps; tap += 2, from += sum->stride)
            for (size_t k = 0; k < SUMS; k++)
                sums[k] = sixteen_add_dots(sums[k], from + 2 * VECTOR * k, sum->weights + tap);
        if (sum->to != NULL)
            for (size_t k = 0; k < SUMS; k++)
                store_sixteen(sum->to + i + VECTOR * k, sums[k]);
        else
            for (size_t k = 0; k < SUMS; k += GROUP / VECTOR)
                sums_store_16(sums + k, shift, sum->middle + i + VECTOR * k);
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

/* Divides the colours of 16 pixels by their alpha, like img_resize_color, and stores the pixels.
 * Floating-point quotients up to 255 are off by less than one; the remainder corrects them. */
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

/* Computes the horizontal sums of all channels of one column, for 16 rows. */
static inline void sum_taps(const ImgResizeAxis *axis, const int16_t *pairs, const int16_t *weights,
                            int32_t channels, int32_t start, VSixteen *sums)
{
    for (int32_t c = 0; c < channels; c++)
        sums[c] = sixteen_all(start);
    for (int32_t tap = 0; tap < axis->taps; tap += 2, pairs += channels * (2 * VECTOR))
        for (int32_t c = 0; c < channels; c++)
            sums[c] = sixteen_add_dots(sums[c], pairs + c * (2 * VECTOR), weights + tap);
}

/* Computes a column of the result: first the sums, then the samples from them. It is for formats
 * whose sums must be converted to samples: those with alpha, or with linear light. */
static __attribute__((noinline)) void sum_column(const ImgResize *own, const int16_t *pairs,
                                                 const int16_t *weights, int32_t channels,
                                                 uint8_t *to)
{
    const int32_t shift = own->across.places + own->fraction;
    VSixteen sums[4];
    int32_t values[4][VECTOR];
    sum_taps(&own->across, pairs, weights, channels, INT32_C(1) << (shift - 1), sums);
    for (int32_t c = 0; c < channels; c++)
        store_sixteen(values[c], sixteen_shift(sums[c], shift));
    for (int32_t c = 0; c < channels; c++)
        for (int i = 0; i < VECTOR; i++)
            values[c][i] += own->zero;
    if (own->has_alpha)
        store_alpha(values, channels, to);
    else
        store_light(own, values, channels, to);
}

/* Computes a column of the result for formats without alpha and without linear light, whose sums
 * are samples. The sums begin with `zero` and the rounding term, so they only need a shift and a
 * clamp. */
INLINE void sum_column_at_once(const ImgResize *own, const int16_t *pairs, const int16_t *weights,
                               int32_t channels, uint8_t *to)
{
    const int32_t shift = own->across.places + own->fraction;
    VSixteen sums[4];
    sum_taps(&own->across, pairs, weights, channels,
             (INT32_C(1) << (shift - 1)) + (own->zero << shift), sums);
    for (int32_t c = 0; c < channels; c++)
        store_bytes(to + c * VECTOR, sixteen_shift(sums[c], shift));
}

INLINE void sum_columns(const ImgResize *own, const ImgResizePart *part, const int16_t *pairs,
                        int32_t channels, bool at_once, uint8_t *columns)
{
    const int32_t *firsts = img_resize_first(own, &own->across);
    const uint8_t *block = (const uint8_t *)own + own->across.weights_at;
    const int16_t *weights = (const int16_t *)(const void *)block;
    for (int32_t x = part->first; x < part->end; x++) {
        const int16_t *from = pairs + (size_t)(firsts[x] - part->from) * (size_t)channels * VECTOR;
        const int16_t *by = weights + (size_t)x * (size_t)own->across.taps;
        uint8_t *to = columns + (size_t)(x - part->first) * (size_t)(channels * VECTOR);
        if (at_once)
            sum_column_at_once(own, from, by, channels, to);
        else
            sum_column(own, from, by, channels, to);
    }
}

static void sum_across(const ImgResize *own, const ImgResizePart *part, const int16_t *pairs,
                       uint8_t *columns)
{
    if (own->channels == 1 && !own->linear)
        sum_columns(own, part, pairs, 1, true, columns);
    else if (own->channels == 1)
        sum_columns(own, part, pairs, 1, false, columns);
    else if (own->channels == 2)
        sum_columns(own, part, pairs, 2, false, columns);
    else if (own->channels == 3 && !own->linear)
        sum_columns(own, part, pairs, 3, true, columns);
    else if (own->channels == 3)
        sum_columns(own, part, pairs, 3, false, columns);
    else
        sum_columns(own, part, pairs, 4, false, columns);
}

/* Transposes `count` columns of the result to rows, TURNED columns at a time. `columns` must have
 * room for a multiple of TURNED columns. */
static void put_rows(const uint8_t *columns, size_t count, int32_t rows, uint8_t *to, size_t stride)
{
    size_t i = 0;
    if (rows == VECTOR)
        for (; i + TURNED <= count; i += TURNED)
            turn_columns(columns + i * VECTOR, to + i, stride);
    for (; i < count; i += TURNED) {
        uint8_t block[VECTOR * TURNED];
        turn_columns(columns + i * VECTOR, block, TURNED);
        for (int32_t row = 0; row < rows; row++)
            memcpy(to + (size_t)row * stride + i, block + (size_t)row * TURNED,
                   img_min_size(count - i, TURNED));
    }
}

const ImgResizeRows IMG_VARIANT(img_resize_rows) = {pair_rows, sum_down, pair_columns, sum_across,
                                                    put_rows};
