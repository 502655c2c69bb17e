/* The sums downwards of a picture made smaller across, by cubic B-splines. */
#include "kernels/blur/cuda/gaussian_pyramid.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

constexpr int THREADS = 128;

struct AcrossTask {
    const uint8_t *lower;
    uint8_t *small;
    SmallPicture picture;
    const ImgBlurEnd *end;
    int32_t width; /* of the source, in pixels */
    uint16_t background[4];
    uint32_t blocks; /* of a row; set by the launch */
};

/* A block makes `outs` pixels of a row. What they are made of lies in shared memory by groups of
 * FACTOR pixels (8, where the factor is more), an odd number of words apart, so that neighbours
 * read from different banks. A thread weighs up to 32 pixels; from a factor of 16 on several make a
 * pixel. */
template <int CHANNELS_, int FACTOR_> struct Groups {
    static constexpr int CHANNELS = CHANNELS_, FACTOR = FACTOR_;
    static constexpr int TAPS = IMG_SPLINE_TAPS * FACTOR;
    static constexpr int LEAD = 3 * FACTOR / 2 % 2; /* pixels before the first, for whole words */
    static constexpr int WORDS = FACTOR * CHANNELS / 2, PITCH = WORDS | 1;
    static constexpr int MOST = FACTOR < 8 ? THREADS + 4 : 152;
    static constexpr int READ = ((TAPS + LEAD) * CHANNELS + 1) / 2; /* words, of a thread */
};

/* Sample `at` of a row, whose pixels may be beyond the picture's. */
template <int CHANNELS>
__device__ uint32_t lower_sample(const AcrossTask &task, const uint16_t *row, int64_t at)
{
    const int64_t pixel = at >= 0 ? at / CHANNELS : -((CHANNELS - 1 - at) / CHANNELS);
    const int c = (int)(at - pixel * CHANNELS);
    const int32_t place = img_border_place(pixel, task.width, task.end->gaussian.border);
    return place < 0 ? task.background[c] : __ldg(row + (size_t)place * CHANNELS + c);
}

template <typename G>
__device__ void gather_groups(const AcrossTask &task, size_t y, int64_t first, int groups,
                              uint32_t *words)
{
    const uint8_t *row = task.lower + y * task.picture.lower_stride;
    const bool is_inside = first >= 0 && first + groups * G::FACTOR <= task.width;
    for (int i = (int)threadIdx.x; i < groups * G::WORDS; i += THREADS) {
        const int64_t at = first * G::CHANNELS + 2 * i;
        uint32_t word;
        if (is_inside)
            word = __ldg(reinterpret_cast<const uint32_t *>(row + at * 2));
        else
            word = lower_sample<G::CHANNELS>(task, reinterpret_cast<const uint16_t *>(row), at) |
                   lower_sample<G::CHANNELS>(task, reinterpret_cast<const uint16_t *>(row), at + 1)
                       << 16;
        words[i / G::WORDS * G::PITCH + i % G::WORDS] = word;
    }
}

template <typename G>
__device__ void weigh_groups(const uint32_t *words, const uint32_t *weights,
                             uint32_t (&sum)[G::CHANNELS])
{
#pragma unroll
    for (int i = 0; i < G::READ; i++) {
        const uint32_t word = words[i / G::WORDS * G::PITCH + i % G::WORDS];
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const int sample = 2 * i + k - G::LEAD * G::CHANNELS, tap = sample / G::CHANNELS;
            if (sample >= 0 && tap < G::TAPS)
                sum[sample % G::CHANNELS] += weights[tap] * (k == 0 ? word & 0xffff : word >> 16);
        }
    }
}

template <int CHANNELS, int FACTOR>
__global__ void __launch_bounds__(THREADS) across_kernel(AcrossTask task)
{
    typedef Groups<CHANNELS, FACTOR> G;
    IMG_SHARED(uint32_t, weights, [IMG_SPLINE_TAPS * IMG_GAUSSIAN_FACTOR]);
    IMG_SHARED(uint32_t, words, [G::MOST * G::PITCH]);
    const ImgGaussian &gaussian = task.end->gaussian;
    const int factor = FACTOR < 8 ? FACTOR : task.picture.factor;
    const int parts = FACTOR < 8 ? 1 : factor / 8, outs = THREADS / parts;
    const size_t y = blockIdx.x / task.blocks;
    const int from = (int)(blockIdx.x % task.blocks) * outs;
    const int64_t first = img_gaussian_shrink_first(&gaussian, from - task.picture.left) - G::LEAD;
    for (int i = (int)threadIdx.x; i < IMG_SPLINE_TAPS * factor; i += THREADS)
        weights[i] = (uint32_t)gaussian.shrink[i];
    gather_groups<G>(task, y, first,
                     ((outs + IMG_SPLINE_TAPS - 1) * factor + G::LEAD + FACTOR - 1) / FACTOR,
                     words);
    __syncthreads();
    const int out = (int)threadIdx.x / parts, part = (int)threadIdx.x % parts;
    uint32_t sum[CHANNELS];
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        sum[c] = part == 0 ? 1 << (IMG_WEIGHT_PLACES - 1) : 0;
    weigh_groups<G>(words + (out * (factor / FACTOR) + part * IMG_SPLINE_TAPS) * G::PITCH,
                    weights + part * G::TAPS, sum);
    for (int step = parts / 2; step > 0; step /= 2)
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            sum[c] += __shfl_xor_sync(~0u, sum[c], step);
    if (part != 0 || from + out >= task.picture.columns)
        return;
    uint16_t *to = reinterpret_cast<uint16_t *>(task.small + y * task.picture.stride) +
                   (size_t)(from + out) * CHANNELS;
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        to[c] = (uint16_t)(sum[c] >> IMG_WEIGHT_PLACES);
}

template <int FACTOR> ImgStatus shrink_across(AcrossTask &task, void *stream, ImgError *err)
{
    const int factor = task.picture.factor, outs = factor > 8 ? THREADS * 8 / factor : THREADS;
    task.blocks = (uint32_t)((task.picture.columns - 1) / outs + 1);
    auto *kernel = task.picture.channels == 3 ? across_kernel<3, FACTOR> : across_kernel<1, FACTOR>;
    IMG_LAUNCH(kernel, task.blocks * (uint32_t)task.picture.rows, THREADS, 0, stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus gaussian_shrink_across(const TileSource &src, bool wide, const ImgBlurEnd *end,
                                 const SmallPicture &picture, const uint8_t *lower, uint8_t *small,
                                 void *stream, ImgError *err)
{
    AcrossTask task = {lower, small, picture, end, src.width, {0, 0, 0, 0}, 0};
    for (int i = 0; i < 4; i++)
        task.background[i] = (uint16_t)(src.background[i] << (wide ? 0 : IMG_LIFT_PLACES));
    switch (picture.factor) {
    case 2:
        return shrink_across<2>(task, stream, err);
    case 4:
        return shrink_across<4>(task, stream, err);
    default:
        return shrink_across<8>(task, stream, err);
    }
}
