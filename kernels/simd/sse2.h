/* Vectors of 16 bytes, for the baseline of x86-64. portable.h says what each function does. */
#ifndef IMGTOOL_KERNELS_SIMD_SSE2_H
#define IMGTOOL_KERNELS_SIMD_SSE2_H

#include <emmintrin.h>

enum { V_HAS_SHUFFLE = 0 };
#define V_HAS_TABLE 0

typedef __m128i VRaw;
#define MM(name) _mm_##name

#include "kernels/simd/one_lane.h"
#include "kernels/simd/x86.h"

static inline vu16 min_u16(vu16 a, vu16 b)
{
    return a - (vu16)_mm_subs_epu16((VRaw)a, (VRaw)b);
}

static inline vu16 max_u16(vu16 a, vu16 b)
{
    return b + (vu16)_mm_subs_epu16((VRaw)a, (VRaw)b);
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

static inline vu8 abs_i8(vi8 v)
{
    return min_u8((vu8)v, -(vu8)v);
}

static inline vu16 abs_i16(vi16 v)
{
    return (vu16)max_i16(v, (vi16) - (vu16)v);
}

static inline vu8 exceeds_half_u8(vu8 a, vu8 b)
{
    const vu8 half = (vu8)((vu16)b >> 1) & all_u8(127);
    return (vu8)(sub_sat_u8(a, half) != all_u8(0));
}

/* The rounded product consists of its high half and the two highest bits of its low half. */
static inline vi16 scale_i16(vi16 a, vi16 b)
{
    const vu16 low = (vu16)_mm_mullo_epi16((VRaw)a, (VRaw)b);
    const vu16 high = (vu16)_mm_mulhi_epi16((VRaw)a, (VRaw)b);
    return (vi16)((high << 1) + (((low >> 14) + 1) >> 1));
}

static inline vu16 shifted_u16(uint16_t value, vu16 by)
{
    return all_u16(value) >> min_u16(by, all_u16(15));
}

/* SSE2 packs only with signed saturation. Subtracting 32768 before packing, and adding it
 * afterwards, gives unsigned saturation. */
static inline vu16 pack_u32(vi32 a, vi32 b)
{
    const vi32 offset = all_i32(32768);
    a = (vi32)((vu32)max_i32(a, all_i32(0)) - (vu32)offset);
    b = (vi32)((vu32)max_i32(b, all_i32(0)) - (vu32)offset);
    return (vu16)pack_i32(a, b) ^ all_u16(0x8000);
}

static inline bool is_zero(vu8 v)
{
    return (((vu64)v)[0] | ((vu64)v)[1]) == 0;
}

static inline uint64_t mask_u8(vu8 v)
{
    return (uint32_t)_mm_movemask_epi8((VRaw)v);
}

static inline uint64_t equal_u8(vu8 a, vu8 b)
{
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8((VRaw)a, (VRaw)b));
}

static inline uint64_t sum_u64(vu64 v)
{
    return v[0] + v[1];
}

static inline vu16 widen_u8(const void *from)
{
    const VRaw bytes = _mm_loadl_epi64((const __m128i *)from);
    return (vu16)_mm_unpacklo_epi8(bytes, _mm_setzero_si128());
}

static inline vi16 narrow_i32(vi32 a, vi32 b)
{
    return pack_i32(a, b);
}

static inline void load_rgb(const uint8_t *from, VPairs *red_green, VPairs *green_blue)
{
    int16_t color[3][V_WORDS];
    for (int i = 0; i < V_WORDS; i++)
        for (int c = 0; c < 3; c++)
            color[c][i] = from[3 * i + c];
    *red_green = pairs_of(load_i16(color[0]), load_i16(color[1]));
    *green_blue = pairs_of(load_i16(color[1]), load_i16(color[2]));
}

static inline vu8 shuffle_bytes(vu8 v, vu8 order)
{
    uint8_t bytes[V_LANE], indices[V_LANE];
    store_u8(bytes, v);
    store_u8(indices, order);
    for (int i = 0; i < V_LANE; i++)
        indices[i] = indices[i] < V_LANE ? bytes[indices[i]] : 0;
    return load_u8(indices);
}

/* `bytes` is 1, 2 or 3. */
static inline vu8 move_up(vu8 v, int bytes)
{
    return bytes == 1   ? (vu8)_mm_slli_si128((VRaw)v, 1)
           : bytes == 2 ? (vu8)_mm_slli_si128((VRaw)v, 2)
                        : (vu8)_mm_slli_si128((VRaw)v, 3);
}

static inline vu8 move_down(vu8 v, int bytes)
{
    return bytes == 1   ? (vu8)_mm_srli_si128((VRaw)v, 1)
           : bytes == 2 ? (vu8)_mm_srli_si128((VRaw)v, 2)
                        : (vu8)_mm_srli_si128((VRaw)v, 3);
}

static inline vu8 slide_in(vu8 v, vu8 top, int size)
{
    switch (size) {
    case 1:
        return move_up(v, 1) | (vu8)_mm_srli_si128((VRaw)top, 15);
    case 2:
        return move_up(v, 2) | (vu8)_mm_srli_si128((VRaw)top, 14);
    case 4:
        return (vu8)__builtin_shufflevector((vu32)top, (vu32)v, 3, 4, 5, 6);
    default:
        return (vu8)__builtin_shufflevector((vu64)top, (vu64)v, 1, 2);
    }
}

/* Pixels are moved one by one and selected by masks. */
#define V_HAS_PIXELS
static inline vu8 spread_pixels(vu8 v, int pixel)
{
    if (pixel == 3) {
        const vu32 first = {0xFFFFFF}, second = {0, 0xFFFFFF};
        const vu32 third = {0, 0, 0xFFFFFF}, fourth = {0, 0, 0, 0xFFFFFF};
        return (v & (vu8)first) | (move_up(v, 1) & (vu8)second) | (move_up(v, 2) & (vu8)third) |
               (move_up(v, 3) & (vu8)fourth);
    }
    const vu64 first = {0xFFFFFFFFFFFF}, second = {0, 0xFFFFFFFFFFFF};
    return pixel == 6 ? (v & (vu8)first) | (move_up(v, 2) & (vu8)second) : v;
}

static inline vu8 join_pixels(vu8 v, int pixel)
{
    if (pixel == 3) {
        const vu32 first = {0xFFFFFF}, second = {0, 0xFFFFFF};
        const vu32 third = {0, 0, 0xFFFFFF}, fourth = {0, 0, 0, 0xFFFFFF};
        return (v & (vu8)first) | move_down(v & (vu8)second, 1) | move_down(v & (vu8)third, 2) |
               move_down(v & (vu8)fourth, 3);
    }
    const vu64 first = {0xFFFFFFFFFFFF}, second = {0, 0xFFFFFFFFFFFF};
    return pixel == 6 ? (v & (vu8)first) | move_down(v & (vu8)second, 2) : v;
}

static inline void stream_u8(void *to, vu8 v)
{
    _mm_stream_si128((__m128i *)to, (VRaw)v);
}

static inline void store_bytes(uint8_t *to, VSixteen sixteen)
{
    const vi32 *of = sixteen.of;
    store_u8(to, pack_i16(pack_i32(of[0], of[1]), pack_i32(of[2], of[3])));
}

static inline vi64 shift_left_i64(vi64 v, int by)
{
    return (vi64)_mm_sll_epi64((VRaw)v, _mm_cvtsi32_si128(by));
}

/* SSE2 shifts only unsigned numbers of 64 bits, so the sign is extended afterwards. */
static inline vi64 shift_right_i64(vi64 v, int by)
{
    const vu64 sign = (vu64)_mm_srl_epi64((VRaw)all_i64(INT64_MIN), _mm_cvtsi32_si128(by));
    return (vi64)(((vu64)_mm_srl_epi64((VRaw)v, _mm_cvtsi32_si128(by)) ^ sign) - sign);
}

/* Multiplies even and odd elements as unsigned numbers, after adding 2^31 to the elements and
 * dropping the sign of the factor. 2^31 times the factor is then subtracted, and the sign restored.
 */
static inline VWide wide_products(vi32 v, int32_t factor)
{
    const uint32_t size = factor < 0 ? -(uint32_t)factor : (uint32_t)factor;
    const int64_t more = (int64_t)size << 31;
    const vi64 sign = all_i64(factor < 0 ? -1 : 0),
               too_much = all_i64(factor < 0 ? -1 - more : more);
    const vu32 positive = (vu32)v ^ all_u32(UINT32_C(1) << 31), by = all_u32(size);
    const vi64 even = (vi64)_mm_mul_epu32((VRaw)positive, (VRaw)by);
    const vi64 odd = (vi64)_mm_mul_epu32((VRaw)((vu64)positive >> 32), (VRaw)by);
    return (VWide){(even ^ sign) - too_much, (odd ^ sign) - too_much};
}

static inline vi32 wide_words(VWide wide)
{
    return (vi32)(((vu64)wide.first & UINT32_MAX) | (vu64)wide.second << 32);
}

static inline void store_wide(int64_t *to, VWide wide)
{
    store_u8(to, zip_low((vu8)wide.first, (vu8)wide.second, 8));
    store_u8(to + V_LONGS / 2, zip_high((vu8)wide.first, (vu8)wide.second, 8));
}

#endif
