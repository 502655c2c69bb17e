/* Private to the morphology family: minima over windows of any width along a part of a row, in
 * shared memory. Each step computes wider windows from narrower ones. */
#ifndef IMGTOOL_KERNELS_MORPHOLOGY_CUDA_MORPHOLOGY_WINDOWS_CUH
#define IMGTOOL_KERNELS_MORPHOLOGY_CUDA_MORPHOLOGY_WINDOWS_CUH

#include "kernels/core/cuda/cuda_launch.cuh"

namespace
{

constexpr int THREADS = 256;
constexpr int NINE = 9; /* width of the windows after the first step, in pixels */
/* number of words after the last used one that may be read and written */
constexpr int SLACK = 2 * NINE * 4;
constexpr int TERMS_MOST = 5; /* largest number of windows that one step combines */

/* Layout of a block's samples of a row. A word has one sample in its lower half, and the sample
 * `half` positions later in its upper half. So neighbouring pixels are in different words for any
 * number of channels, and one instruction compares two pairs of samples. `before` is the number of
 * samples before the first result, and `all` the number of words. All three numbers are multiples
 * of QUAD. */
struct Span {
    int32_t before, half, all;
};

/* Computes the minimum over nine pixels, beginning with each pixel. A thread computes nine adjacent
 * windows of a channel. It combines three minima over three pixels to one over nine. */
template <int CHANNELS>
__device__ void first_windows(const uint32_t *from, uint32_t *to, int32_t count)
{
    for (int32_t i = (int32_t)threadIdx.x;; i += THREADS) {
        const int32_t first = i / CHANNELS * (NINE * CHANNELS) + i % CHANNELS;
        if (first >= count)
            return;
        uint32_t sample[2 * NINE - 1], three[2 * NINE - 3];
#pragma unroll
        for (int k = 0; k < 2 * NINE - 1; k++)
            sample[k] = from[first + k * CHANNELS];
#pragma unroll
        for (int k = 0; k < 2 * NINE - 3; k++)
            three[k] = __vimin3_u16x2(sample[k], sample[k + 1], sample[k + 2]);
#pragma unroll
        for (int k = 0; k < NINE; k++)
            to[first + k * CHANNELS] = __vimin3_u16x2(three[k], three[k + 3], three[k + 6]);
    }
}

__device__ inline void swap_arrays(uint32_t *&from, uint32_t *&other)
{
    uint32_t *made = other;
    other = from;
    from = made;
}

/* Computes minima over TERMS windows. The windows begin `apart` words after each other, except that
 * the last one begins `reach` words after the first one. */
template <int TERMS>
__device__ void widen(const uint32_t *from, uint32_t *to, int32_t count, int32_t apart,
                      int32_t reach)
{
    for (int32_t i = (int32_t)threadIdx.x; i < count; i += THREADS) {
        uint32_t term[TERMS + 1];
#pragma unroll
        for (int k = 0; k < TERMS; k++)
            term[k] = from[i + (k + 1 < TERMS ? k * apart : reach)];
        term[TERMS] = term[TERMS - 1];
#pragma unroll
        for (int k = 1; k < TERMS; k += 2)
            term[0] = __vimin3_u16x2(term[0], term[k], term[k + 1]);
        to[i] = term[0];
    }
}

/* The steps by which windows become wider. Windows of `width` pixels are widened `thirds` times to
 * three times their width. In the last step, `terms` windows together make the requested width; the
 * last of them begins `reach` words after the first one. */
struct Widening {
    int32_t width; /* width after the first step, 1 or NINE pixels */
    int32_t thirds, terms, apart, reach;
};

/* Widens windows from one array to the other and back, until an array has the minima over windows
 * of the requested width, in the order of the row. The first result is computed for word number
 * `first`. Returns the array with the results. */
template <int CHANNELS>
__device__ const uint32_t *minima_of(const Widening &widening, Span span, int32_t first,
                                     uint32_t *from, uint32_t *other)
{
    int32_t apart = widening.width * CHANNELS;
    if (widening.width == NINE) {
        first_windows<CHANNELS>(from, other, span.all - (NINE - 1) * CHANNELS);
        __syncthreads();
        swap_arrays(from, other);
    }
    for (int32_t i = 0; i < widening.thirds; i++) {
        apart *= 3;
        widen<3>(from, other, span.all - apart + CHANNELS, apart / 3, apart / 3 * 2);
        __syncthreads();
        swap_arrays(from, other);
    }
    from += first;
    if (widening.terms == 1)
        widen<1>(from, other, span.half, widening.apart, widening.reach);
    else if (widening.terms == 2)
        widen<2>(from, other, span.half, widening.apart, widening.reach);
    else if (widening.terms == 3)
        widen<3>(from, other, span.half, widening.apart, widening.reach);
    else if (widening.terms == 4)
        widen<4>(from, other, span.half, widening.apart, widening.reach);
    else
        widen<TERMS_MOST>(from, other, span.half, widening.apart, widening.reach);
    __syncthreads();
    return other;
}

} // namespace

#endif
