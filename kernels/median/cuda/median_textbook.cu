/* median on CUDA, textbook version: one thread per pixel, which reads its window from global
 * memory. */
#include "kernels/median/cuda/median_cuda.cuh"

namespace
{

constexpr int ACROSS = MEDIAN_ACROSS, DOWN = MEDIAN_DOWN;

/* Computes one pixel per thread; neighbouring threads read neighbouring pixels. A thread reads (2
 * radius + 1)^2 pixels for every bit. The kernel is limited by loads from the caches. */
template <typename Sample>
__global__ void __launch_bounds__(ACROSS *DOWN) median_naive_kernel(MedianTask task)
{
    const int32_t x = (int32_t)(blockIdx.x * ACROSS + threadIdx.x);
    for (int64_t y = blockIdx.y * DOWN + threadIdx.y; y < task.height;
         y += (int64_t)gridDim.y * DOWN) {
        if (x >= task.width)
            break;
        for (int32_t c = 0; c < task.channels; c++) {
            const uint32_t value = median_by_bits(task.bits, task.radius, [&](uint32_t limit) {
                int32_t count = 0;
                for (int64_t j = y - task.radius; j <= y + task.radius; j++) {
                    const int32_t row = img_border_place(j, task.height, task.border);
                    for (int64_t i = (int64_t)x - task.radius; i <= (int64_t)x + task.radius; i++) {
                        const int32_t column = img_border_place(i, task.width, task.border);
                        count += task.sample<Sample>(column, row, c) < limit ? 1 : 0;
                    }
                }
                return count;
            });
            task.set<Sample>(x, (int32_t)y, c, value);
        }
    }
}

} // namespace

ImgStatus img_median_cuda_naive(const ImgCall *call, ImgError *err)
{
    ImgCall own;
    const ImgStatus status = img_prepass_cuda(IMG_PREPASS_CLEAR, call, &own, err);
    if (status != IMG_OK)
        return status;
    const MedianTask task = median_task(&own);
    auto *kernel = task.bits == 16 ? median_naive_kernel<uint16_t> : median_naive_kernel<uint8_t>;
    IMG_LAUNCH(kernel, median_grid(task), dim3(ACROSS, DOWN), 0, call->stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
