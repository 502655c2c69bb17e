/* median on CUDA, textbook versions: one thread per pixel. A thread reads its window from global
 * memory, or from a tile with a halo in shared memory. It finds the median bit by bit: the median
 * is the largest value for which at most half of the samples are smaller. */
#include "kernels/median/cuda/median_cuda.cuh"

namespace
{

constexpr int ACROSS = 32, DOWN = 8;

/* Finds a median bit by bit. `below(value)` must return the number of samples in the window that
 * are smaller than `value`. */
template <typename Below>
__device__ uint32_t median_by_bits(int32_t bits, int32_t radius, Below below)
{
    const int32_t side = 2 * radius + 1, half = side * side / 2;
    uint32_t value = 0;
    for (int32_t bit = bits - 1; bit >= 0; bit--) {
        const uint32_t larger = value | 1u << bit;
        value = below(larger) <= half ? larger : value;
    }
    return value;
}

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

/* Returns the number of samples per row of a tile. A bank holds two samples, and rows are padded to
 * an odd number of banks. */
IMG_HOST_DEVICE constexpr int32_t pitch_of(int32_t radius)
{
    return ((ACROSS + 2 * radius + 1) / 2 | 1) * 2;
}

/* Computes one pixel per thread, from tiles. The samples of one channel at a time are in shared
 * memory, as 16 bits in every format. The threads of a warp read neighbouring samples, two per
 * bank. */
template <typename Sample>
__global__ void __launch_bounds__(ACROSS *DOWN) median_tiled_kernel(MedianTask task)
{
    IMG_SHARED_DYNAMIC(uint16_t, tile);
    const int32_t radius = task.radius, side = 2 * radius + 1, pitch = pitch_of(radius);
    const int64_t left = (int64_t)blockIdx.x * ACROSS;
    const int32_t tx = (int32_t)threadIdx.x, ty = (int32_t)threadIdx.y;
    for (int64_t top = (int64_t)blockIdx.y * DOWN; top < task.height;
         top += (int64_t)gridDim.y * DOWN) {
        for (int32_t c = 0; c < task.channels; c++) {
            __syncthreads();
            for (int32_t j = ty; j < DOWN + 2 * radius; j += DOWN) {
                const int32_t row = img_border_place(top + j - radius, task.height, task.border);
                for (int32_t i = tx; i < ACROSS + 2 * radius; i += ACROSS) {
                    const int32_t column =
                        img_border_place(left + i - radius, task.width, task.border);
                    tile[j * pitch + i] = (uint16_t)task.sample<Sample>(column, row, c);
                }
            }
            __syncthreads();
            if (left + tx >= task.width || top + ty >= task.height)
                continue;
            const uint16_t *window = tile + ty * pitch + tx;
            const uint32_t value = median_by_bits(task.bits, radius, [&](uint32_t limit) {
                int32_t count = 0;
                for (int32_t j = 0; j < side; j++)
                    for (int32_t i = 0; i < side; i++)
                        count += window[j * pitch + i] < limit ? 1 : 0;
                return count;
            });
            task.set<Sample>((int32_t)left + tx, (int32_t)top + ty, c, value);
        }
    }
}

dim3 grid_of(const MedianTask &task)
{
    return dim3(median_blocks(task.width, ACROSS, INT32_MAX),
                median_blocks(task.height, DOWN, MEDIAN_GRID_ROWS));
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
    IMG_LAUNCH(kernel, grid_of(task), dim3(ACROSS, DOWN), 0, call->stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

ImgStatus img_median_cuda_tiled(const ImgCall *call, ImgError *err)
{
    ImgCall own;
    const ImgStatus status = img_prepass_cuda(IMG_PREPASS_CLEAR, call, &own, err);
    if (status != IMG_OK)
        return status;
    const MedianTask task = median_task(&own);
    auto *kernel = task.bits == 16 ? median_tiled_kernel<uint16_t> : median_tiled_kernel<uint8_t>;
    const size_t bytes = (size_t)pitch_of(task.radius) * (size_t)(DOWN + 2 * task.radius) * 2;
    IMG_LAUNCH(kernel, grid_of(task), dim3(ACROSS, DOWN), bytes, call->stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
