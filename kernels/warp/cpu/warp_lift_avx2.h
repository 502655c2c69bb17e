/* Private: lifts RGB pixels of 8 bits (core/window/lift.h) for AVX2 and AVX-512: expands the 3
 * bytes of a pixel to four 16-bit samples. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_LIFT_AVX2_H
#define IMGTOOL_KERNELS_WARP_WARP_LIFT_AVX2_H

#include <immintrin.h>

#include "kernels/warp/cpu/warp_rows.h"

/* Lifts pixels, four at a time (core/window/lift.h), and returns the number of lifted pixels. It
 * leaves out the last pixels of the row, because a vector would extend past their end. */
static inline int32_t lift_rgb_vectors(const uint8_t *from, int16_t *to, int32_t width)
{
    const __m256i apart =
        _mm256_setr_epi8(0, -1, 1, -1, 2, -1, -1, -1, 3, -1, 4, -1, 5, -1, -1, -1, /**/
                         6, -1, 7, -1, 8, -1, -1, -1, 9, -1, 10, -1, 11, -1, -1, -1);
    int32_t x = 0;
    for (; x + 6 <= width; x += 4, from += 12, to += (size_t)4 * IMG_WARP_LANES) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)from);
        const __m256i words = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(bytes), apart);
        _mm256_storeu_si256((__m256i *)to, _mm256_slli_epi16(words, IMG_LIFT_PLACES));
    }
    return x;
}

#endif
