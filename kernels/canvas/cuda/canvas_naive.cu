/* Puts a picture on a canvas on the GPU, textbook version: one pixel per thread. */
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

} // namespace

ImgStatus img_canvas_cuda_naive(const ImgCall *call, const ImgCanvas *canvas, ImgError *err)
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
