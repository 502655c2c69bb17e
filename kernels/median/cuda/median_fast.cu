/* median on CUDA: the fast version, which calls the fastest method for the size of the window, and
 * the tiled version. Sorting networks are for small windows, counts for larger ones, and tiles for
 * one size between them. */
#include "kernels/median/cuda/median_cuda.cuh"

namespace
{

constexpr int ACROSS = MEDIAN_ACROSS, DOWN = MEDIAN_DOWN;

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

} // namespace

ImgStatus img_median_cuda_tiled(const ImgCall *call, ImgError *err)
{
    ImgCall own;
    const ImgStatus status = img_prepass_cuda(IMG_PREPASS_CLEAR, call, &own, err);
    if (status != IMG_OK)
        return status;
    const MedianTask task = median_task(&own);
    auto *kernel = task.bits == 16 ? median_tiled_kernel<uint16_t> : median_tiled_kernel<uint8_t>;
    const size_t bytes = (size_t)pitch_of(task.radius) * (size_t)(DOWN + 2 * task.radius) * 2;
    IMG_LAUNCH(kernel, median_grid(task), dim3(ACROSS, DOWN), bytes, call->stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

ImgStatus img_median_cuda_fast(const ImgCall *call, ImgError *err)
{
    const int32_t radius = static_cast<const ImgMedianParams *>(call->params)->radius;
    if (radius == IMG_MEDIAN_CUDA_TEXTBOOK_MAX && call->src.format.bits == 16)
        /* at 16 bits and this radius, the tiled version is faster than counting */
        return img_median_cuda_tiled(call, err);
    ImgCall own;
    const ImgStatus status = img_prepass_cuda(IMG_PREPASS_CLEAR, call, &own, err);
    if (status != IMG_OK)
        return status;
    if (radius == 1)
        return img_median_cuda_nine(&own, err);
    return (radius <= IMG_MEDIAN_CUDA_NETWORK_MAX ? img_median_cuda_tiles
                                                  : img_median_cuda_columns)(&own, err);
}
