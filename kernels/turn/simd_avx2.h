/* Vectors of two lanes with AVX2, for the inner loops of turns. simd_portable.h documents the
 * functions. */
#ifndef IMGTOOL_KERNELS_TURN_SIMD_AVX2_H
#define IMGTOOL_KERNELS_TURN_SIMD_AVX2_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 2 };

typedef __m256i Vector;

static inline Vector load_lanes(const uint8_t *p, ptrdiff_t step)
{
    __m128i low = _mm_loadu_si128((const __m128i *)p);
    __m128i high = _mm_loadu_si128((const __m128i *)(p + step));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

static inline void store_vector(uint8_t *p, Vector v)
{
    _mm256_storeu_si256((__m256i *)p, v);
}

#define ZIP_LOW8(a, b)   _mm256_unpacklo_epi8(a, b)
#define ZIP_HIGH8(a, b)  _mm256_unpackhi_epi8(a, b)
#define ZIP_LOW16(a, b)  _mm256_unpacklo_epi16(a, b)
#define ZIP_HIGH16(a, b) _mm256_unpackhi_epi16(a, b)
#define ZIP_LOW32(a, b)  _mm256_unpacklo_epi32(a, b)
#define ZIP_HIGH32(a, b) _mm256_unpackhi_epi32(a, b)
#define ZIP_LOW64(a, b)  _mm256_unpacklo_epi64(a, b)
#define ZIP_HIGH64(a, b) _mm256_unpackhi_epi64(a, b)

#define HAVE_BYTE_SHUFFLE 1

static inline Vector shuffle_bytes(Vector v, const uint8_t order[16])
{
    __m128i lane = _mm_loadu_si128((const __m128i *)order);
    return _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(lane));
}

/* Packs four vectors with 12 bytes in every lane to three full ones (see simd_neon.h). It moves the
 * six words of each vector to their positions, which may be in two resulting vectors. */
static inline void pack_twelves(const Vector v[4], Vector packed[3])
{
    Vector a = _mm256_permutevar8x32_epi32(v[0], _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
    Vector b = _mm256_permutevar8x32_epi32(v[1], _mm256_setr_epi32(2, 4, 5, 6, 3, 7, 0, 1));
    Vector c = _mm256_permutevar8x32_epi32(v[2], _mm256_setr_epi32(5, 6, 3, 7, 0, 1, 2, 4));
    Vector d = _mm256_permutevar8x32_epi32(v[3], _mm256_setr_epi32(3, 7, 0, 1, 2, 4, 5, 6));
    packed[0] = _mm256_blend_epi32(a, b, 0xC0);
    packed[1] = _mm256_blend_epi32(b, c, 0xF0);
    packed[2] = _mm256_blend_epi32(c, d, 0xFC);
}

static inline void stream_vector(uint8_t *p, Vector v)
{
    _mm256_stream_si256((__m256i *)p, v);
}

static inline void stream_end(void)
{
    _mm_sfence();
}

#endif
