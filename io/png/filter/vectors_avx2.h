/* Vectors of bytes for the row filters with AVX2: two lanes of 16 bytes. vectors_portable.h
 * specifies each function. */
#ifndef IMGTOOL_IO_PNG_FILTER_VECTORS_AVX2_H
#define IMGTOOL_IO_PNG_FILTER_VECTORS_AVX2_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { LANE = 16, LANES = 2 };

typedef __m256i Vector;

static inline Vector load_vector(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

static inline void store_vector(uint8_t *p, Vector v)
{
    _mm256_storeu_si256((__m256i *)p, v);
}

static inline Vector load_lanes(const uint8_t *const p[LANES])
{
    __m128i low = _mm_loadu_si128((const __m128i *)p[0]);
    __m128i high = _mm_loadu_si128((const __m128i *)p[1]);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

static inline void store_lane(uint8_t *p, Vector v, int lane, int bytes)
{
    __m128i half = lane == 0 ? _mm256_castsi256_si128(v) : _mm256_extracti128_si256(v, 1);
    if (bytes == LANE) {
        _mm_storeu_si128((__m128i *)p, half);
        return;
    }
    int32_t rest = _mm_extract_epi32(half, 2);
    _mm_storel_epi64((__m128i *)p, half);
    memcpy(p + 8, &rest, sizeof rest);
}

static inline Vector load_lane(const uint8_t *p)
{
    return _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)p));
}

static inline Vector enter_lane(Vector first, Vector v)
{
    return _mm256_permute2x128_si256(first, v, 0x20);
}

static inline Vector all_bytes(uint8_t value)
{
    return _mm256_set1_epi8((char)value);
}

static inline bool is_zero(Vector v)
{
    return _mm256_testz_si256(v, v) != 0;
}

static inline Vector add(Vector a, Vector b)
{
    return _mm256_add_epi8(a, b);
}

static inline Vector subtract(Vector a, Vector b)
{
    return _mm256_sub_epi8(a, b);
}

static inline Vector smaller(Vector a, Vector b)
{
    return _mm256_min_epu8(a, b);
}

static inline Vector larger(Vector a, Vector b)
{
    return _mm256_max_epu8(a, b);
}

static inline Vector excess(Vector a, Vector b)
{
    return _mm256_subs_epu8(a, b);
}

static inline Vector mean_up(Vector a, Vector b)
{
    return _mm256_avg_epu8(a, b);
}

/* Compares a with b / 2. Both are offset by 128, because the comparison is signed. The average of b
 * and 255 is b / 2 + 128. */
static inline Vector exceeds_half(Vector a, Vector b)
{
    return _mm256_cmpgt_epi8(a ^ all_bytes(128), _mm256_avg_epu8(b, all_bytes(255)));
}

static inline Vector add_absolute(Vector sums, Vector v)
{
    return _mm256_add_epi64(sums, _mm256_sad_epu8(_mm256_abs_epi8(v), _mm256_setzero_si256()));
}

static inline uint64_t sum_of(Vector sums)
{
    __m128i half = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return (uint64_t)_mm_cvtsi128_si64(half) + (uint64_t)_mm_extract_epi64(half, 1);
}

static inline Vector shift_in(Vector v, Vector top, int slot)
{
    switch (slot) {
    case 1:
        return _mm256_alignr_epi8(v, top, 15);
    case 2:
        return _mm256_alignr_epi8(v, top, 14);
    case 4:
        return _mm256_alignr_epi8(v, top, 12);
    default:
        return _mm256_alignr_epi8(v, top, 8);
    }
}

static inline Vector shuffle_bytes(Vector v, __m128i order)
{
    return _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(order));
}

static inline Vector reversed(Vector v, int slot)
{
    switch (slot) {
    case 1:
        return shuffle_bytes(v,
                             _mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
    case 2:
        return shuffle_bytes(v,
                             _mm_setr_epi8(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1));
    case 4:
        return _mm256_shuffle_epi32(v, _MM_SHUFFLE(0, 1, 2, 3));
    default:
        return _mm256_shuffle_epi32(v, _MM_SHUFFLE(1, 0, 3, 2));
    }
}

static inline Vector zip_low(Vector a, Vector b, int slot)
{
    switch (slot) {
    case 1:
        return _mm256_unpacklo_epi8(a, b);
    case 2:
        return _mm256_unpacklo_epi16(a, b);
    case 4:
        return _mm256_unpacklo_epi32(a, b);
    default:
        return _mm256_unpacklo_epi64(a, b);
    }
}

static inline Vector zip_high(Vector a, Vector b, int slot)
{
    switch (slot) {
    case 1:
        return _mm256_unpackhi_epi8(a, b);
    case 2:
        return _mm256_unpackhi_epi16(a, b);
    case 4:
        return _mm256_unpackhi_epi32(a, b);
    default:
        return _mm256_unpackhi_epi64(a, b);
    }
}

static inline Vector widen(Vector v, int pixel)
{
    if (pixel == 3)
        return shuffle_bytes(v,
                             _mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1));
    if (pixel == 6)
        return shuffle_bytes(v,
                             _mm_setr_epi8(0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, 10, 11, -1, -1));
    return v;
}

static inline Vector narrow(Vector v, int pixel)
{
    if (pixel == 3)
        return shuffle_bytes(v,
                             _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
    if (pixel == 6)
        return shuffle_bytes(v,
                             _mm_setr_epi8(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1));
    return v;
}

#endif
