/* Transposes 32-bit values for wide sums (resize.h) with AVX2 instructions, which the AVX-512
 * version uses, too. */
#ifndef IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_WIDE_TURN_H
#define IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_WIDE_TURN_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 16 };

static inline __m256i words_at(const int32_t *words)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)words);
}

/* Transposes 4 x 4 words of 32 bits in each half of the four registers. */
static inline void turn_four(const __m256i from[4], __m256i to[4])
{
    const __m256i low = _mm256_unpacklo_epi32(from[0], from[1]);
    const __m256i low_2 = _mm256_unpacklo_epi32(from[2], from[3]);
    const __m256i high = _mm256_unpackhi_epi32(from[0], from[1]);
    const __m256i high_2 = _mm256_unpackhi_epi32(from[2], from[3]);
    to[0] = _mm256_unpacklo_epi64(low, low_2);
    to[1] = _mm256_unpackhi_epi64(low, low_2);
    to[2] = _mm256_unpacklo_epi64(high, high_2);
    to[3] = _mm256_unpackhi_epi64(high, high_2);
}

/* Transposes 8 samples of each of 8 rows to columns. The rows are `stride` samples apart. */
static inline void turn_eight(const int32_t *rows, size_t stride, int32_t *columns)
{
    __m256i from[8], to[8];
    for (size_t i = 0; i < 8; i++)
        from[i] = words_at(rows + i * stride);
    turn_four(from, to);
    turn_four(from + 4, to + 4);
    for (size_t i = 0; i < 4; i++) {
        const __m256i left = _mm256_permute2x128_si256(to[i], to[i + 4], 0x20);
        const __m256i right = _mm256_permute2x128_si256(to[i], to[i + 4], 0x31);
        _mm256_storeu_si256((__m256i *)(void *)(columns + i * LANES), left);
        _mm256_storeu_si256((__m256i *)(void *)(columns + (i + 4) * LANES), right);
    }
}

/* Transposes 16 samples of each of 16 rows to columns. The rows are `stride` samples apart. */
static inline void turn_words(const int32_t *rows, size_t stride, int32_t *columns)
{
    for (size_t row = 0; row < LANES; row += 8)
        for (size_t i = 0; i < LANES; i += 8)
            turn_eight(rows + row * stride + i, stride, columns + i * LANES + row);
}

#endif
