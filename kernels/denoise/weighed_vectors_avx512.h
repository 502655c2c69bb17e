/* Variant of weighed_vectors_portable.h for AVX-512, with vectors of 32 lanes. */
#ifndef IMGTOOL_KERNELS_DENOISE_WEIGHED_VECTORS_AVX512_H
#define IMGTOOL_KERNELS_DENOISE_WEIGHED_VECTORS_AVX512_H

#include <immintrin.h>
#include <stdint.h>

enum { LANES = 32 };

typedef __m512i Lanes;

typedef struct Pair {
    __m512i low, high;
} Pair;

#define lanes_load(from)     _mm512_loadu_si512(from)
#define lanes_store(to, a)   _mm512_storeu_si512(to, a)
#define lanes_all(value)     _mm512_set1_epi16((int16_t)(value))
#define lanes_add(a, b)      _mm512_add_epi16(a, b)
#define lanes_add_most(a, b) _mm512_adds_epu16(a, b)
#define lanes_less(a, b)     _mm512_sub_epi16(a, b)
#define lanes_apart(a, b)    _mm512_abs_epi16(_mm512_sub_epi16(a, b))
#define lanes_min(a, b)      _mm512_min_epu16(a, b)
#define lanes_high(a, b)     _mm512_mulhi_epu16(a, b)
#define lanes_scale(a, b)    _mm512_mulhrs_epi16(a, b)
#define lanes_left(a, by)    _mm512_sll_epi16(a, _mm_cvtsi32_si128((int32_t)(by)))

static inline Lanes decay_part(Lanes exponent)
{
    return _mm512_slli_epi16(_mm512_and_si512(exponent, lanes_all(1023)), 5);
}

static inline Lanes decay_halves(Lanes exponent)
{
    return _mm512_srlv_epi16(lanes_all(1 << 14), _mm512_srli_epi16(exponent, 10));
}

static inline Pair pair_of(Lanes a, Lanes b)
{
    return (Pair){_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b)};
}

static inline void pair_start(Pair *sums)
{
    sums->low = sums->high = _mm512_setzero_si512();
}

static inline void pair_add(Pair *sums, Pair a, Pair b)
{
    sums->low = _mm512_add_epi32(sums->low, _mm512_madd_epi16(a.low, b.low));
    sums->high = _mm512_add_epi32(sums->high, _mm512_madd_epi16(a.high, b.high));
}

static inline void pair_load(Pair *sums, const uint32_t *from)
{
    sums->low = _mm512_loadu_si512(from);
    sums->high = _mm512_loadu_si512(from + LANES / 2);
}

static inline void pair_store(Pair sums, uint32_t *to)
{
    _mm512_storeu_si512(to, sums.low);
    _mm512_storeu_si512(to + LANES / 2, sums.high);
}

static inline void pair_store_in_order(Pair sums, uint32_t *to)
{
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    const Pair ordered = {_mm512_permutex2var_epi64(sums.low, first, sums.high),
                          _mm512_permutex2var_epi64(sums.low, second, sums.high)};
    pair_store(ordered, to);
}

static inline Lanes pair_pack(Pair sums)
{
    return _mm512_packus_epi32(sums.low, sums.high);
}

#endif
