/* Vectors of 16 bytes in plain C, for processors without a file of their own. The comments here
 * specify the functions for all processors. Functions that work within lanes do the same in each
 * lane of a longer vector. */
#ifndef IMGTOOL_KERNELS_SIMD_PORTABLE_H
#define IMGTOOL_KERNELS_SIMD_PORTABLE_H

/* V_HAS_SHUFFLE and V_HAS_TABLE say whether shuffle_bytes and look_up_u8 are single instructions or
 * a few. If not, loops without them may be faster. */
enum { V_HAS_SHUFFLE = 0 };
#define V_HAS_TABLE 0

#include "kernels/simd/one_lane.h"

/* --- Arithmetic ----------------------------------------------------------------------------------
 */

static inline vu8 min_u8(vu8 a, vu8 b)
{
    const vu8 less = (vu8)(a < b);
    return (a & less) | (b & ~less);
}

static inline vu8 max_u8(vu8 a, vu8 b)
{
    const vu8 less = (vu8)(a < b);
    return (b & less) | (a & ~less);
}

static inline vu16 min_u16(vu16 a, vu16 b)
{
    const vu16 less = (vu16)(a < b);
    return (a & less) | (b & ~less);
}

static inline vu16 max_u16(vu16 a, vu16 b)
{
    const vu16 less = (vu16)(a < b);
    return (b & less) | (a & ~less);
}

static inline vi16 min_i16(vi16 a, vi16 b)
{
    const vi16 less = a < b;
    return (a & less) | (b & ~less);
}

static inline vi16 max_i16(vi16 a, vi16 b)
{
    const vi16 less = a < b;
    return (b & less) | (a & ~less);
}

static inline vi32 min_i32(vi32 a, vi32 b)
{
    const vi32 less = a < b;
    return (a & less) | (b & ~less);
}

static inline vi32 max_i32(vi32 a, vi32 b)
{
    const vi32 less = a < b;
    return (b & less) | (a & ~less);
}

/* Returns a - b, but not less than 0. */
static inline vu8 sub_sat_u8(vu8 a, vu8 b)
{
    return (a - b) & (vu8)(a > b);
}

/* Returns a + b, but not more than 65535. */
static inline vu16 add_sat_u16(vu16 a, vu16 b)
{
    const vu16 sum = a + b;
    return sum | (vu16)(sum < a);
}

/* Returns (a + b + 1) / 2. */
static inline vu8 average_u8(vu8 a, vu8 b)
{
    return (a | b) - ((a ^ b) >> 1);
}

static inline vu8 abs_i8(vi8 v)
{
    const vu8 negative = (vu8)(v < 0);
    return ((vu8)v ^ negative) - negative;
}

static inline vu16 abs_i16(vi16 v)
{
    const vu16 negative = (vu16)(v < 0);
    return ((vu16)v ^ negative) - negative;
}

/* Sets all bits of the elements where 2 a > b. */
static inline vu8 exceeds_half_u8(vu8 a, vu8 b)
{
    return (vu8)(a > b >> 1);
}

/* Returns the high 16 bits of a * b. */
static inline vu16 high_u16(vu16 a, vu16 b)
{
    vu16 high = a;
    for (int i = 0; i < V_WORDS; i++)
        high[i] = (uint16_t)((uint32_t)a[i] * b[i] >> 16);
    return high;
}

/* Returns a * b / 2^15, rounded to nearest. Not for two factors of -32768. */
static inline vi16 scale_i16(vi16 a, vi16 b)
{
    vi16 scaled = a;
    for (int i = 0; i < V_WORDS; i++)
        scaled[i] = (int16_t)((a[i] * b[i] + (1 << 14)) >> 15);
    return scaled;
}

/* Returns a[2 i] * b[2 i] + a[2 i + 1] * b[2 i + 1]. Not for four numbers of -32768. */
static inline vi32 dot_i16(vi16 a, vi16 b)
{
    vi32 dot = {0};
    for (int i = 0; i < V_LONGS; i++)
        dot[i] = a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
    return dot;
}

/* Returns the sum of each eight bytes. */
static inline vu64 sums_u8(vu8 v)
{
    const vu16 pairs = ((vu16)v & 255) + ((vu16)v >> 8);
    const vu32 fours = ((vu32)pairs & 65535) + ((vu32)pairs >> 16);
    return ((vu64)fours & UINT32_MAX) + ((vu64)fours >> 32);
}

/* Returns the sum of all elements. */
static inline uint64_t sum_u64(vu64 v)
{
    return v[0] + v[1];
}

static inline bool is_zero(vu8 v)
{
    return (((vu64)v)[0] | ((vu64)v)[1]) == 0;
}

/* Returns a mask of V_BYTES bits: bit i is set if v[i] is 255. Other elements must be 0. */
static inline uint64_t mask_u8(vu8 v)
{
    const vu8 weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const vu64 bits = sums_u8(v & weights);
    return bits[0] | bits[1] << 8;
}

/* Returns a mask of V_BYTES bits: bit i is set if a[i] == b[i]. */
static inline uint64_t equal_u8(vu8 a, vu8 b)
{
    return mask_u8((vu8)(a == b));
}

static inline vu16 shift_left_u16(vu16 v, int by)
{
    return v << (uint16_t)by;
}

static inline vi32 shift_right_i32(vi32 v, int by)
{
    return v >> by;
}

/* Returns `value`, which must be below 32768, shifted right by each element of `by`, which must be
 * below 128. */
static inline vu16 shifted_u16(uint16_t value, vu16 by)
{
    return all_u16(value) >> min_u16(by, all_u16(15));
}

static inline vi64 shift_left_i64(vi64 v, int by)
{
    return (vi64)((vu64)v << (uint64_t)by);
}

static inline vi64 shift_right_i64(vi64 v, int by)
{
    return v >> (int64_t)by;
}

/* Returns the products of all elements with `factor`. */
static inline VWide wide_products(vi32 v, int32_t factor)
{
    VWide wide = {{0}, {0}};
    for (int i = 0; i < V_LONGS / 2; i++) {
        wide.first[i] = (int64_t)v[i] * factor;
        wide.second[i] = (int64_t)v[i + V_LONGS / 2] * factor;
    }
    return wide;
}

/* Returns the lower 32 bits of each number, in the order of the elements that were multiplied. */
static inline vi32 wide_words(VWide wide)
{
    vi32 words = {0};
    for (int i = 0; i < V_LONGS / 2; i++) {
        words[i] = (int32_t)wide.first[i];
        words[i + V_LONGS / 2] = (int32_t)wide.second[i];
    }
    return words;
}

/* Stores all numbers in the order of the elements that were multiplied. */
static inline void store_wide(int64_t *to, VWide wide)
{
    store_i64(to, wide.first);
    store_i64(to + V_LONGS / 2, wide.second);
}

/* --- Sums of products of pairs -------------------------------------------------------------------
 */

/* Pairs each element of `a` with the same element of `b`. */
static inline VPairs pairs_of(vi16 a, vi16 b)
{
    return (VPairs){a, b};
}

/* Returns pairs that all consist of `a` and `b`. */
static inline VPairs pairs_all(int16_t a, int16_t b)
{
    return (VPairs){all_i16(a), all_i16(b)};
}

/* Returns pairs that are all the same as the pair in memory. */
static inline VPairs load_pair(const int16_t *pair)
{
    return pairs_all(pair[0], pair[1]);
}

/* Adds a.first * b.first + a.second * b.second to the sum of each pair. pack_i32 or pack_u32 of the
 * two vectors of sums restores the order of elements, and so do zip_low and zip_high with size 16.
 */
static inline VSums sums_add(VSums sums, VPairs a, VPairs b)
{
    for (int i = 0; i < V_LONGS; i++) {
        sums.low[i] += a.low[i] * b.low[i] + a.high[i] * b.high[i];
        sums.high[i] +=
            a.low[i + V_LONGS] * b.low[i + V_LONGS] + a.high[i + V_LONGS] * b.high[i + V_LONGS];
    }
    return sums;
}

/* Loads V_WORDS pixels of three bytes, as pairs of red and green and pairs of green and blue. May
 * read the four bytes after them. */
static inline void load_rgb(const uint8_t *from, VPairs *red_green, VPairs *green_blue)
{
    int16_t color[3][V_WORDS];
    for (int i = 0; i < V_WORDS; i++)
        for (int c = 0; c < 3; c++)
            color[c][i] = from[3 * i + c];
    *red_green = pairs_of(load_i16(color[0]), load_i16(color[1]));
    *green_blue = pairs_of(load_i16(color[1]), load_i16(color[2]));
}

/* Adds to each of the sixteen sums the dot product of `pair` and one of the sixteen pairs at
 * `pairs`. */
static inline VSixteen sixteen_add_dots(VSixteen sums, const int16_t *pairs, const int16_t *pair)
{
    int32_t both;
    memcpy(&both, pair, sizeof both);
    for (int i = 0; i < V_SIXTEEN; i++)
        sums.of[i] += dot_i16(load_i16(pairs + i * V_WORDS), (vi16)all_i32(both));
    return sums;
}

/* In each lane, all pairs must be the same, (p, q). Returns v[i] * p + v[i + 4] * q, for i from 0
 * to 3 in the lane. */
static inline vi32 dot_halves(vi16 v, vi16 pairs)
{
    return dot_i16((vi16)zip_low((vu8)v, zip_high((vu8)v, (vu8)v, 8), 2), pairs);
}

/* --- Conversions ---------------------------------------------------------------------------------
 */

/* Loads V_WORDS bytes and widens them to 16 bits. */
static inline vu16 widen_u8(const void *from)
{
    vu16 wide = {0};
    for (int i = 0; i < V_WORDS; i++)
        wide[i] = ((const uint8_t *)from)[i];
    return wide;
}

/* Saturates to 16 bits. Each lane has four elements of `a`, then four of `b`. */
static inline vi16 pack_i32(vi32 a, vi32 b)
{
    vi16 packed = {0};
    a = max_i32(min_i32(a, all_i32(INT16_MAX)), all_i32(INT16_MIN));
    b = max_i32(min_i32(b, all_i32(INT16_MAX)), all_i32(INT16_MIN));
    for (int i = 0; i < V_LONGS; i++) {
        packed[i] = (int16_t)a[i];
        packed[i + V_LONGS] = (int16_t)b[i];
    }
    return packed;
}

/* Like pack_i32, but saturates to 0 to 65535. */
static inline vu16 pack_u32(vi32 a, vi32 b)
{
    vu16 packed = {0};
    a = max_i32(min_i32(a, all_i32(UINT16_MAX)), all_i32(0));
    b = max_i32(min_i32(b, all_i32(UINT16_MAX)), all_i32(0));
    for (int i = 0; i < V_LONGS; i++) {
        packed[i] = (uint16_t)a[i];
        packed[i + V_LONGS] = (uint16_t)b[i];
    }
    return packed;
}

/* Saturates to 0 to 255. Each lane has eight elements of `a`, then eight of `b`. */
static inline vu8 pack_i16(vi16 a, vi16 b)
{
    vu8 packed = {0};
    a = max_i16(min_i16(a, all_i16(255)), all_i16(0));
    b = max_i16(min_i16(b, all_i16(255)), all_i16(0));
    for (int i = 0; i < V_WORDS; i++) {
        packed[i] = (uint8_t)a[i];
        packed[i + V_WORDS] = (uint8_t)b[i];
    }
    return packed;
}

/* Saturates to 16 bits: all elements of `a`, then all of `b`. */
static inline vi16 narrow_i32(vi32 a, vi32 b)
{
    return pack_i32(a, b);
}

/* Saturates sixteen numbers to 0 to 255 and stores their bytes. */
static inline void store_bytes(uint8_t *to, VSixteen sixteen)
{
    const vi32 *of = sixteen.of;
    store_u8(to, pack_i16(pack_i32(of[0], of[1]), pack_i32(of[2], of[3])));
}

/* Returns, in each lane, the bytes of `v` whose indices are in `order`. Index 255 selects 0. Other
 * indices are below 16. */
static inline vu8 shuffle_bytes(vu8 v, vu8 order)
{
    vu8 result = v;
    for (int i = 0; i < V_BYTES; i++)
        result[i] = order[i] < V_LANE ? v[order[i]] : 0;
    return result;
}

/* Moves the elements of each lane up by one. The last element of the same lane of `top` becomes the
 * first. */
static inline vu8 slide_in(vu8 v, vu8 top, int size)
{
    vu8 result = v;
    for (int i = 0; i < V_LANE; i++)
        result[i] = i < size ? top[V_LANE - size + i] : v[i - size];
    return result;
}

#define V_HAS_PIXELS
/* Moves the pixels of 3 or 6 bytes at the start of each lane to elements of 4 or 8 bytes, whose
 * last bytes become 0. Other sizes of pixels change nothing. */
static inline vu8 spread_pixels(vu8 v, int pixel)
{
    vu8 result = {0};
    const int size = pixel % 3 == 0 ? pixel + pixel / 3 : pixel;
    for (int i = 0; i < V_LANE; i++)
        if (i % size < pixel)
            result[i] = v[i / size * pixel + i % size];
    return result;
}

/* Reverses spread_pixels. The last four bytes of each lane become undefined. */
static inline vu8 join_pixels(vu8 v, int pixel)
{
    vu8 result = v;
    const int size = pixel % 3 == 0 ? pixel + pixel / 3 : pixel;
    for (int i = 0; i < V_LANE / size * pixel; i++)
        result[i] = v[i / pixel * size + i % pixel];
    return result;
}

/* --- Streams -------------------------------------------------------------------------------------
 */

/* Stores a vector without reading its cache line first, where the processor can. `to` must be a
 * multiple of V_BYTES. */
static inline void stream_u8(void *to, vu8 v)
{
    store_u8(to, v);
}

/* Makes the stores of stream_u8 visible to other threads before any later store. Must be called
 * after the last of them, before another thread may read the data. */
static inline void stream_end(void)
{
}

#endif
