/* Private: compares 64 bytes at two addresses, and counts the equal bytes at the start of two
 * arrays. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_EQUAL_BYTES_H
#define IMGTOOL_IO_PNG_DEFLATE_EQUAL_BYTES_H

#include <stdint.h>

#include "io/bytes.h"

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

enum { IMG_EQUAL_BYTES = 64 };

#if defined(__SSE2__)
static inline uint64_t img_equal_16(const uint8_t *a, const uint8_t *b)
{
    const __m128i equal = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)a),
                                         _mm_loadu_si128((const __m128i *)(const void *)b));
    return (uint32_t)_mm_movemask_epi8(equal);
}
#elif defined(__aarch64__) && defined(__ARM_NEON)
static inline uint64_t img_equal_16(const uint8_t *a, const uint8_t *b)
{
    static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t bits = vandq_u8(vceqq_u8(vld1q_u8(a), vld1q_u8(b)), vld1q_u8(weights));
    return vaddv_u8(vget_low_u8(bits)) | (uint64_t)vaddv_u8(vget_high_u8(bits)) << 8;
}
#else
static inline uint64_t img_equal_8(const uint8_t *a, const uint8_t *b)
{
    const uint64_t low7 = UINT64_C(0x7F7F7F7F7F7F7F7F);
    const uint64_t unlike = img_get_le64(a) ^ img_get_le64(b);
    /* Each byte is 1 if the bytes of `a` and `b` are equal, otherwise 0. */
    const uint64_t zeros = ~(((unlike & low7) + low7) | unlike | low7) >> 7;
    return zeros * UINT64_C(0x0102040810204080) >> 56;
}

static inline uint64_t img_equal_16(const uint8_t *a, const uint8_t *b)
{
    return img_equal_8(a, b) | img_equal_8(a + 8, b + 8) << 8;
}
#endif

/* Returns a 64-bit mask: bit i is set if a[i] == b[i]. */
#if defined(__AVX512BW__)
static inline uint64_t img_equal_64(const uint8_t *a, const uint8_t *b)
{
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
}
#elif defined(__AVX2__)
static inline uint64_t img_equal_32(const uint8_t *a, const uint8_t *b)
{
    const __m256i equal = _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(const void *)a),
                                            _mm256_loadu_si256((const __m256i *)(const void *)b));
    return (uint32_t)_mm256_movemask_epi8(equal);
}

static inline uint64_t img_equal_64(const uint8_t *a, const uint8_t *b)
{
    return img_equal_32(a, b) | img_equal_32(a + 32, b + 32) << 32;
}
#else
static inline uint64_t img_equal_64(const uint8_t *a, const uint8_t *b)
{
    return img_equal_16(a, b) | img_equal_16(a + 16, b + 16) << 16 |
           img_equal_16(a + 32, b + 32) << 32 | img_equal_16(a + 48, b + 48) << 48;
}
#endif

/* Returns the number of equal bytes at the start of `a` and `b`, up to `most`. The first `known`
 * bytes must be equal; they are not compared. */
static inline uint32_t img_equal_length(const uint8_t *a, const uint8_t *b, uint32_t known,
                                        uint32_t most)
{
    uint32_t length = known;
    for (; length + 8 <= most; length += 8) {
        const uint64_t unlike = img_get_le64(a + length) ^ img_get_le64(b + length);
        if (unlike != 0)
            return length + ((uint32_t)__builtin_ctzll(unlike) >> 3);
    }
    while (length < most && a[length] == b[length])
        length++;
    return length;
}

#endif
