/* Private: the PNG filters, applied to the four bytes of a word at once. filter.h defines the same
 * filters for one byte. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_FILTER_WORDS_CUH
#define IMGTOOL_IO_PNG_CUDA_ENCODE_FILTER_WORDS_CUH

#include <stdint.h>

#include "io/png/filter/filter_type.h"
#include "kernels/core/cuda/cuda_launch.cuh"

namespace filter_words
{

constexpr uint32_t HIGH_BITS = 0x80808080, ONES = 0x01010101;

/* Four bytes, and their neighbours: on the left, above, and above left. */
struct Around {
    uint32_t here, left, above, corner;
};

static __device__ inline uint32_t subtract(uint32_t a, uint32_t b)
{
    return ((a | HIGH_BITS) - (b & ~HIGH_BITS)) ^ ((a ^ ~b) & HIGH_BITS);
}

/* Returns the averages of the four bytes of `a` and `b`, each rounded down. */
static __device__ inline uint32_t average(uint32_t a, uint32_t b)
{
    return (a & b) + (((a ^ b) & 0xFEFEFEFE) >> 1);
}

/* Returns the Paeth predictors of the two bytes in the halves of a word. Let low and high be the
 * smaller and the larger of left and above, and p = left + above - corner. p is as far from low as
 * the corner is from high, and as far from high as the corner is from low. So Paeth selects high if
 * twice the corner's distance to low is at most its distance to high. The mirrored condition
 * selects low. */
static __device__ inline uint32_t paeth_of_halves(uint32_t left, uint32_t above, uint32_t corner)
{
    constexpr uint32_t SIGNS = 0x80008000;
    uint32_t low = __vminu2(left, above), high = __vmaxu2(left, above);
    uint32_t down = __vmaxu2(corner, low) - low, up = high - __vminu2(corner, high);
    uint32_t is_high = (up + SIGNS - 2 * down) & SIGNS, is_low = (down + SIGNS - 2 * up) & SIGNS;
    is_high -= is_high >> 15; /* gives a mask of 15 bits; only the low 8 matter */
    is_low -= is_low >> 15;
    return (is_high & high) | (~is_high & ((is_low & low) | (~is_low & corner)));
}

static __device__ inline uint32_t paeth(uint32_t left, uint32_t above, uint32_t corner)
{
    constexpr uint32_t EVEN = 0x00FF00FF;
    uint32_t even = paeth_of_halves(left & EVEN, above & EVEN, corner & EVEN);
    uint32_t odd = paeth_of_halves(left >> 8 & EVEN, above >> 8 & EVEN, corner >> 8 & EVEN);
    return even | odd << 8;
}

static __device__ inline uint32_t apply(unsigned filter, const Around &a)
{
    switch (filter) {
    case IMG_FILTER_SUB:
        return subtract(a.here, a.left);
    case IMG_FILTER_UP:
        return subtract(a.here, a.above);
    case IMG_FILTER_AVERAGE:
        return subtract(a.here, average(a.left, a.above));
    case IMG_FILTER_PAETH:
        return subtract(a.here, paeth(a.left, a.above, a.corner));
    default:
        return a.here;
    }
}

/* Adds the absolute values of the four bytes to `sum`. The bytes are taken as signed. */
static __device__ inline uint32_t add_absolute(uint32_t bytes, uint32_t sum)
{
    return __dp4a(__vabsdiffu4(bytes ^ HIGH_BITS, HIGH_BITS), ONES, sum);
}

} // namespace filter_words

#endif
