/* Parts of run_loops.c for x86-64-v3. Its BMI2 instructions make shifts by a variable
 * three times as fast. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_RUN_LOOPS_AVX2_H
#define IMGTOOL_IO_PNG_DEFLATE_RUN_LOOPS_AVX2_H

#include <immintrin.h>
#include <stdbool.h>

#include "io/png/deflate/runs.h"

#define HAVE_MISSING 1

/* A table of 256 bits. Bit h % 8 of row l is set if the count of byte value 16 h + l is still 0. */
typedef struct Missing {
    /* 16 rows, repeated in both lanes: `lower` for byte values below 128, `upper` for the
     * others. */
    __m256i lower, upper;
} Missing;

static void list_missing(const uint32_t *counts, Missing *missing)
{
    uint8_t rows[2][16] = {{0}};
    for (int i = 0; i < IMG_LITERALS; i++)
        rows[i >> 7][i & 15] |= (uint8_t)((counts[i] == 0) << (i >> 4 & 7));
    missing->lower = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)rows[0]));
    missing->upper = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)rows[1]));
}

/* Returns a nonzero byte for each of the 32 bytes at `p` whose count is still 0. The shuffle
 * selects a row of the table by the low four bits of a byte. It gives 0 if the highest bit is
 * set. */
static inline __m256i missing_in_half(const Missing *missing, const uint8_t *p)
{
    const __m256i bit_of = _mm256_set1_epi64x((long long)0x8040201008040201);
    __m256i bytes = _mm256_loadu_si256((const __m256i *)p);
    __m256i row = _mm256_or_si256(
        _mm256_shuffle_epi8(missing->lower, bytes),
        _mm256_shuffle_epi8(missing->upper, _mm256_xor_si256(bytes, _mm256_set1_epi8(-128))));
    __m256i high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(7));
    return _mm256_and_si256(row, _mm256_shuffle_epi8(bit_of, high));
}

static inline bool holds_missing(const Missing *missing, const uint8_t *p)
{
    __m256i found = _mm256_or_si256(missing_in_half(missing, p), missing_in_half(missing, p + 32));
    return !_mm256_testz_si256(found, found);
}

#endif
