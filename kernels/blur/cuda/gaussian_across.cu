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

/* A block makes `outs` pixels of a row. What they are made of lies in shared memory by groups of 8
 * pixels, an odd number of words apart, so that neighbours read from different banks. A thread
 * weighs 32 pixels; from a factor of 16 on several make a pixel. */
constexpr int GROUP = 8, GROUPS_MOST = 152;

template <int CHANNELS_> struct Groups {
    static constexpr int CHANNELS = CHANNELS_;
    static constexpr int TAPS = IMG_SPLINE_TAPS * GROUP;
    static constexpr int WORDS = GROUP * CHANNELS / 2, PITCH = WORDS | 1;
    static constexpr int READ = TAPS * CHANNELS / 2; /* words, of a thread */
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

/* Two words of a row, from sample `at` on. */
template <typename G>
__device__ uint2 lower_words(const AcrossTask &task, const uint16_t *row, int64_t at,
                             bool is_inside)
{
    if (is_inside)
        return __ldg(reinterpret_cast<const uint2 *>(row + at));
    uint32_t sample[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        sample[i] = lower_sample<G::CHANNELS>(task, row, at + i);
    return make_uint2(sample[0] | sample[1] << 16, sample[2] | sample[3] << 16);
}

/* Loads of some words are under way together. */
template <typename G>
__device__ void gather_groups(const AcrossTask &task, size_t y, int64_t first, int groups,
                              uint32_t *words)
{
    constexpr int PAIRS = G::WORDS / 2, TOGETHER = 4;
    const uint16_t *row =
        reinterpret_cast<const uint16_t *>(task.lower + y * task.picture.lower_stride);
    const bool is_inside = first >= 0 && first + groups * GROUP <= task.width;
    for (int base = (int)threadIdx.x; base < groups * PAIRS; base += THREADS * TOGETHER) {
        uint2 pair[TOGETHER];
#pragma unroll
        for (int k = 0; k < TOGETHER; k++)
            pair[k] = lower_words<G>(
                task, row, first * G::CHANNELS + 4 * min(base + k * THREADS, groups * PAIRS - 1),
                is_inside);
#pragma unroll
        for (int k = 0; k < TOGETHER; k++) {
            const int i = base + k * THREADS;
            uint32_t *to = words + i / PAIRS * G::PITCH + i % PAIRS * 2;
            if (i < groups * PAIRS) {
                to[0] = pair[k].x;
                to[1] = pair[k].y;
            }
        }
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
            const int sample = 2 * i + k;
            sum[sample % G::CHANNELS] +=
                weights[sample / G::CHANNELS] * (k == 0 ? word & 0xffff : word >> 16);
        }
    }
}

template <int CHANNELS> __global__ void __launch_bounds__(THREADS) across_kernel(AcrossTask task)
{
    typedef Groups<CHANNELS> G;
    IMG_SHARED(uint32_t, weights, [IMG_SPLINE_TAPS * IMG_GAUSSIAN_FACTOR]);
    IMG_SHARED(uint32_t, words, [GROUPS_MOST * G::PITCH]);
    const ImgGaussian &gaussian = task.end->gaussian;
    const int factor = task.picture.factor, parts = factor / GROUP, outs = THREADS / parts;
    const size_t y = blockIdx.x / task.blocks;
    const int from = (int)(blockIdx.x % task.blocks) * outs;
    const int64_t first = img_gaussian_shrink_first(&gaussian, from - task.picture.left);
    for (int i = (int)threadIdx.x; i < IMG_SPLINE_TAPS * factor; i += THREADS)
        weights[i] = (uint32_t)gaussian.shrink[i];
    IMG_AWAIT_PREVIOUS();
    gather_groups<G>(task, y, first, (outs + IMG_SPLINE_TAPS - 1) * parts, words);
    __syncthreads();
    const int out = (int)threadIdx.x / parts, part = (int)threadIdx.x % parts;
    uint32_t sum[CHANNELS];
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        sum[c] = part == 0 ? 1 << (IMG_WEIGHT_PLACES - 1) : 0;
    weigh_groups<G>(words + (out * parts + part * IMG_SPLINE_TAPS) * G::PITCH,
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

} // namespace

ImgStatus gaussian_shrink_across(const TileSource &src, bool wide, const ImgBlurEnd *end,
                                 const SmallPicture &picture, const uint8_t *lower, uint8_t *small,
                                 void *stream, ImgError *err)
{
    AcrossTask task = {lower, small, picture, end, src.width, {0, 0, 0, 0}, 0};
    for (int i = 0; i < 4; i++)
        task.background[i] = (uint16_t)(src.background[i] << (wide ? 0 : IMG_LIFT_PLACES));
    const int outs = THREADS * GROUP / picture.factor;
    task.blocks = (uint32_t)((picture.columns - 1) / outs + 1);
    auto *kernel = picture.channels == 3 ? across_kernel<3> : across_kernel<1>;
    IMG_LAUNCH_EARLY(kernel, task.blocks * (uint32_t)picture.rows, THREADS, 0, stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
