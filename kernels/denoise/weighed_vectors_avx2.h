/* Variant of weighed_vectors_portable.h for AVX2, with vectors of 16 lanes. */
#ifndef IMGTOOL_KERNELS_DENOISE_WEIGHED_VECTORS_AVX2_H
#define IMGTOOL_KERNELS_DENOISE_WEIGHED_VECTORS_AVX2_H

#include <immintrin.h>
#include <stdint.h>

enum { LANES = 16 };

typedef __m256i Lanes;

typedef struct Pair {
    __m256i low, high;
} Pair;

#define lanes_load(from)     _mm256_loadu_si256((const __m256i *)(from))
#define lanes_store(to, a)   _mm256_storeu_si256((__m256i *)(to), a)
#define lanes_all(value)     _mm256_set1_epi16((int16_t)(value))
#define lanes_add(a, b)      _mm256_add_epi16(a, b)
#define lanes_add_most(a, b) _mm256_adds_epu16(a, b)
#define lanes_less(a, b)     _mm256_sub_epi16(a, b)
#define lanes_apart(a, b)    _mm256_abs_epi16(_mm256_sub_epi16(a, b))
#define lanes_min(a, b)      _mm256_min_epu16(a, b)
#define lanes_high(a, b)     _mm256_mulhi_epu16(a, b)
#define lanes_scale(a, b)    _mm256_mulhrs_epi16(a, b)
#define lanes_left(a, by)    _mm256_sll_epi16(a, _mm_cvtsi32_si128((int32_t)(by)))

static inline Lanes decay_part(Lanes exponent)
{
    return _mm256_slli_epi16(_mm256_and_si256(exponent, lanes_all(1023)), 5);
}

/* Returns 2^14 shifted right by the integer part of each exponent. It uses byte look-ups, because
 * AVX2 cannot shift 16-bit lanes by different amounts. */
static inline Lanes decay_halves(Lanes exponent)
{
    const __m256i low = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, -128, 64, 32, 16, 8, 4, 2, 1, 0));
    const __m256i high = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i most = lanes_all(15), number = lanes_min(_mm256_srli_epi16(exponent, 10), most);
    const __m256i below = _mm256_shuffle_epi8(low, _mm256_or_si256(number, lanes_all(INT16_MIN)));
    return _mm256_or_si256(below, _mm256_slli_epi16(_mm256_shuffle_epi8(high, number), 8));
}

static inline Pair pair_of(Lanes a, Lanes b)
{
    return (Pair){_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)};
}

static inline void pair_start(Pair *sums)
{
    sums->low = sums->high = _mm256_setzero_si256();
}

static inline void pair_add(Pair *sums, Pair a, Pair b)
{
    sums->low = _mm256_add_epi32(sums->low, _mm256_madd_epi16(a.low, b.low));
    sums->high = _mm256_add_epi32(sums->high, _mm256_madd_epi16(a.high, b.high));
}

static inline void pair_load(Pair *sums, const uint32_t *from)
{
    sums->low = _mm256_loadu_si256((const __m256i *)from);
    sums->high = _mm256_loadu_si256((const __m256i *)(from + LANES / 2));
}

static inline void pair_store(Pair sums, uint32_t *to)
{
    _mm256_storeu_si256((__m256i *)to, sums.low);
    _mm256_storeu_si256((__m256i *)(to + LANES / 2), sums.high);
}

static inline void pair_store_in_order(Pair sums, uint32_t *to)
{
    const Pair ordered = {_mm256_permute2x128_si256(sums.low, sums.high, 0x20),
                          _mm256_permute2x128_si256(sums.low, sums.high, 0x31)};
    pair_store(ordered, to);
}

static inline Lanes pair_pack(Pair sums)
{
    return _mm256_packus_epi32(sums.low, sums.high);
}

#endif
