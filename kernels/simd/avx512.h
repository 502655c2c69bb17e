/* Vectors of 64 bytes, for x86-64-v4. portable.h says what each function does. */
#ifndef IMGTOOL_KERNELS_SIMD_AVX512_H
#define IMGTOOL_KERNELS_SIMD_AVX512_H

#include <immintrin.h>

enum { V_HAS_SHUFFLE = 1 };
#ifdef __AVX512VBMI__
#define V_HAS_TABLE 1
#else
#define V_HAS_TABLE 0
#endif

typedef __m512i VRaw;
#define MM(name) _mm512_##name

static inline vu8 zip_low_lanes(vu8 a, vu8 b)
{
    const VRaw order = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    return (vu8)_mm512_permutex2var_epi64((VRaw)a, order, (VRaw)b);
}

static inline vu8 zip_high_lanes(vu8 a, vu8 b)
{
    const VRaw order = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    return (vu8)_mm512_permutex2var_epi64((VRaw)a, order, (VRaw)b);
}

static inline vu8 repeat_lane(const void *from)
{
    return (vu8)_mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)from));
}

static inline __m128i lane_of(vu8 v, int lane)
{
    switch (lane) {
    case 0:
        return _mm512_castsi512_si128((VRaw)v);
    case 1:
        return _mm512_extracti32x4_epi32((VRaw)v, 1);
    case 2:
        return _mm512_extracti32x4_epi32((VRaw)v, 2);
    default:
        return _mm512_extracti32x4_epi32((VRaw)v, 3);
    }
}

static inline vu8 load_lane(const void *from)
{
    return (vu8)_mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)from));
}

static inline vu8 load_lanes_at(const uint8_t *const from[V_LANES])
{
    VRaw v = (VRaw)load_lane(from[0]);
    v = _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)from[1]), 1);
    v = _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)from[2]), 2);
    return (vu8)_mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)from[3]), 3);
}

static inline vu8 load_lanes(const void *from, ptrdiff_t step)
{
    const uint8_t *lane = from;
    return load_lanes_at(
        (const uint8_t *const[]){lane, lane + step, lane + 2 * step, lane + 3 * step});
}

#include "kernels/simd/x86_v3.h"
/* x86.h calls functions of x86_v3.h. */
#include "kernels/simd/x86.h"

static inline bool is_zero(vu8 v)
{
    return _mm512_test_epi64_mask((VRaw)v, (VRaw)v) == 0;
}

static inline uint64_t mask_u8(vu8 v)
{
    return _mm512_movepi8_mask((VRaw)v);
}

static inline uint64_t equal_u8(vu8 a, vu8 b)
{
    return _mm512_cmpeq_epi8_mask((VRaw)a, (VRaw)b);
}

static inline uint64_t sum_u64(vu64 v)
{
    return (uint64_t)_mm512_reduce_add_epi64((VRaw)v);
}

static inline vu8 exceeds_half_u8(vu8 a, vu8 b)
{
    const vu8 half = (vu8)((vu16)b >> 1) & all_u8(127);
    return (vu8)_mm512_movm_epi8(_mm512_cmpgt_epu8_mask((VRaw)a, (VRaw)half));
}

static inline vu16 shifted_u16(uint16_t value, vu16 by)
{
    return (vu16)_mm512_srlv_epi16((VRaw)all_u16(value), (VRaw)by);
}

static inline vu16 widen_u8(const void *from)
{
    return (vu16)_mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)from));
}

static inline vi16 narrow_i32(vi32 a, vi32 b)
{
    const VRaw order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    return (vi16)_mm512_permutexvar_epi64(order, (VRaw)pack_i32(a, b));
}

static inline vu8 enter_lane(vu8 first, vu8 v)
{
    return (vu8)_mm512_mask_shuffle_i64x2((VRaw)first, 0xFC, (VRaw)v, (VRaw)v, 0x90);
}

/* Two permutations move twelve bytes to each lane. The second load begins at byte 36, so that it
 * ends four bytes after the 32 pixels; load_rgb may read these bytes. */
static inline void load_rgb(const uint8_t *from, VPairs *red_green, VPairs *green_blue)
{
    const VRaw a = _mm512_loadu_si512(from), b = _mm512_loadu_si512(from + 36);
    const VRaw low = _mm512_setr_epi32(0, 1, 2, 3, 6, 7, 8, 9, 12, 13, 14, 15, 25, 26, 27, 28);
    const VRaw high = _mm512_setr_epi32(3, 4, 5, 6, 9, 10, 11, 12, 15, 23, 24, 25, 28, 29, 30, 31);
    pair_rgb((vu8)_mm512_permutex2var_epi32(a, low, b), (vu8)_mm512_permutex2var_epi32(a, high, b),
             red_green, green_blue);
}

/* Indices are 0 to 15 for the first vector of a permutation, and 16 to 31 for the second. */
static inline void join_twelves(const vu8 v[4], vu8 joined[3])
{
    const VRaw ab = _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20);
    const VRaw bc = _mm512_setr_epi32(5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20, 21, 22, 24, 25);
    const VRaw cd =
        _mm512_setr_epi32(10, 12, 13, 14, 16, 17, 18, 20, 21, 22, 24, 25, 26, 28, 29, 30);
    joined[0] = (vu8)_mm512_permutex2var_epi32((VRaw)v[0], ab, (VRaw)v[1]);
    joined[1] = (vu8)_mm512_permutex2var_epi32((VRaw)v[1], bc, (VRaw)v[2]);
    joined[2] = (vu8)_mm512_permutex2var_epi32((VRaw)v[2], cd, (VRaw)v[3]);
}

#ifdef __AVX512VBMI__
typedef struct VTable {
    VRaw of[4];
} VTable;

static inline VTable load_table(const uint8_t *entries)
{
    VTable table;
    for (int i = 0; i < 4; i++)
        table.of[i] = _mm512_loadu_si512(entries + i * V_BYTES);
    return table;
}

/* The low seven bits of a byte are the index, for the first instruction in the first half of the
 * table, and for the second in the second half. The highest bit selects the result. */
static inline vu8 look_up_u8(const VTable *table, vu8 bytes)
{
    const VRaw low = _mm512_permutex2var_epi8(table->of[0], (VRaw)bytes, table->of[1]);
    const VRaw high = _mm512_permutex2var_epi8(table->of[2], (VRaw)bytes, table->of[3]);
    return (vu8)_mm512_mask_mov_epi8(low, _mm512_movepi8_mask((VRaw)bytes), high);
}
#endif

static inline void stream_u8(void *to, vu8 v)
{
    _mm512_stream_si512((__m512i *)to, (VRaw)v);
}

static inline void store_bytes(uint8_t *to, VSixteen sixteen)
{
    const VRaw positive = (VRaw)max_i32(sixteen.of[0], all_i32(0));
    _mm_storeu_si128((__m128i *)to, _mm512_cvtusepi32_epi8(positive));
}

static inline vi64 shift_right_i64(vi64 v, int by)
{
    return (vi64)_mm512_sra_epi64((VRaw)v, _mm_cvtsi32_si128(by));
}

static inline vi32 wide_words(VWide wide)
{
    const VRaw second = (VRaw)((vu64)wide.second << 32);
    return (vi32)_mm512_mask_blend_epi32(0xAAAA, (VRaw)wide.first, second);
}

static inline void store_wide(int64_t *to, VWide wide)
{
    const VRaw low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const VRaw high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    const VRaw first = (VRaw)wide.first, second = (VRaw)wide.second;
    _mm512_storeu_si512(to, _mm512_permutex2var_epi64(first, low, second));
    _mm512_storeu_si512(to + V_LONGS / 2, _mm512_permutex2var_epi64(first, high, second));
}

static inline void store_half(void *to, vu8 v)
{
    _mm256_storeu_si256((__m256i *)to, _mm512_castsi512_si256((VRaw)v));
}

static inline VRaw halves_of(__m256i low, __m256i high)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

static inline vu8 load_halves(const void *low, const void *high)
{
    return (vu8)halves_of(_mm256_loadu_si256((const __m256i *)low),
                          _mm256_loadu_si256((const __m256i *)high));
}

static inline vu8 swap_lanes(vu8 v)
{
    return (vu8)_mm512_shuffle_i64x2((VRaw)v, (VRaw)v, 0xB1);
}

static inline __m256i both_pairs(const int16_t *low, const int16_t *high)
{
    const __m128i first = _mm_set1_epi32(pair_at(low)), second = _mm_set1_epi32(pair_at(high));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(first), second, 1);
}

static inline vi16 repeat_pairs(const int16_t *const pair[V_LANES])
{
    return (vi16)halves_of(both_pairs(pair[0], pair[1]), both_pairs(pair[2], pair[3]));
}

static inline VPairs pairs_of_lanes(const int16_t *const pair[V_LANES])
{
    const vi16 pairs = repeat_pairs(pair);
    return (VPairs){pairs, pairs};
}

static inline VPairs pairs_of_halves(const int16_t *low, const int16_t *high)
{
    const vi16 pairs =
        (vi16)halves_of(_mm256_set1_epi32(pair_at(low)), _mm256_set1_epi32(pair_at(high)));
    return (VPairs){pairs, pairs};
}

#endif
