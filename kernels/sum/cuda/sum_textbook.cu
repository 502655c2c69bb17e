/* sum on the GPU, textbook versions of the parallel reduction, from slow to fast. Threads read one
 * or two pixels each, in blocks of 512 threads. */
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/sum/cuda/reduce.cuh"
#include "kernels/sum/sum.h"

namespace
{

constexpr int THREADS = 512;

using Sum = unsigned long long;

enum class Scheme { NEIGHBOURS, SEQUENTIAL, FIRST_ADD, SHUFFLE };

template <Scheme SCHEME>
constexpr int PIXELS = SCHEME == Scheme::FIRST_ADD || SCHEME == Scheme::SHUFFLE ? 2 : 1;

/* Returns the sum of `value` over a block, in thread 0. 32 bits suffice for the sum of 2 * 512
 * samples of 16 bits. */
template <Scheme SCHEME> __device__ uint32_t reduce(uint32_t *shared, uint32_t value)
{
    if (SCHEME == Scheme::NEIGHBOURS)
        return reduce_neighbours<THREADS>(shared, value);
    if (SCHEME == Scheme::SHUFFLE)
        return reduce_shuffle<THREADS>(shared, value);
    return reduce_sequential<THREADS>(shared, value);
}

/* Sums the pixels of each block and adds the sums to `sums`. Block b sums 512 * PIXELS pixels, from
 * pixel number b * 512 * PIXELS on; pixels are numbered row by row. */
template <Scheme SCHEME, typename Sample, int CHANNELS>
__global__ void __launch_bounds__(THREADS) sum_kernel(PixelRows rows, Sum *sums)
{
    IMG_SHARED(uint32_t, shared, [THREADS]);
    uint32_t value[CHANNELS] = {};
    uint64_t all = (uint64_t)rows.width * (uint64_t)rows.height;
#pragma unroll
    for (int p = 0; p < PIXELS<SCHEME>; p++) {
        uint64_t pixel = ((uint64_t)blockIdx.x * PIXELS<SCHEME> + p) * THREADS + threadIdx.x;
        if (pixel >= all)
            break;
        uint64_t y = pixel / (uint32_t)rows.width, x = pixel % (uint32_t)rows.width;
        const Sample *samples = (const Sample *)(rows.src + y * rows.stride) + x * CHANNELS;
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            value[c] += samples[c];
    }
#pragma unroll
    for (int c = 0; c < CHANNELS; c++) {
        uint32_t sum = reduce<SCHEME>(shared, value[c]);
        if (threadIdx.x == 0)
            atomicAdd(sums + c, (Sum)sum);
        __syncthreads(); /* thread 0 must read the sum before the next channel overwrites it */
    }
}

template <Scheme SCHEME, typename Sample, int CHANNELS>
ImgStatus launch(const ImgCall *call, ImgError *err)
{
    PixelRows rows = pixel_rows(call->src);
    uint64_t a_block = (uint64_t)THREADS * PIXELS<SCHEME>;
    uint64_t blocks = ((uint64_t)rows.width * (uint64_t)rows.height + a_block - 1) / a_block;
    if (blocks > INT32_MAX)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "these are too many pixels for one launch on a GPU; use the CPU");
    auto kernel = sum_kernel<SCHEME, Sample, CHANNELS>;
    CUDA_TRY(cudaMemsetAsync(call->dst.data, 0, CHANNELS * sizeof(Sum), (cudaStream_t)call->stream),
             err);
    IMG_LAUNCH(kernel, (unsigned)blocks, THREADS, 0, call->stream, rows, (Sum *)call->dst.data);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

template <Scheme SCHEME> ImgStatus run(const ImgCall *call, ImgError *err)
{
    return with_samples(call->src.format, [&](auto sample, auto channels) {
        return launch<SCHEME, decltype(sample), decltype(channels)::VALUE>(call, err);
    });
}

} // namespace

ImgStatus img_sum_cuda_neighbours(const ImgCall *call, ImgError *err)
{
    return run<Scheme::NEIGHBOURS>(call, err);
}

ImgStatus img_sum_cuda_sequential(const ImgCall *call, ImgError *err)
{
    return run<Scheme::SEQUENTIAL>(call, err);
}

ImgStatus img_sum_cuda_first_add(const ImgCall *call, ImgError *err)
{
    return run<Scheme::FIRST_ADD>(call, err);
}

ImgStatus img_sum_cuda_shuffle(const ImgCall *call, ImgError *err)
{
    return run<Scheme::SHUFFLE>(call, err);
}
