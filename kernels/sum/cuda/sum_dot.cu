/* sum on the GPU, fast version. A few blocks walk over the whole picture with 16-byte loads. A dot
 * product with ones adds four samples of 8 bits, or two of 16 bits, in one instruction. */
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/sum/cuda/reduce.cuh"
#include "kernels/sum/sum.h"

namespace
{

constexpr int THREADS = 512, BLOCKS_PER_MULTIPROCESSOR = 4;

using Sum = unsigned long long;

/* Number of groups of pixels that a thread loads before it adds the first of them. Together they
 * have about 64 bytes. */
template <typename Group> constexpr int AHEAD = Group::VECTORS >= 3 ? 1 : 4 / Group::VECTORS;

/* Returns the factors for a dot product that adds up the samples of channel `c` in word `i` of a
 * group. The result has one byte per sample: 1 if the sample belongs to the channel, otherwise
 * 0. */
template <typename Sample, int CHANNELS> __device__ constexpr uint32_t ones(int i, int c)
{
    constexpr int SAMPLES = 4 / sizeof(Sample);
    uint32_t bytes = 0;
    for (int k = 0; k < SAMPLES; k++)
        if ((i * SAMPLES + k) % CHANNELS == c)
            bytes |= 1u << (8 * k);
    return bytes;
}

__device__ uint32_t dot(uint8_t, uint32_t word, uint32_t ones, uint32_t sum)
{
    return __dp4a(word, ones, sum);
}

__device__ uint32_t dot(uint16_t, uint32_t word, uint32_t ones, uint32_t sum)
{
    return __dp2a_lo(word, ones, sum);
}

/* Adds the samples of a group to the thread's sums, one per channel. The sum of one group fits 32
 * bits. */
template <typename Sample, int CHANNELS>
__device__ void add_group(const Group<Sample, CHANNELS> &group, Sum (&sums)[CHANNELS])
{
    uint32_t own[CHANNELS] = {};
#pragma unroll
    for (int i = 0; i < group.WORDS; i++)
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            if (ones<Sample, CHANNELS>(i, c) != 0)
                own[c] = dot(Sample(), group.words[i], ones<Sample, CHANNELS>(i, c), own[c]);
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        sums[c] += own[c];
}

template <typename Sample, int CHANNELS>
__global__ void __launch_bounds__(THREADS) sum_dot_kernel(PixelRows rows, Groups groups, Sum *sums)
{
    using Pixels = Group<Sample, CHANNELS>;
    IMG_SHARED(Sum, shared, [THREADS / 32]);
    Sum own[CHANNELS] = {};
    Walk walk(rows, groups.a_row, Pixels::BYTES, (uint64_t)blockIdx.x * THREADS + threadIdx.x,
              (uint64_t)gridDim.x * THREADS);
    while (walk.y < (uint32_t)rows.height) {
        Batch<Pixels, AHEAD<Pixels>> batch;
        batch.load(walk, rows, groups);
        batch.each([&](const Pixels &group) { add_group<Sample, CHANNELS>(group, own); });
    }
#pragma unroll
    for (int c = 0; c < CHANNELS; c++) {
        Sum sum = reduce_shuffle<THREADS>(shared, own[c]);
        if (threadIdx.x == 0)
            atomicAdd(sums + c, sum);
        /* The first warp must have read `shared` before the sums of the next channel overwrite
         * it. */
        __syncthreads();
    }
}

template <typename Sample, int CHANNELS> ImgStatus launch(const ImgCall *call, ImgError *err)
{
    int multiprocessors = 0;
    PixelRows rows = pixel_rows(call->src);
    Groups groups = cut_in_groups<Group<Sample, CHANNELS>>(rows);
    ImgStatus status = device_attribute(cudaDevAttrMultiProcessorCount, &multiprocessors, err);
    if (status != IMG_OK)
        return status;
    auto kernel = sum_dot_kernel<Sample, CHANNELS>;
    CUDA_TRY(cudaMemsetAsync(call->dst.data, 0, CHANNELS * sizeof(Sum), (cudaStream_t)call->stream),
             err);
    IMG_LAUNCH(kernel, multiprocessors * BLOCKS_PER_MULTIPROCESSOR, THREADS, 0, call->stream, rows,
               groups, (Sum *)call->dst.data);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus img_sum_cuda_dot(const ImgCall *call, ImgError *err)
{
    return with_samples(call->src.format, [&](auto sample, auto channels) {
        return launch<decltype(sample), decltype(channels)::VALUE>(call, err);
    });
}
