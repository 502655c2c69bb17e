/* Vectors of bytes for the row filters with AVX-512: four lanes of 16 bytes. vectors_portable.h
 * specifies each function. Only filtering uses these vectors: unfiltering with four lanes was not
 * faster, and is slower at the start and end of rows. */
#ifndef IMGTOOL_IO_PNG_FILTER_VECTORS_AVX512_H
#define IMGTOOL_IO_PNG_FILTER_VECTORS_AVX512_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { LANE = 16, LANES = 4 };

typedef __m512i Vector;

static inline Vector load_vector(const uint8_t *p)
{
    return _mm512_loadu_si512((const __m512i *)p);
}

static inline void store_vector(uint8_t *p, Vector v)
{
    _mm512_storeu_si512((__m512i *)p, v);
}

static inline Vector all_bytes(uint8_t value)
{
    return _mm512_set1_epi8((char)value);
}

static inline bool is_zero(Vector v)
{
    return _mm512_test_epi64_mask(v, v) == 0;
}

static inline Vector add(Vector a, Vector b)
{
    return _mm512_add_epi8(a, b);
}

static inline Vector subtract(Vector a, Vector b)
{
    return _mm512_sub_epi8(a, b);
}

static inline Vector smaller(Vector a, Vector b)
{
    return _mm512_min_epu8(a, b);
}

static inline Vector larger(Vector a, Vector b)
{
    return _mm512_max_epu8(a, b);
}

static inline Vector excess(Vector a, Vector b)
{
    return _mm512_subs_epu8(a, b);
}

static inline Vector mean_up(Vector a, Vector b)
{
    return _mm512_avg_epu8(a, b);
}

static inline Vector exceeds_half(Vector a, Vector b)
{
    Vector half = _mm512_srli_epi16(b, 1) & all_bytes(127);
    return _mm512_movm_epi8(_mm512_cmpgt_epu8_mask(a, half));
}

static inline Vector add_absolute(Vector sums, Vector v)
{
    return _mm512_add_epi64(sums, _mm512_sad_epu8(_mm512_abs_epi8(v), _mm512_setzero_si512()));
}

static inline uint64_t sum_of(Vector sums)
{
    return (uint64_t)_mm512_reduce_add_epi64(sums);
}

#endif
