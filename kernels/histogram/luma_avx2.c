/* Rows of luma, compiled for x86-64-v3; only called where img_cpu_level() says so. */
#include <immintrin.h>

#define LUMA_ROWS img_luma_rows_avx2
enum { LANES = 2 };
typedef __m256i Vector;

static inline Vector load_lanes(const void *p, size_t step)
{
    const char *lane = p;
    __m128i low = _mm_loadu_si128((const __m128i *)lane);
    __m128i high = _mm_loadu_si128((const __m128i *)(lane + step));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

#define STORE(p, v)          _mm256_storeu_si256((__m256i *)(p), v)
#define ALL_LANES(v)         _mm256_broadcastsi128_si256(v)
#define ALL_32(x)            _mm256_set1_epi32(x)
#define SHUFFLE_BYTES(v, o)  _mm256_shuffle_epi8(v, o)
#define XOR(a, b)            _mm256_xor_si256(a, b)
#define ADD_32(a, b)         _mm256_add_epi32(a, b)
#define SHIFT_RIGHT_32(v, n) _mm256_srli_epi32(v, n)
#define MULTIPLY_PAIRS(a, b) _mm256_madd_epi16(a, b)
#define ZIP_LOW_64(a, b)     _mm256_unpacklo_epi64(a, b)
#define ZIP_HIGH_64(a, b)    _mm256_unpackhi_epi64(a, b)
#define PACK_32_TO_16(a, b)  _mm256_packus_epi32(a, b)
#define PACK_16_TO_8(a, b)   _mm256_packus_epi16(a, b)

#include "kernels/histogram/luma_source.h"
