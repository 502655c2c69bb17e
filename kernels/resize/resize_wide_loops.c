/* Implements the functions of resize_wide.h. This file is compiled once for each instruction set
 * (core/parallel/cpu.h). */
#include <string.h>

#include "kernels/core/fixed/quotient.h"
#include "kernels/core/parallel/cpu.h"
#include "kernels/resize/resize_wide.h"
#include "kernels/simd/simd.h"

enum {
    LANES = 16,
    /* Number of vectors of 16 sums that are computed together: as many as registers hold. */
    TOGETHER = V_BYTES / V_LANE,
};

/* --- Vectors of 16 wide sums ------------------------------------------------------------------ */

/* Sums of 64 bits, which must be below 2^62. */
typedef struct Wide {
    VWide of[V_SIXTEEN];
} Wide;

static inline Wide wide_start(int64_t value)
{
    Wide wide;
    for (int i = 0; i < V_SIXTEEN; i++)
        wide.of[i] = (VWide){all_i64(value), all_i64(value)};
    return wide;
}

/* Loads sums that wide_store has stored, in the same order. */
static inline Wide wide_load(const int64_t *from)
{
    Wide wide;
    for (int i = 0; i < V_SIXTEEN; i++, from += V_LONGS)
        wide.of[i] = (VWide){load_i64(from), load_i64(from + V_LONGS / 2)};
    return wide;
}

static inline void wide_store(Wide wide, int64_t *to)
{
    for (int i = 0; i < V_SIXTEEN; i++, to += V_LONGS) {
        store_i64(to, wide.of[i].first);
        store_i64(to + V_LONGS / 2, wide.of[i].second);
    }
}

/* Adds 16 values to the sums, each multiplied by `weight` and by 2^places. */
static inline Wide wide_add(Wide wide, const int32_t *values, int32_t weight, int32_t places)
{
    for (int i = 0; i < V_SIXTEEN; i++) {
        VWide products = wide_products(load_i32(values + i * V_LONGS), weight);
        if (places > 0) {
            products.first = shift_left_i64(products.first, places);
            products.second = shift_left_i64(products.second, places);
        }
        wide.of[i].first += products.first;
        wide.of[i].second += products.second;
    }
    return wide;
}

static inline VWide wide_shift(VWide wide, int32_t shift)
{
    return (VWide){shift_right_i64(wide.first, shift), shift_right_i64(wide.second, shift)};
}

/* Returns the sums, shifted right, which must fit 32 bits. */
static inline VSixteen wide_words_of(Wide wide, int32_t shift)
{
    VSixteen words;
    for (int i = 0; i < V_SIXTEEN; i++)
        words.of[i] = wide_words(wide_shift(wide.of[i], shift));
    return words;
}

static inline void wide_store_64(Wide wide, int32_t shift, int64_t *to)
{
    for (int i = 0; i < V_SIXTEEN; i++)
        store_wide(to + i * V_LONGS, wide_shift(wide.of[i], shift));
}

/* Stores 16 sums as samples of 16 bits, shifted right and clamped to 0..65535. Lower and upper
 * bytes are stored separately. */
static inline void wide_store_16(Wide wide, int32_t shift, uint8_t *lower, uint8_t *upper)
{
    VSixteen words = wide_words_of(wide, shift), low = words;
    for (int i = 0; i < V_SIXTEEN; i++) {
        const vi32 clamped = min_i32(max_i32(words.of[i], all_i32(0)), all_i32(65535));
        low.of[i] = clamped & 255;
        words.of[i] = clamped >> 8;
    }
    store_bytes(lower, low);
    store_bytes(upper, words);
}

/* Transposes 16 samples of each of 16 rows to columns, 4 x 4 samples in each lane. The rows are
 * `stride` samples apart. */
static inline void turn_words(const int32_t *rows, size_t stride, int32_t *columns)
{
    const ptrdiff_t apart = 4 * (ptrdiff_t)stride * (ptrdiff_t)sizeof *rows;
    for (size_t row = 0; row < LANES; row += 4 * V_LANES)
        for (size_t i = 0; i < LANES; i += 4) {
            const int32_t *from = rows + row * stride + i;
            vu8 of[4];
            for (size_t k = 0; k < 4; k++)
                of[k] = load_lanes(from + k * stride, apart);
            const vu8 low = zip_low(of[0], of[1], 4), low_2 = zip_low(of[2], of[3], 4);
            const vu8 high = zip_high(of[0], of[1], 4), high_2 = zip_high(of[2], of[3], 4);
            int32_t *to = columns + i * LANES + row;
            store_u8(to, zip_low(low, low_2, 8));
            store_u8(to + LANES, zip_high(low, low_2, 8));
            store_u8(to + 2 * LANES, zip_low(high, high_2, 8));
            store_u8(to + 3 * LANES, zip_high(high, high_2, 8));
        }
}

/* --- Values that are weighed ------------------------------------------------------------------ */

/* Returns the number that is subtracted from the values that are summed. Products of a 16-bit
 * colour and alpha have 32 bits. Half of their range is subtracted, so that they fit in signed
 * 32-bit numbers. */
static inline int64_t zero_of(const ImgResize *own)
{
    return own->has_alpha && own->bits == 16 && !own->linear ? INT64_C(1) << 31 : 0;
}

static void lift_plain(const uint8_t *row, size_t count, int32_t *values)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t sample;
        memcpy(&sample, row + 2 * i, sizeof sample);
        values[i] = sample;
    }
}

static void lift_pixel(const ImgResize *own, const uint32_t pixel[4], int32_t *values,
                       int32_t *upper)
{
    const int64_t zero = zero_of(own);
    for (int32_t c = 0; c < own->channels; c++) {
        const int64_t value = img_resize_lift(own, pixel, c) - zero;
        values[c] = (int32_t)value;
        if (upper != NULL) {
            values[c] = (int32_t)(value & ((INT64_C(1) << IMG_RESIZE_UPPER_PLACES) - 1));
            upper[c] = (int32_t)(value >> IMG_RESIZE_UPPER_PLACES);
        }
    }
}

/* Converts a row of 16-bit pixels with alpha to the values that are summed, as lift_pixel does for
 * one pixel. */
static inline void lift_alpha(const uint8_t *row, size_t count, size_t channels, int32_t *values)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t pixel[4];
        memcpy(pixel, row + i * channels * sizeof *pixel, channels * sizeof *pixel);
        const uint32_t alpha = pixel[channels - 1];
        for (size_t c = 0; c < channels; c++) {
            const uint32_t other = c + 1 == channels ? 65535 : pixel[c];
            values[i * channels + c] = (int32_t)(other * alpha - UINT32_C(0x80000000));
        }
    }
}

static void lift(const ImgResize *own, const uint8_t *row, int32_t bits, size_t count,
                 int32_t *values, int32_t *upper)
{
    const size_t channels = (size_t)own->channels;
    if (bits == 16 && !own->linear && !own->has_alpha) {
        lift_plain(row, count * channels, values);
    } else if (bits == 16 && !own->linear && channels == 2) {
        lift_alpha(row, count, 2, values);
    } else if (bits == 16 && !own->linear) {
        lift_alpha(row, count, 4, values);
    } else {
        for (size_t i = 0; i < count; i++) {
            uint32_t pixel[4] = {0, 0, 0, 0};
            for (size_t c = 0; c < channels; c++)
                pixel[c] = img_sample(row, i * channels + c, bits) * own->scale;
            lift_pixel(own, pixel, values + i * channels,
                       upper != NULL ? upper + i * channels : NULL);
        }
    }
}

/* --- Down ------------------------------------------------------------------------------------- */

/* GCC keeps the sums in registers only if the loops over vectors are unrolled. */
#define EACH_VECTOR(k) _Pragma("GCC unroll 4") for (size_t k = 0; k < TOGETHER; k++)

static inline void add_rows(Wide wide[TOGETHER], const ImgResizeWideSum *sum, const int32_t *values,
                            int32_t places)
{
    for (int32_t tap = 0; tap < sum->taps; tap++, values += sum->stride) {
        const int32_t weight = sum->weights[tap];
        EACH_VECTOR(k)
        {
            wide[k] = wide_add(wide[k], values + LANES * k, weight, places);
        }
    }
}

static void sum_down(const ImgResize *own, const ImgResizeWideSum *sum, size_t count)
{
    const int32_t shift = own->down.places - own->fraction;
    const int64_t start = (zero_of(own) << own->down.places) + (INT64_C(1) << (shift - 1));
    for (size_t i = 0; i < count; i += (size_t)TOGETHER * LANES) {
        Wide wide[TOGETHER];
        EACH_VECTOR(k)
        {
            const int64_t *from = sum->from != NULL ? sum->from + i + LANES * k : NULL;
            wide[k] = from != NULL ? wide_load(from) : wide_start(start);
        }
        if (sum->upper != NULL)
            add_rows(wide, sum, sum->upper + i, IMG_RESIZE_UPPER_PLACES);
        add_rows(wide, sum, sum->values + i, 0);
        EACH_VECTOR(k)
        {
            if (sum->to != NULL)
                wide_store(wide[k], sum->to + i + LANES * k);
            else
                store_sixteen(sum->middle + i + LANES * k, wide_words_of(wide[k], shift));
        }
    }
}

static void turn(const int32_t *middle, size_t stride, size_t count, int32_t *columns)
{
    for (size_t i = 0; i < count; i += LANES)
        turn_words(middle + i, stride, columns + i * LANES);
}

/* --- Across ----------------------------------------------------------------------------------- */

enum { LOWER = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 1 };

/* Stores one sample of each of 16 rows as bytes of columns, in the byte order of memory. */
static inline void put_samples(const uint32_t samples[LANES], uint8_t *bytes)
{
    uint8_t *lower = bytes + LOWER * LANES, *upper = bytes + (1 - LOWER) * LANES;
    for (int row = 0; row < LANES; row++) {
        lower[row] = (uint8_t)samples[row];
        upper[row] = (uint8_t)(samples[row] >> 8);
    }
}

static void put_any(const ImgResize *own, int64_t values[4][LANES], uint8_t *bytes)
{
    uint32_t samples[4][LANES];
    for (int row = 0; row < LANES; row++) {
        const int64_t value[4] = {values[0][row], values[1][row], values[2][row], values[3][row]};
        uint32_t pixel[4] = {0, 0, 0, 0};
        img_resize_lower(own, value, pixel);
        for (int32_t c = 0; c < 4; c++)
            samples[c][row] = pixel[c];
    }
    for (int32_t c = 0; c < own->channels; c++)
        if (own->bits == 16)
            put_samples(samples[c], bytes + (ptrdiff_t)c * 2 * LANES);
        else
            for (int row = 0; row < LANES; row++)
                bytes[c * LANES + row] = (uint8_t)samples[c][row];
}

/* Divides 16-bit colours by alpha like img_resize_lower, and stores the pixels. Dividends must be
 * below 2^50. */
static void put_alpha(int64_t values[4][LANES], int32_t channels, uint8_t *bytes)
{
    const int64_t *alpha = values[channels - 1], most = INT64_C(65535) * 65535;
    uint32_t samples[LANES];
    for (int32_t c = 0; c + 1 < channels; c++, bytes += 2 * LANES) {
        for (int row = 0; row < LANES; row++) {
            const int64_t a = alpha[row] > 0 ? alpha[row] : 0, color = values[c][row];
            const int64_t inside = color < 0 ? 0 : color < a ? color : a;
            samples[row] = img_quotient_53(inside * 65535 + a / 2, a > 0 ? a : 1, 65535);
        }
        put_samples(samples, bytes);
    }
    for (int row = 0; row < LANES; row++) {
        const int64_t a = alpha[row] < 0 ? 0 : alpha[row] < most ? alpha[row] : most;
        samples[row] = (uint32_t)((a + 32767) / 65535);
    }
    put_samples(samples, bytes);
}

/* Computes all channels of a column of the result by horizontal sums, for 16 rows. */
static inline void sum_column(const ImgResize *own, const int32_t *from, const int32_t *weights,
                              int32_t channels, uint8_t *bytes)
{
    const int32_t shift = own->across.places + own->fraction;
    const bool at_once = !own->has_alpha && !own->linear && own->bits == 16;
    int64_t values[4][LANES] = {{0}};
    for (int32_t c = 0; c < channels; c++) {
        Wide wide = wide_start(INT64_C(1) << (shift - 1));
        for (int32_t tap = 0; tap < own->across.taps; tap++)
            wide = wide_add(wide, from + ((ptrdiff_t)tap * channels + c) * LANES, weights[tap], 0);
        uint8_t *to = bytes + (ptrdiff_t)c * 2 * LANES;
        if (at_once)
            wide_store_16(wide, shift, to + LOWER * LANES, to + (1 - LOWER) * LANES);
        else
            wide_store_64(wide, shift, values[c]);
    }
    if (at_once)
        return;
    if (own->has_alpha && !own->linear && own->bits == 16)
        put_alpha(values, channels, bytes);
    else
        put_any(own, values, bytes);
}

static inline void sum_columns(const ImgResize *own, const ImgResizePart *part,
                               const int32_t *columns, int32_t channels, uint8_t *bytes)
{
    const int32_t *firsts = img_resize_first(own, &own->across);
    const size_t pixel = (size_t)channels * (size_t)(own->bits / 8) * LANES;
    for (int32_t x = part->first; x < part->end; x++) {
        const size_t at = (size_t)(firsts[x] - part->from) * (size_t)channels;
        sum_column(own, columns + at * LANES, img_resize_wide_weights(own, &own->across, x),
                   channels, bytes + (size_t)(x - part->first) * pixel);
    }
}

static void sum_across(const ImgResize *own, const ImgResizePart *part, const int32_t *columns,
                       uint8_t *bytes)
{
    switch (own->channels) {
    case 1:
        sum_columns(own, part, columns, 1, bytes);
        break;
    case 2:
        sum_columns(own, part, columns, 2, bytes);
        break;
    case 3:
        sum_columns(own, part, columns, 3, bytes);
        break;
    default:
        sum_columns(own, part, columns, 4, bytes);
        break;
    }
}

const ImgResizeWide IMG_VARIANT(img_resize_wide) = {lift, sum_down, turn, sum_across};
