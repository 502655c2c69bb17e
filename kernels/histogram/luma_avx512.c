/* Rows of luma, compiled for x86-64-v4; only called where img_cpu_level() says so. */
#include <immintrin.h>

#define LUMA_ROWS img_luma_rows_avx512
enum { LANES = 4 };
typedef __m512i Vector;

static inline Vector load_lanes(const void *p, size_t step)
{
    const char *lane = p;
    Vector v = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)lane));
    v = _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)(lane + step)), 1);
    v = _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)(lane + 2 * step)), 2);
    return _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)(lane + 3 * step)), 3);
}

#define STORE(p, v)          _mm512_storeu_si512(p, v)
#define ALL_LANES(v)         _mm512_broadcast_i32x4(v)
#define ALL_32(x)            _mm512_set1_epi32(x)
#define SHUFFLE_BYTES(v, o)  _mm512_shuffle_epi8(v, o)
#define XOR(a, b)            _mm512_xor_si512(a, b)
#define ADD_32(a, b)         _mm512_add_epi32(a, b)
#define SHIFT_RIGHT_32(v, n) _mm512_srli_epi32(v, n)
#define MULTIPLY_PAIRS(a, b) _mm512_madd_epi16(a, b)
#define ZIP_LOW_64(a, b)     _mm512_unpacklo_epi64(a, b)
#define ZIP_HIGH_64(a, b)    _mm512_unpackhi_epi64(a, b)
#define PACK_32_TO_16(a, b)  _mm512_packus_epi32(a, b)
#define PACK_16_TO_8(a, b)   _mm512_packus_epi16(a, b)

#include "kernels/histogram/luma_source.h"
