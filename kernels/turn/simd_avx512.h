/* Vectors of four lanes with AVX-512 (F, BW), for the inner loops of turns. simd_portable.h
 * documents the functions. */
#ifndef IMGTOOL_KERNELS_TURN_SIMD_AVX512_H
#define IMGTOOL_KERNELS_TURN_SIMD_AVX512_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 4 };

typedef __m512i Vector;

static inline Vector load_lanes(const uint8_t *p, ptrdiff_t step)
{
    __m512i v = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)p));
    v = _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)(p + step)), 1);
    v = _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)(p + 2 * step)), 2);
    return _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)(p + 3 * step)), 3);
}

static inline void store_vector(uint8_t *p, Vector v)
{
    _mm512_storeu_si512(p, v);
}

#define ZIP_LOW8(a, b)   _mm512_unpacklo_epi8(a, b)
#define ZIP_HIGH8(a, b)  _mm512_unpackhi_epi8(a, b)
#define ZIP_LOW16(a, b)  _mm512_unpacklo_epi16(a, b)
#define ZIP_HIGH16(a, b) _mm512_unpackhi_epi16(a, b)
#define ZIP_LOW32(a, b)  _mm512_unpacklo_epi32(a, b)
#define ZIP_HIGH32(a, b) _mm512_unpackhi_epi32(a, b)
#define ZIP_LOW64(a, b)  _mm512_unpacklo_epi64(a, b)
#define ZIP_HIGH64(a, b) _mm512_unpackhi_epi64(a, b)

#define HAVE_BYTE_SHUFFLE 1

static inline Vector shuffle_bytes(Vector v, const uint8_t order[16])
{
    __m128i lane = _mm_loadu_si128((const __m128i *)order);
    return _mm512_shuffle_epi8(v, _mm512_broadcast_i32x4(lane));
}

/* Packs four vectors with 12 bytes in every lane to three full ones (see simd_neon.h). The indices
 * of words are 0 to 15 for the first vector of a permutation, and 16 to 31 for the second. */
static inline void pack_twelves(const Vector v[4], Vector packed[3])
{
    const Vector ab = _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20);
    const Vector bc = _mm512_setr_epi32(5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20, 21, 22, 24, 25);
    const Vector cd =
        _mm512_setr_epi32(10, 12, 13, 14, 16, 17, 18, 20, 21, 22, 24, 25, 26, 28, 29, 30);
    packed[0] = _mm512_permutex2var_epi32(v[0], ab, v[1]);
    packed[1] = _mm512_permutex2var_epi32(v[1], bc, v[2]);
    packed[2] = _mm512_permutex2var_epi32(v[2], cd, v[3]);
}

static inline void stream_vector(uint8_t *p, Vector v)
{
    _mm512_stream_si512((Vector *)p, v);
}

static inline void stream_end(void)
{
    _mm_sfence();
}

#endif
