/* bounds on the GPU, textbook version: one pixel per thread. It is limited by atomics, because
 * every pixel that differs from the background updates the same four numbers. */
#include "kernels/canvas/cuda/bounds_cuda.cuh"

namespace
{

constexpr int THREADS = 256;

template <typename Sample, int CHANNELS>
__global__ void bounds_naive_kernel(BoundsTask task, uint64_t pixels)
{
    const uint64_t number = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (number >= pixels)
        return;
    const uint32_t x = (uint32_t)(number % (uint32_t)task.width);
    const uint32_t y = (uint32_t)(number / (uint32_t)task.width);
    const Sample *samples = reinterpret_cast<const Sample *>(task.src + y * task.stride);
    uint32_t pixel[4] = {}, background[4];
    read_background<Sample, CHANNELS>(task, background);
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        pixel[c] = samples[(size_t)x * CHANNELS + c];
    if (!img_trim_differs(&task.test, pixel, background, CHANNELS))
        return;
    atomicMax(task.bounds + IMG_BOUNDS_LEFT, (Bound)(task.width - x));
    atomicMax(task.bounds + IMG_BOUNDS_TOP, (Bound)(task.height - y));
    atomicMax(task.bounds + IMG_BOUNDS_RIGHT, (Bound)x + 1);
    atomicMax(task.bounds + IMG_BOUNDS_BOTTOM, (Bound)y + 1);
}

template <typename Sample, int CHANNELS> ImgStatus launch(const ImgCall *call, ImgError *err)
{
    BoundsTask task = {};
    ImgStatus status = bounds_task(call, &task, err);
    if (status != IMG_OK)
        return status;
    const uint64_t pixels = (uint64_t)task.width * (uint64_t)task.height;
    const uint64_t blocks = (pixels + THREADS - 1) / THREADS;
    if (blocks > INT32_MAX)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "these are too many pixels for one launch on a GPU; use the CPU");
    auto kernel = bounds_naive_kernel<Sample, CHANNELS>;
    IMG_LAUNCH(kernel, (unsigned)blocks, THREADS, 0, call->stream, task, pixels);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus img_bounds_cuda_naive(const ImgCall *call, ImgError *err)
{
    return with_samples(call->src.format, [&](auto sample, auto channels) {
        return launch<decltype(sample), decltype(channels)::VALUE>(call, err);
    });
}
