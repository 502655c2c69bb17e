/* pad, trim and bounds on the GPU, textbook versions: one pixel per thread. */
#include "kernels/canvas/cuda/canvas_cuda.cuh"

namespace
{

constexpr int ACROSS = 32, DOWN = 8;

/* Computes one pixel per thread. Neighbouring threads store neighbouring pixels byte by byte, and
 * these narrow stores limit the kernel. */
template <int BYTES, bool CHANGES> __global__ void canvas_naive_kernel(CanvasTask task)
{
    const int64_t x = (int64_t)(blockIdx.x % task.blocks_across) * ACROSS + threadIdx.x;
    const int64_t y = (int64_t)(blockIdx.x / task.blocks_across) * DOWN + threadIdx.y;
    if (x >= task.width || y >= task.height)
        return;
    const int32_t from_x = img_border_place(x - task.x, task.src_width, task.border);
    const int32_t from_y = img_border_place(y - task.y, task.src_height, task.border);
    const bool outside = from_x < 0 || from_y < 0;
    const uint8_t *row = task.src + (outside ? 0 : from_y * task.src_stride);
    const uint64_t pixel =
        outside ? task.background : canvas_pixel<BYTES, CHANGES>(task, row, from_x);
    uint8_t *to = task.dst + y * task.dst_stride + x * BYTES;
#pragma unroll
    for (int i = 0; i < BYTES; i++)
        to[i] = (uint8_t)(pixel >> (8 * i));
}

ImgStatus put_on_canvas(const ImgCall *call, const ImgCanvas *canvas, ImgError *err)
{
    return with_pixel_bytes(call->dst.format, [&](auto bytes) {
        constexpr int BYTES = decltype(bytes)::VALUE;
        CanvasTask task;
        unsigned blocks = 0;
        const ImgStatus status =
            canvas_task(call, canvas, call->dst.width, ACROSS, DOWN, &task, &blocks, err);
        if (status != IMG_OK)
            return status;
        auto kernel = task.change.is_needed ? canvas_naive_kernel<BYTES, true>
                                            : canvas_naive_kernel<BYTES, false>;
        IMG_LAUNCH(kernel, blocks, dim3(ACROSS, DOWN), 0, call->stream, task);
        CUDA_TRY(cudaGetLastError(), err);
        return IMG_OK;
    });
}

constexpr int THREADS = 256;

/* Is limited by atomics, because every pixel that differs from the background updates the same four
 * numbers. */
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

ImgStatus img_pad_cuda_naive(const ImgCall *call, ImgError *err)
{
    ImgCanvas canvas;
    const ImgStatus status = img_pad_canvas(call, &canvas, err);
    return status == IMG_OK ? put_on_canvas(call, &canvas, err) : status;
}

ImgStatus img_trim_cuda_naive(const ImgCall *call, ImgError *err)
{
    const ImgCanvas canvas = img_trim_canvas(call);
    return put_on_canvas(call, &canvas, err);
}

ImgStatus img_bounds_cuda_naive(const ImgCall *call, ImgError *err)
{
    return with_samples(call->src.format, [&](auto sample, auto channels) {
        return launch<decltype(sample), decltype(channels)::VALUE>(call, err);
    });
}
