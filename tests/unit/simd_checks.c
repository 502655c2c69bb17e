/* Compares each function of kernels/simd with plain C. This file is compiled once for each level of
 * processors, and once for the vectors in plain C. */
#include "tests/unit/simd_checks.h"

#include "kernels/core/parallel/cpu.h"
#include "kernels/simd/simd.h"

enum { MOST = 3 * V_BYTES };

static bool is_equal(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/* --- Functions of one or two vectors, element by element
 * ---------------------------------------------- */

/* Defines the check of a function of two vectors of type `v`, whose elements a and b have type
 * `In`. Each element of the result, of type `Out`, must equal `expected`, an expression of a and b.
 */
#define EACH(name, call, v, In, Out, expected)                                                     \
    static bool name##_passes(const uint8_t *input)                                                \
    {                                                                                              \
        const v x = (v)load_u8(input), y = (v)load_u8(input + V_BYTES);                            \
        In of_x[V_BYTES / sizeof(In)], of_y[V_BYTES / sizeof(In)];                                 \
        Out result[V_BYTES / sizeof(Out)];                                                         \
        memcpy(of_x, input, V_BYTES);                                                              \
        memcpy(of_y, input + V_BYTES, V_BYTES);                                                    \
        store_u8(result, (vu8)(call));                                                             \
        (void)x, (void)y;                                                                          \
        for (size_t i = 0; i < V_BYTES / sizeof(In); i++) {                                        \
            const In a = of_x[i], b = of_y[i];                                                     \
            (void)a, (void)b;                                                                      \
            if (result[i] != (Out)(expected))                                                      \
                return false;                                                                      \
        }                                                                                          \
        return true;                                                                               \
    }

EACH(min_u8, min_u8(x, y), vu8, uint8_t, uint8_t, a < b ? a : b)
EACH(max_u8, max_u8(x, y), vu8, uint8_t, uint8_t, a > b ? a : b)
EACH(min_u16, min_u16(x, y), vu16, uint16_t, uint16_t, a < b ? a : b)
EACH(max_u16, max_u16(x, y), vu16, uint16_t, uint16_t, a > b ? a : b)
EACH(min_i16, min_i16(x, y), vi16, int16_t, int16_t, a < b ? a : b)
EACH(max_i16, max_i16(x, y), vi16, int16_t, int16_t, a > b ? a : b)
EACH(min_i32, min_i32(x, y), vi32, int32_t, int32_t, a < b ? a : b)
EACH(max_i32, max_i32(x, y), vi32, int32_t, int32_t, a > b ? a : b)
EACH(sub_sat_u8, sub_sat_u8(x, y), vu8, uint8_t, uint8_t, a > b ? a - b : 0)
EACH(add_sat_u16, add_sat_u16(x, y), vu16, uint16_t, uint16_t, a + b > 65535 ? 65535 : a + b)
EACH(average_u8, average_u8(x, y), vu8, uint8_t, uint8_t, (a + b + 1) / 2)
EACH(abs_i8, abs_i8(x), vi8, int8_t, uint8_t, a < 0 ? -a : a)
EACH(abs_i16, abs_i16(x), vi16, int16_t, uint16_t, a < 0 ? -a : a)
EACH(exceeds_half_u8, exceeds_half_u8(x, y), vu8, uint8_t, uint8_t, 2 * a > b ? 255 : 0)
EACH(high_u16, high_u16(x, y), vu16, uint16_t, uint16_t, (uint32_t)a *b >> 16)
EACH(scale_i16, scale_i16(x | 1, y), vi16, int16_t, int16_t, ((a | 1) * b + (1 << 14)) >> 15)
EACH(shift_left_u16, shift_left_u16(x, 5), vu16, uint16_t, uint16_t, (uint32_t)a << 5)
EACH(shift_right_i32, shift_right_i32(x, 7), vi32, int32_t, int32_t, a >> 7)
EACH(all_u8, all_u8(input[0]), vu8, uint8_t, uint8_t, input[0])
EACH(all_u16, all_u16(input[0]), vu16, uint16_t, uint16_t, input[0])
EACH(all_i16, all_i16((int16_t)-input[0]), vi16, int16_t, int16_t, -input[0])
EACH(all_u32, all_u32(input[0]), vu32, uint32_t, uint32_t, input[0])
EACH(all_i32, all_i32(-input[0]), vi32, int32_t, int32_t, -input[0])

/* --- Sums
 * --------------------------------------------------------------------------------------------- */

static bool dot_i16_passes(const uint8_t *input)
{
    int16_t a[V_WORDS], b[V_WORDS];
    int32_t dot[V_LONGS];
    const vi16 x = load_i16(input) | 1; /* so that no sum overflows */
    store_i16(a, x);
    memcpy(b, input + V_BYTES, sizeof b);
    store_i32(dot, dot_i16(x, load_i16(b)));
    for (int i = 0; i < V_LONGS; i++)
        if (dot[i] != a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1])
            return false;
    return true;
}

static bool sums_u8_passes(const uint8_t *input)
{
    uint64_t sums[V_BYTES / 8], all = 0;
    const vu64 v = sums_u8(load_u8(input));
    store_u8(sums, (vu8)v);
    for (int i = 0; i < V_BYTES / 8; i++) {
        uint64_t sum = 0;
        for (int k = 0; k < 8; k++)
            sum += input[8 * i + k];
        all += sum;
        if (sums[i] != sum)
            return false;
    }
    return sum_u64(v) == all;
}

static bool equal_u8_passes(const uint8_t *input)
{
    uint8_t other[V_BYTES];
    uint64_t equal = 0;
    for (int i = 0; i < V_BYTES; i++) {
        other[i] = input[V_BYTES + i] < 128 ? input[i] : input[V_BYTES + i];
        equal |= (uint64_t)(other[i] == input[i]) << i;
    }
    return equal_u8(load_u8(input), load_u8(other)) == equal;
}

static bool mask_u8_passes(const uint8_t *input)
{
    uint8_t bytes[V_BYTES];
    uint64_t mask = 0;
    for (int i = 0; i < V_BYTES; i++) {
        bytes[i] = input[i] < 128 ? 255 : 0;
        mask |= (uint64_t)(input[i] < 128) << i;
    }
    return mask_u8(load_u8(bytes)) == mask;
}

static bool is_zero_passes(const uint8_t *input)
{
    uint8_t one[V_BYTES] = {0};
    if (!is_zero(load_u8(one)))
        return false;
    one[input[0] % V_BYTES] = 1 << input[1] % 8;
    return !is_zero(load_u8(one));
}

static bool sums_add_passes(const uint8_t *input)
{
    int16_t of[4][V_WORDS], packed[V_WORDS];
    uint16_t positive[V_WORDS];
    int32_t sums[V_WORDS];
    vi16 v[4];
    for (int i = 0; i < 4; i++) {
        v[i] = load_i16(input + (i * V_BYTES) % SIMD_INPUT) >> 1;
        store_i16(of[i], v[i]);
    }
    const VSums added =
        sums_shift(sums_add(sums_add(sums_all(77), pairs_of(v[0], v[1]), pairs_all(3, -5)),
                            pairs_of(v[0], v[1]), pairs_of(v[2], v[3])),
                   9);
    store_u8(sums, zip_low((vu8)added.low, (vu8)added.high, V_LANE));
    store_u8(sums + V_LONGS, zip_high((vu8)added.low, (vu8)added.high, V_LANE));
    store_i16(packed, pack_i32(added.low, added.high));
    store_u16(positive, pack_u32(added.low, added.high));
    for (int i = 0; i < V_WORDS; i++) {
        const int32_t a = of[0][i], b = of[1][i];
        const int32_t sum = (77 + a * 3 - b * 5 + a * of[2][i] + b * of[3][i]) >> 9;
        if (sums[i] != sum ||
            packed[i] != (sum < INT16_MIN   ? INT16_MIN
                          : sum > INT16_MAX ? INT16_MAX
                                            : sum) ||
            positive[i] != (sum < 0            ? 0
                            : sum > UINT16_MAX ? UINT16_MAX
                                               : sum))
            return false;
    }
    return true;
}

static bool shifted_u16_passes(const uint8_t *input)
{
    uint16_t by[V_WORDS], shifted[3][V_WORDS];
    for (int i = 0; i < V_WORDS; i++)
        by[i] = input[i] % (input[V_WORDS + i] < 64 ? 128 : 18);
    store_u16(shifted[0], shifted_u16(1 << 14, load_u16(by)));
    store_u16(shifted[1], shifted_u16(0x7FFF, load_u16(by)));
    store_u16(shifted[2], shifted_u16(0x3765, load_u16(by)));
    for (int i = 0; i < V_WORDS; i++)
        if (shifted[0][i] != (by[i] > 15 ? 0 : (1 << 14) >> by[i]) ||
            shifted[1][i] != (by[i] > 15 ? 0 : 0x7FFF >> by[i]) ||
            shifted[2][i] != (by[i] > 15 ? 0 : 0x3765 >> by[i]))
            return false;
    return true;
}

/* The weights differ so much that the sums show each colour. */
static bool load_rgb_passes(const uint8_t *input)
{
    int32_t sums[V_WORDS];
    VPairs red_green, green_blue;
    load_rgb(input, &red_green, &green_blue);
    VSums both = sums_add(sums_all(0), red_green, pairs_all(1, 300));
    both = sums_add(both, green_blue, pairs_all(7, 31000));
    store_sums(sums, both);
    both = load_sums(sums);
    store_u8(sums, zip_low((vu8)both.low, (vu8)both.high, V_LANE));
    store_u8(sums + V_LONGS, zip_high((vu8)both.low, (vu8)both.high, V_LANE));
    for (int i = 0; i < V_WORDS; i++)
        if (sums[i] != input[3 * i] + 307 * input[3 * i + 1] + 31000 * input[3 * i + 2])
            return false;
    return true;
}

static bool look_up_u8_passes(const uint8_t *input)
{
    uint8_t found[V_BYTES];
    const VTable table = load_table(input);
    store_u8(found, look_up_u8(&table, load_u8(input + 7)));
    for (int i = 0; i < V_BYTES; i++)
        if (found[i] != input[input[7 + i]])
            return false;
    return true;
}

static bool sixteen_passes(const uint8_t *input)
{
    int16_t pairs[32], pair[2];
    int32_t start[16], sums[16], loaded[16];
    uint8_t bytes[16];
    memcpy(pairs, input + 64, sizeof pairs);
    memcpy(pair, input + 128, sizeof pair);
    for (int i = 0; i < 16; i++)
        start[i] = (int8_t)input[i] * 1000;
    pair[0] >>= 1, pair[1] >>= 1;
    const VSixteen all = sixteen_add_dots(load_sixteen(start), pairs, pair);
    store_sixteen(sums, all);
    store_bytes(bytes, sixteen_shift(all, input[0] % 32));
    store_sixteen(loaded, sixteen_all(-77));
    for (int i = 0; i < 16; i++) {
        const int32_t sum = start[i] + pairs[2 * i] * pair[0] + pairs[2 * i + 1] * pair[1];
        const int32_t shifted = sum >> input[0] % 32;
        if (sums[i] != sum ||
            bytes[i] != (shifted < 0     ? 0
                         : shifted > 255 ? 255
                                         : shifted) ||
            loaded[i] != -77)
            return false;
    }
    return true;
}

static bool wide_passes(const uint8_t *input)
{
    int32_t factor, of[V_LONGS], words[V_LONGS];
    int64_t products[V_LONGS];
    memcpy(&factor, input + V_BYTES, sizeof factor);
    memcpy(of, input, sizeof of);
    VWide wide = wide_products(load_i32(input), factor);
    store_i32(words, wide_words(wide));
    wide.first = shift_right_i64(shift_left_i64(wide.first, 1), 20);
    wide.second = shift_right_i64(shift_left_i64(wide.second, 1), 20);
    store_wide(products, wide);
    for (int i = 0; i < V_LONGS; i++) {
        const int64_t product = (int64_t)of[i] * factor;
        if (words[i] != (int32_t)product || products[i] != (int64_t)((uint64_t)product << 1) >> 20)
            return false;
    }
    return true;
}

static bool repeat_last_passes(const uint8_t *input)
{
    uint8_t eight[V_BYTES], sixteen[V_BYTES];
    store_u8(eight, repeat_last(load_u8(input), 8));
    store_u8(sixteen, repeat_last(load_u8(input), 16));
    for (int i = 0; i < V_BYTES; i++)
        if (eight[i] != input[i / 8 * 8 + 4 + i % 4] ||
            sixteen[i] != input[i / 16 * 16 + 12 + i % 4])
            return false;
    return true;
}

/* --- Conversions
 * -------------------------------------------------------------------------------------- */

static bool widen_u8_passes(const uint8_t *input)
{
    uint16_t wide[V_WORDS];
    store_u16(wide, widen_u8(input));
    for (int i = 0; i < V_WORDS; i++)
        if (wide[i] != input[i])
            return false;
    return true;
}

static bool widen_halves_passes(const uint8_t *input)
{
    uint16_t low[V_WORDS], high[V_WORDS];
    store_u16(low, widen_low(load_u8(input)));
    store_u16(high, widen_high(load_u8(input)));
    for (int i = 0; i < V_WORDS; i++)
        if (low[i] != input[i / 8 * 16 + i % 8] || high[i] != input[i / 8 * 16 + 8 + i % 8])
            return false;
    return true;
}

static bool narrow_i32_passes(const uint8_t *input)
{
    int32_t wide[2 * V_LONGS];
    int16_t narrow[V_WORDS];
    const vi32 a = load_i32(input) >> input[0] % 32, b = load_i32(input + V_BYTES) >> input[1] % 32;
    store_i32(wide, a);
    store_i32(wide + V_LONGS, b);
    store_i16(narrow, narrow_i32(a, b));
    for (int i = 0; i < V_WORDS; i++)
        if (narrow[i] != (wide[i] < INT16_MIN   ? INT16_MIN
                          : wide[i] > INT16_MAX ? INT16_MAX
                                                : wide[i]))
            return false;
    return true;
}

/* Packing works within lanes of 16 bytes: each takes four 32-bit elements (or eight 16-bit
 * elements) of both arguments. */
static bool pack_passes(const uint8_t *input)
{
    int32_t longs[2 * V_LONGS];
    int16_t words[2 * V_WORDS], from_longs[V_WORDS];
    uint16_t positive[V_WORDS];
    uint8_t bytes[V_BYTES];
    const vi32 a = load_i32(input) >> input[0] % 32, b = load_i32(input + V_BYTES) >> input[1] % 32;
    const vi16 c = load_i16(input) >> input[2] % 16, d = load_i16(input + V_BYTES) >> input[3] % 16;
    store_i32(longs, a);
    store_i32(longs + V_LONGS, b);
    store_i16(words, c);
    store_i16(words + V_WORDS, d);
    store_i16(from_longs, pack_i32(a, b));
    store_u16(positive, pack_u32(a, b));
    store_u8(bytes, pack_i16(c, d));
    for (int i = 0; i < V_WORDS; i++) {
        const int32_t value = longs[i % 8 / 4 * V_LONGS + i / 8 * 4 + i % 4];
        if (from_longs[i] != (value < INT16_MIN   ? INT16_MIN
                              : value > INT16_MAX ? INT16_MAX
                                                  : value) ||
            positive[i] != (value < 0            ? 0
                            : value > UINT16_MAX ? UINT16_MAX
                                                 : value))
            return false;
    }
    for (int i = 0; i < V_BYTES; i++) {
        const int16_t value = words[i % 16 / 8 * V_WORDS + i / 16 * 8 + i % 8];
        if (bytes[i] != (value < 0 ? 0 : value > 255 ? 255 : value))
            return false;
    }
    return true;
}

/* --- Moves of bytes
 * ----------------------------------------------------------------------------------- */

#define ZIP_PASSES(size)                                                                           \
    static bool zip_##size##_passes(const uint8_t *input)                                          \
    {                                                                                              \
        const vu8 a = load_u8(input), b = load_u8(input + V_BYTES);                                \
        uint8_t low[V_BYTES], high[V_BYTES];                                                       \
        store_u8(low, zip_low(a, b, size));                                                        \
        store_u8(high, zip_high(a, b, size));                                                      \
        for (int i = 0; i < V_BYTES; i++) {                                                        \
            const int half = i % V_LANE / (2 * (size)) * (size) + i % (size);                      \
            const int from = i / (size) % 2 * V_BYTES + i / V_LANE * V_LANE + half;                \
            if (low[i] != input[from] || high[i] != input[from + V_LANE / 2])                      \
                return false;                                                                      \
        }                                                                                          \
        return true;                                                                               \
    }                                                                                              \
    static bool reverse_##size##_passes(const uint8_t *input)                                      \
    {                                                                                              \
        uint8_t result[V_BYTES], slid[V_BYTES];                                                    \
        store_u8(result, reverse(load_u8(input), size));                                           \
        store_u8(slid, slide_in(load_u8(input), load_u8(input + V_BYTES), size));                  \
        for (int i = 0; i < V_BYTES; i++) {                                                        \
            const int at = i % V_LANE, lane = i - at;                                              \
            if (result[i] != input[lane + V_LANE - (size)-at / (size) * (size) + at % (size)] ||   \
                slid[i] !=                                                                         \
                    (at < (size) ? input[V_BYTES + i + V_LANE - (size)] : input[i - (size)]))      \
                return false;                                                                      \
        }                                                                                          \
        return true;                                                                               \
    }

ZIP_PASSES(1)
ZIP_PASSES(2)
ZIP_PASSES(4)
ZIP_PASSES(8)

/* The lanes of both results, in order, are lane 0 of the first argument, lane 0 of the second, lane
 * 1 of the first and so on. */
static bool zip_lanes_passes(const uint8_t *input)
{
    uint8_t both[2 * V_BYTES];
    store_u8(both, zip_low(load_u8(input), load_u8(input + V_BYTES), V_LANE));
    store_u8(both + V_BYTES, zip_high(load_u8(input), load_u8(input + V_BYTES), V_LANE));
    for (int i = 0; i < 2 * V_LANES; i++)
        if (!is_equal(both + i * V_LANE, input + i % 2 * V_BYTES + i / 2 * V_LANE, V_LANE))
            return false;
    return true;
}

static bool shuffle_bytes_passes(const uint8_t *input)
{
    uint8_t order[V_BYTES], result[V_BYTES];
    for (int i = 0; i < V_BYTES; i++)
        order[i] = input[V_BYTES + i] < 32 ? 255 : input[V_BYTES + i] % V_LANE;
    store_u8(result, shuffle_bytes(load_u8(input), load_u8(order)));
    for (int i = 0; i < V_BYTES; i++)
        if (result[i] != (order[i] == 255 ? 0 : input[i / V_LANE * V_LANE + order[i]]))
            return false;
    return true;
}

#define PIXELS_PASS(pixel, size)                                                                   \
    static bool pixels_##pixel##_passes(const uint8_t *input)                                      \
    {                                                                                              \
        uint8_t spread[V_BYTES], joined[V_BYTES];                                                  \
        store_u8(spread, spread_pixels(load_u8(input), pixel));                                    \
        store_u8(joined, join_pixels(load_u8(input), pixel));                                      \
        for (int i = 0; i < V_BYTES; i++) {                                                        \
            const int at = i % V_LANE, lane = i - at;                                              \
            const uint8_t other = input[lane + at / (size) * (pixel) + at % (size)];               \
            if (spread[i] != (at % (size) < (pixel) ? other : 0) ||                                \
                (at < V_LANE / (size) * (pixel) &&                                                 \
                 joined[i] != input[lane + at / (pixel) * (size) + at % (pixel)]))                 \
                return false;                                                                      \
        }                                                                                          \
        return true;                                                                               \
    }

PIXELS_PASS(1, 1)
PIXELS_PASS(2, 2)
PIXELS_PASS(3, 4)
PIXELS_PASS(4, 4)
PIXELS_PASS(6, 8)
PIXELS_PASS(8, 8)

static bool join_twelves_passes(const uint8_t *input)
{
    uint8_t expected[4 * V_LANES * 12], result[MOST];
    vu8 v[4], joined[3];
    for (int i = 0; i < 4; i++)
        v[i] = load_u8(input + i * V_BYTES);
    join_twelves(v, joined);
    for (int i = 0; i < 3; i++)
        store_u8(result + i * V_BYTES, joined[i]);
    for (int i = 0; i < 4 * V_LANES; i++)
        memcpy(expected + (ptrdiff_t)i * 12, input + i * V_LANE, 12);
    return is_equal(expected, result, sizeof expected);
}

/* --- Lanes
 * -------------------------------------------------------------------------------------------- */

static bool load_lanes_passes(const uint8_t *input)
{
    const uint8_t *lanes[V_LANES];
    uint8_t at[V_BYTES], apart[V_BYTES], repeated[V_BYTES], first[V_BYTES], entered[V_BYTES];
    for (int i = 0; i < V_LANES; i++)
        lanes[i] = input + (V_LANES - i) * 20;
    store_u8(at, load_lanes_at(lanes));
    store_u8(apart, load_lanes(input, 37));
    store_u8(repeated, repeat_lane(input + 1));
    store_u8(first, load_lane(input + 2));
    store_u8(entered, enter_lane(load_lane(input + 3), load_u8(input + V_BYTES)));
    for (int i = 0; i < V_LANES; i++)
        if (!is_equal(at + i * V_LANE, lanes[i], V_LANE) ||
            !is_equal(apart + i * V_LANE, input + i * 37, V_LANE) ||
            !is_equal(repeated + i * V_LANE, input + 1, V_LANE))
            return false;
    return is_equal(first, input + 2, V_LANE) && is_equal(entered, input + 3, V_LANE) &&
           is_equal(entered + V_LANE, input + V_BYTES, V_BYTES - V_LANE);
}

/* Returns true if store_ends stores the first twelve bytes of each lane of `joined`. */
static bool ends_equal(const uint8_t *joined, vu8 ends)
{
    const uint8_t none[V_LANE] = {0};
    for (int i = 0; i < V_LANES; i++) {
        uint8_t twelve[V_LANE] = {0};
        store_ends(twelve, ends, i);
        if (!is_equal(twelve, joined + i * V_LANE, 12) || !is_equal(twelve + 12, none, V_LANE - 12))
            return false;
    }
    return true;
}

static bool store_lane_passes(const uint8_t *input)
{
    const vu8 v = load_u8(input);
    uint8_t three[V_BYTES], six[V_BYTES];
    for (int i = 0; i < V_LANES; i++) {
        uint8_t whole[V_LANE + 1] = {0};
        store_lane(whole + 1, v, i);
        if (!is_equal(whole + 1, input + i * V_LANE, V_LANE))
            return false;
    }
    store_u8(three, join_pixels(v, 3));
    store_u8(six, join_pixels(v, 6));
    return ends_equal(three, join_ends(v, 3)) && ends_equal(six, join_ends(v, 6));
}

static bool halves_passes(const uint8_t *input)
{
    enum { HALF = V_BYTES / 2 };
    uint8_t halves[V_BYTES], half[V_BYTES] = {0}, swapped[V_BYTES];
    const vu8 v = load_u8(input);
    store_u8(halves, load_halves(input + 3, input + 70));
    store_half(half, v);
    store_u8(swapped, swap_lanes(v));
    for (int i = 0; i < V_LANES; i++) {
        uint8_t eight[V_LANE] = {0};
        const uint8_t none[V_LANE] = {0};
        store_eight(eight, v, i);
        if (!is_equal(eight, input + i * V_LANE, 8) || !is_equal(eight + 8, none, 8) ||
            !is_equal(swapped + i * V_LANE, input + (V_LANES == 1 ? 0 : i ^ 1) * V_LANE, V_LANE))
            return false;
    }
    return is_equal(halves, input + 3, HALF) && is_equal(halves + HALF, input + 70, HALF) &&
           is_equal(half, input, HALF) && (half[HALF] | half[V_BYTES - 1]) == 0;
}

/* Checks sums of products: with one pair of factors for each lane, for each half of a vector, and
 * for the whole vector. */
static bool pairs_of_lanes_pass(const uint8_t *input)
{
    int16_t a[V_WORDS], b[V_WORDS], pairs[V_LANES][2];
    int32_t lanes[V_WORDS], halves[V_WORDS], dots[V_LONGS];
    int16_t packed[V_WORDS];
    const int16_t *pair[V_LANES];
    const vi16 x = load_i16(input) >> 1, y = load_i16(input + V_BYTES) >> 1;
    store_i16(a, x);
    store_i16(b, y);
    for (int i = 0; i < V_LANES; i++) {
        memcpy(pairs[i], input + 2 * V_BYTES + 4 * i, sizeof pairs[i]);
        pairs[i][0] >>= 1, pairs[i][1] >>= 1;
        pair[i] = pairs[i];
    }
    const int16_t *last = pairs[V_LANES - 1];
    const VSums of_lanes = sums_add(sums_all(0), pairs_of(x, y), pairs_of_lanes(pair));
    const VSums of_halves = sums_add(sums_all(0), pairs_of(x, y), pairs_of_halves(pairs[0], last));
    const VSums of_all = sums_add(sums_all(0), pairs_of(x, y), load_pair(pairs[0]));
    store_u8(lanes, zip_low((vu8)of_lanes.low, (vu8)of_lanes.high, V_LANE));
    store_u8(lanes + V_LONGS, zip_high((vu8)of_lanes.low, (vu8)of_lanes.high, V_LANE));
    store_u8(halves, zip_low((vu8)of_halves.low, (vu8)of_halves.high, V_LANE));
    store_u8(halves + V_LONGS, zip_high((vu8)of_halves.low, (vu8)of_halves.high, V_LANE));
    store_i16(packed, pack_i32(of_all.low >> 15, of_all.high >> 15));
    store_i32(dots, dot_halves(x, repeat_pairs(pair)));
    for (int i = 0; i < V_WORDS; i++) {
        const int16_t *lane = pairs[i / 8], *half = i < V_LONGS ? pairs[0] : last;
        if (lanes[i] != a[i] * lane[0] + b[i] * lane[1] ||
            halves[i] != a[i] * half[0] + b[i] * half[1] ||
            packed[i] != (a[i] * pairs[0][0] + b[i] * pairs[0][1]) >> 15)
            return false;
    }
    for (int i = 0; i < V_LONGS; i++) {
        const int at = i / 4 * 8 + i % 4;
        if (dots[i] != a[at] * pairs[i / 4][0] + a[at + 4] * pairs[i / 4][1])
            return false;
    }
    return true;
}

static bool stream_passes(const uint8_t *input)
{
    uint8_t to[V_BYTES] __attribute__((aligned(V_BYTES)));
    stream_u8(to, load_u8(input));
    stream_end();
    return is_equal(to, input, V_BYTES);
}

#ifdef IMG_SIMD_PORTABLE
#define CHECKS simd_checks_plain
#else
#define CHECKS IMG_VARIANT(simd_checks)
#endif

#define CHECK(name)                                                                                \
    {                                                                                              \
#name, name##_passes                                                                       \
    }

const SimdCheck CHECKS[] = {
    CHECK(min_u8),         CHECK(max_u8),
    CHECK(min_u16),        CHECK(max_u16),
    CHECK(min_i16),        CHECK(max_i16),
    CHECK(min_i32),        CHECK(max_i32),
    CHECK(sub_sat_u8),     CHECK(add_sat_u16),
    CHECK(average_u8),     CHECK(abs_i8),
    CHECK(abs_i16),        CHECK(exceeds_half_u8),
    CHECK(high_u16),       CHECK(scale_i16),
    CHECK(shift_left_u16), CHECK(shift_right_i32),
    CHECK(all_u8),         CHECK(all_u16),
    CHECK(all_i16),        CHECK(all_u32),
    CHECK(all_i32),        CHECK(dot_i16),
    CHECK(sums_u8),        CHECK(mask_u8),
    CHECK(equal_u8),       CHECK(is_zero),
    CHECK(sums_add),       CHECK(widen_u8),
    CHECK(narrow_i32),     CHECK(pack),
    CHECK(zip_1),          CHECK(zip_2),
    CHECK(zip_4),          CHECK(zip_8),
    CHECK(reverse_1),      CHECK(reverse_2),
    CHECK(reverse_4),      CHECK(reverse_8),
    CHECK(zip_lanes),      CHECK(shuffle_bytes),
    CHECK(pixels_1),       CHECK(pixels_2),
    CHECK(pixels_3),       CHECK(pixels_4),
    CHECK(pixels_6),       CHECK(pixels_8),
    CHECK(join_twelves),   CHECK(load_lanes),
    CHECK(store_lane),     CHECK(stream),
    CHECK(shifted_u16),    CHECK(load_rgb),
    CHECK(look_up_u8),     CHECK(sixteen),
    CHECK(halves),         {"pairs_of_lanes", pairs_of_lanes_pass},
    CHECK(widen_halves),   CHECK(wide),
    CHECK(repeat_last),    {NULL, NULL},
};
