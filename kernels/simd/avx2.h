/* Vectors of 32 bytes, for x86-64-v3. portable.h says what each function does. */
#ifndef IMGTOOL_KERNELS_SIMD_AVX2_H
#define IMGTOOL_KERNELS_SIMD_AVX2_H

#include <immintrin.h>

enum { V_HAS_SHUFFLE = 1 };
#define V_HAS_TABLE 0

typedef __m256i VRaw;
#define MM(name) _mm256_##name

static inline vu8 zip_low_lanes(vu8 a, vu8 b)
{
    return (vu8)_mm256_permute2x128_si256((VRaw)a, (VRaw)b, 0x20);
}

static inline vu8 zip_high_lanes(vu8 a, vu8 b)
{
    return (vu8)_mm256_permute2x128_si256((VRaw)a, (VRaw)b, 0x31);
}

static inline vu8 repeat_lane(const void *from)
{
    return (vu8)_mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)from));
}

static inline __m128i lane_of(vu8 v, int lane)
{
    return lane == 0 ? _mm256_castsi256_si128((VRaw)v) : _mm256_extracti128_si256((VRaw)v, 1);
}

static inline vu8 load_lane(const void *from)
{
    return (vu8)_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)from));
}

static inline vu8 load_lanes_at(const uint8_t *const from[V_LANES])
{
    return (vu8)_mm256_inserti128_si256((VRaw)load_lane(from[0]),
                                        _mm_loadu_si128((const __m128i *)from[1]), 1);
}

static inline vu8 load_lanes(const void *from, ptrdiff_t step)
{
    const __m128i *second = (const __m128i *)((const uint8_t *)from + step);
    return (vu8)_mm256_inserti128_si256((VRaw)load_lane(from), _mm_loadu_si128(second), 1);
}

#include "kernels/simd/x86_v3.h"
/* x86.h calls functions of x86_v3.h. */
#include "kernels/simd/x86.h"

static inline bool is_zero(vu8 v)
{
    return _mm256_testz_si256((VRaw)v, (VRaw)v) != 0;
}

static inline uint64_t mask_u8(vu8 v)
{
    return (uint32_t)_mm256_movemask_epi8((VRaw)v);
}

static inline uint64_t equal_u8(vu8 a, vu8 b)
{
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8((VRaw)a, (VRaw)b));
}

static inline uint64_t sum_u64(vu64 v)
{
    const __m128i half =
        _mm_add_epi64(_mm256_castsi256_si128((VRaw)v), _mm256_extracti128_si256((VRaw)v, 1));
    return (uint64_t)_mm_cvtsi128_si64(half) + (uint64_t)_mm_extract_epi64(half, 1);
}

/* Both sides of the comparison are offset by 128, because it is signed. The average of b and 255 is
 * half of b with this offset: b / 2 + 128. */
static inline vu8 exceeds_half_u8(vu8 a, vu8 b)
{
    return (vu8)_mm256_cmpgt_epi8((VRaw)(a ^ all_u8(128)),
                                  _mm256_avg_epu8((VRaw)b, (VRaw)all_u8(255)));
}

/* AVX2 cannot shift elements of 16 bits by different amounts. So the low and the high byte of each
 * result are looked up in two tables, which the compiler computes if `value` is constant. An index
 * of 128 or more gives 0. */
static inline vu16 shifted_u16(uint16_t value, vu16 by)
{
    uint8_t low[V_LANE], high[V_LANE];
    const vu16 index = min_u16(by, all_u16(15));
    for (int i = 0; i < V_LANE; i++) {
        low[i] = (uint8_t)(value >> i);
        high[i] = (uint8_t)(value >> i >> 8);
    }
    return (vu16)shuffle_bytes(repeat_lane(low), (vu8)(index | 0x8000)) |
           (vu16)shuffle_bytes(repeat_lane(high), (vu8)index) << 8;
}

static inline vu16 widen_u8(const void *from)
{
    return (vu16)_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)from));
}

static inline vi16 narrow_i32(vi32 a, vi32 b)
{
    return (vi16)_mm256_permute4x64_epi64((VRaw)pack_i32(a, b), 0xD8);
}

static inline vu8 enter_lane(vu8 first, vu8 v)
{
    return zip_low_lanes(first, v);
}

static inline void load_rgb(const uint8_t *from, VPairs *red_green, VPairs *green_blue)
{
    pair_rgb(load_lanes(from, 24), load_lanes(from + 12, 24), red_green, green_blue);
}

static inline void join_twelves(const vu8 v[4], vu8 joined[3])
{
    const VRaw a =
        _mm256_permutevar8x32_epi32((VRaw)v[0], _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
    const VRaw b =
        _mm256_permutevar8x32_epi32((VRaw)v[1], _mm256_setr_epi32(2, 4, 5, 6, 3, 7, 0, 1));
    const VRaw c =
        _mm256_permutevar8x32_epi32((VRaw)v[2], _mm256_setr_epi32(5, 6, 3, 7, 0, 1, 2, 4));
    const VRaw d =
        _mm256_permutevar8x32_epi32((VRaw)v[3], _mm256_setr_epi32(3, 7, 0, 1, 2, 4, 5, 6));
    joined[0] = (vu8)_mm256_blend_epi32(a, b, 0xC0);
    joined[1] = (vu8)_mm256_blend_epi32(b, c, 0xF0);
    joined[2] = (vu8)_mm256_blend_epi32(c, d, 0xFC);
}

static inline void stream_u8(void *to, vu8 v)
{
    _mm256_stream_si256((__m256i *)to, (VRaw)v);
}

static inline void store_bytes(uint8_t *to, VSixteen sixteen)
{
    const VRaw words = (VRaw)narrow_i32(sixteen.of[0], sixteen.of[1]);
    _mm_storeu_si128((__m128i *)to, _mm_packus_epi16(_mm256_castsi256_si128(words),
                                                     _mm256_extracti128_si256(words, 1)));
}

/* AVX2 shifts only unsigned numbers of 64 bits, so the sign is extended afterwards. */
static inline vi64 shift_right_i64(vi64 v, int by)
{
    const __m128i count = _mm_cvtsi32_si128(by);
    const vu64 sign = (vu64)_mm256_srl_epi64((VRaw)all_i64(INT64_MIN), count);
    return (vi64)(((vu64)_mm256_srl_epi64((VRaw)v, count) ^ sign) - sign);
}

static inline vi32 wide_words(VWide wide)
{
    return (vi32)_mm256_blend_epi32((VRaw)wide.first, (VRaw)((vu64)wide.second << 32), 0xAA);
}

static inline void store_wide(int64_t *to, VWide wide)
{
    const vu8 low = zip_low((vu8)wide.first, (vu8)wide.second, 8);
    const vu8 high = zip_high((vu8)wide.first, (vu8)wide.second, 8);
    store_u8(to, zip_low_lanes(low, high));
    store_u8(to + V_LONGS / 2, zip_high_lanes(low, high));
}

static inline void store_half(void *to, vu8 v)
{
    _mm_storeu_si128((__m128i *)to, _mm256_castsi256_si128((VRaw)v));
}

static inline vu8 load_halves(const void *low, const void *high)
{
    return load_lanes_at((const uint8_t *const[]){low, high});
}

static inline vu8 swap_lanes(vu8 v)
{
    return (vu8)_mm256_permute4x64_epi64((VRaw)v, 0x4E);
}

static inline vi16 repeat_pairs(const int16_t *const pair[V_LANES])
{
    const __m128i low = _mm_set1_epi32(pair_at(pair[0])), high = _mm_set1_epi32(pair_at(pair[1]));
    return (vi16)_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

static inline VPairs pairs_of_lanes(const int16_t *const pair[V_LANES])
{
    const vi16 pairs = repeat_pairs(pair);
    return (VPairs){pairs, pairs};
}

static inline VPairs pairs_of_halves(const int16_t *low, const int16_t *high)
{
    return pairs_of_lanes((const int16_t *const[]){low, high});
}

#endif
