/* Second half of reducing a picture on CUDA by 8 or more: reduces its vertical sums horizontally,
 * with cubic B-splines as weights. */
#include "kernels/blur/cuda/gaussian_pyramid.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

/* AT_ONCE: blocks that a multiprocessor runs at the same time */
constexpr int THREADS = 128, AT_ONCE = 12;

struct AcrossTask {
    const uint8_t *lower;
    uint8_t *small;
    SmallPicture picture;
    const ImgBlurEnd *end;
    int32_t width; /* width of the source, in pixels */
    uint16_t background[4];
    uint32_t blocks; /* number of blocks per row; the launch sets it */
};

/* A block computes `outs` pixels of a row. Shared memory has their input in groups of 8 pixels. The
 * distance between groups is an odd number of words, so that adjacent lanes read different banks. A
 * pixel is a weighted sum of 4 * factor pixels of the row. A thread sums 32 of them, so factor / 8
 * threads compute one pixel together. A factor of 64 needs the most groups: the 16 pixels of a
 * block read (16 + 3) * 64 pixels, which are (16 + 3) * 8 groups. */
constexpr int GROUP = 8, GROUPS_MOST = 152;

template <int CHANNELS_> struct Groups {
    static constexpr int CHANNELS = CHANNELS_;
    static constexpr int TAPS = IMG_SPLINE_TAPS * GROUP;
    static constexpr int WORDS = GROUP * CHANNELS / 2, PITCH = WORDS | 1;
    /* number of words that a thread reads per pixel */
    static constexpr int READ = TAPS * CHANNELS / 2;
};

/* Returns sample `at` of a row of vertical sums. If its pixel is beyond the picture, the border
 * mode determines the sample. */
template <int CHANNELS>
__device__ uint32_t lower_sample(const AcrossTask &task, const uint16_t *row, int64_t at)
{
    const int64_t pixel = at >= 0 ? at / CHANNELS : -((CHANNELS - 1 - at) / CHANNELS);
    const int c = (int)(at - pixel * CHANNELS);
    const int32_t place = img_border_place(pixel, task.width, task.end->gaussian.border);
    const uint32_t red = task.background[0], green = task.background[1], blue = task.background[2];
    return place < 0 ? (c == 0   ? red
                        : c == 1 ? green
                                 : blue)
                     : __ldg(row + (size_t)place * CHANNELS + c);
}

/* Returns two words with four samples of a row, from sample `at` on. Samples beyond the picture are
 * as the border mode defines. */
template <typename G>
__device__ uint2 words_beside(const AcrossTask &task, const uint16_t *row, int64_t at)
{
    uint32_t sample[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        sample[i] = lower_sample<G::CHANNELS>(task, row, at + i);
    return make_uint2(sample[0] | sample[1] << 16, sample[2] | sample[3] << 16);
}

template <typename G> __device__ void put_words(uint32_t *words, int pair, uint2 two)
{
    static_assert(G::PITCH == G::WORDS + 1, "a word between groups");
    uint32_t *to = words + 2 * pair + pair / (G::WORDS / 2);
    to[0] = two.x;
    to[1] = two.y;
}

/* Loads the groups of a block to shared memory. A thread starts all its loads before it waits for
 * one. Pixels beyond the picture are added afterwards. */
template <typename G>
__device__ void gather_groups(const AcrossTask &task, size_t y, int64_t first, int groups,
                              uint32_t *words)
{
    constexpr int PAIRS = G::WORDS / 2, TOGETHER = (GROUPS_MOST * PAIRS - 1) / THREADS + 1;
    const uint16_t *row =
        reinterpret_cast<const uint16_t *>(task.lower + y * task.picture.lower_stride);
    const int64_t at = first * G::CHANNELS, row_samples = (int64_t)task.width * G::CHANNELS;
    const int own = (int)threadIdx.x, end = groups * PAIRS;
    /* index of the first pair of words inside the picture, and index after the last pair inside */
    const int inside = (int)max((int64_t)0, (3 - at) / 4);
    const int outside = (int)min((int64_t)end, (row_samples - at) / 4);
    if (inside < outside) {
        uint2 pair[TOGETHER];
#pragma unroll
        for (int k = 0; k < TOGETHER; k++) {
            const int i = max(inside, min(own + k * THREADS, outside - 1));
            pair[k] = __ldg(reinterpret_cast<const uint2 *>(row + at + 4 * i));
        }
#pragma unroll
        for (int k = 0; k < TOGETHER; k++)
            if (own + k * THREADS >= inside && own + k * THREADS < outside)
                put_words<G>(words, own + k * THREADS, pair[k]);
    }
    if (inside == 0 && outside == end)
        return;
#pragma unroll 1
    for (int i = own; i < end; i += THREADS)
        if (i < inside || i >= outside)
            put_words<G>(words, i, words_beside<G>(task, row, at + 4 * i));
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

/* Computes pixel `out` of the block. `parts` adjacent threads each sum a part of its weighted
 * input. */
template <typename G>
__device__ void make_pixel(const uint32_t *words, const uint32_t *weights, int out, int parts,
                           uint16_t *to, bool is_inside)
{
    const int part = (int)threadIdx.x & (parts - 1);
    uint32_t sum[G::CHANNELS];
#pragma unroll
    for (int c = 0; c < G::CHANNELS; c++)
        sum[c] = part == 0 ? 1 << (IMG_WEIGHT_PLACES - 1) : 0;
    weigh_groups<G>(words + (out * parts + part * IMG_SPLINE_TAPS) * G::PITCH,
                    weights + part * G::TAPS, sum);
    for (int step = parts / 2; step > 0; step /= 2)
#pragma unroll
        for (int c = 0; c < G::CHANNELS; c++)
            sum[c] += __shfl_xor_sync(~0u, sum[c], step);
    if (part == 0 && is_inside)
#pragma unroll
        for (int c = 0; c < G::CHANNELS; c++)
            to[c] = (uint16_t)(sum[c] >> IMG_WEIGHT_PLACES);
}

template <int CHANNELS>
__global__ void __launch_bounds__(THREADS, AT_ONCE) across_kernel(AcrossTask task)
{
    typedef Groups<CHANNELS> G;
    IMG_SHARED(uint32_t, weights, [IMG_SPLINE_TAPS * IMG_GAUSSIAN_FACTOR]);
    IMG_SHARED(uint32_t, words, [GROUPS_MOST * G::PITCH]);
    const int factor = task.picture.factor, parts = factor / GROUP;
    /* log2 of `parts`, which is a power of two */
    const int places = __ffs(parts) - 1, outs = THREADS >> places;
    const int from = (int)(blockIdx.x % task.blocks) * outs, out = (int)threadIdx.x >> places;
    const int64_t first = ((int64_t)(from - task.picture.left) * 2 - 3) * (factor / 2);
#pragma unroll 1
    for (int i = (int)threadIdx.x; i < IMG_SPLINE_TAPS * factor; i += THREADS)
        weights[i] = (uint32_t)task.end->gaussian.shrink[i];
    IMG_AWAIT_PREVIOUS();
    const size_t y = blockIdx.x / task.blocks;
    gather_groups<G>(task, y, first, (outs + IMG_SPLINE_TAPS - 1) * parts, words);
    __syncthreads();
    make_pixel<G>(words, weights, out, parts,
                  reinterpret_cast<uint16_t *>(task.small + y * task.picture.stride) +
                      (size_t)(from + out) * CHANNELS,
                  from + out < task.picture.columns);
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
