/* Rearranges 16-bit samples for narrow sums with AVX2 instructions. The AVX-512 version uses this
 * code, too. */
#ifndef IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_VECTOR_TURN_H
#define IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_VECTOR_TURN_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the number of samples that pair_cell converts in each row: four pairs of pixels of one
 * channel, two pairs of two channels, or one pair of three or four channels. */
static inline size_t cell_size(int32_t channels)
{
    return channels == 3 ? 6 : 8;
}

/* Returns the byte shuffle, within 16 bytes, that interleaves two neighbouring pixels: for each
 * channel, the sample of the first pixel is followed by that of the second. */
static inline __m256i pair_order(int32_t channels)
{
    static const int8_t orders[4][16] = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
        {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15},
        {0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11, -1, -1, -1, -1},
        {0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15},
    };
    return _mm256_broadcastsi128_si256(
        _mm_loadu_si128((const __m128i *)(const void *)orders[channels - 1]));
}

/* Loads the samples of row `row` and of the fourth row after it into the two halves of a vector,
 * and reorders their bytes by `order`. */
static inline __m256i load_cells(const int16_t *middle, size_t stride, size_t row, __m256i order)
{
    const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)(middle + row * stride));
    const __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(middle + (row + 4) * stride));
    return _mm256_shuffle_epi8(_mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1), order);
}

static inline void store_unit(int16_t *pairs, size_t unit, size_t row, __m256i rows)
{
    _mm256_storeu_si256((__m256i *)(void *)(pairs + unit * 32 + 2 * row), rows);
}

/* Converts cell_size vertical sums of each of 16 rows to pairs of columns: transposes 4 x 4 pairs
 * at a time, for 8 rows in one vector. */
static inline void pair_cell(const int16_t *middle, size_t stride, int32_t channels, int16_t *pairs)
{
    const __m256i order = pair_order(channels);
    for (size_t row = 0; row < 16; row += 8) {
        const __m256i a = load_cells(middle, stride, row, order);
        const __m256i b = load_cells(middle, stride, row + 1, order);
        const __m256i c = load_cells(middle, stride, row + 2, order);
        const __m256i d = load_cells(middle, stride, row + 3, order);
        const __m256i low = _mm256_unpacklo_epi32(a, b), low_2 = _mm256_unpacklo_epi32(c, d);
        const __m256i high = _mm256_unpackhi_epi32(a, b), high_2 = _mm256_unpackhi_epi32(c, d);
        store_unit(pairs, 0, row, _mm256_unpacklo_epi64(low, low_2));
        store_unit(pairs, 1, row, _mm256_unpackhi_epi64(low, low_2));
        store_unit(pairs, 2, row, _mm256_unpacklo_epi64(high, high_2));
        if (channels != 3)
            store_unit(pairs, 3, row, _mm256_unpackhi_epi64(high, high_2));
    }
}

#endif
