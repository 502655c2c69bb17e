/* The turn family on CUDA, textbook versions with one pixel per thread. A thread copies its pixel
 * directly from the source to its destination. */
#include "kernels/turn/cuda/turn_cuda.cuh"

namespace
{

/* A tile has 32 x 32 pixels. A block has 32 x 8 threads, so each thread copies four pixels. */
constexpr int TILE = 32;
constexpr int BLOCK_ROWS = 8;

template <typename P> __device__ void copy_pixel(uint8_t *dst, const uint8_t *src)
{
    using Unit = typename P::Unit;
#pragma unroll
    for (int i = 0; i < P::COUNT; i++)
        reinterpret_cast<Unit *>(dst)[i] = reinterpret_cast<const Unit *>(src)[i];
}

/* Neighbouring threads read neighbouring pixels of a source row, and write them to different rows.
 * A warp accesses 32 sectors of memory to write 32 pixels, and these accesses limit the kernel. */
template <typename P> __global__ void transpose_naive_read_kernel(ImgTurnPlan plan, Tiles tiles)
{
    int64_t x = (int64_t)(blockIdx.x % tiles.across) * TILE + threadIdx.x;
    int64_t y = (int64_t)(blockIdx.x / tiles.across) * TILE + threadIdx.y;
    for (int i = 0; i < TILE && x < plan.width && y < plan.height; i += BLOCK_ROWS, y += BLOCK_ROWS)
        copy_pixel<P>(plan.dst + x * plan.dst_stride + y * P::BYTES,
                      plan.src + y * plan.src_stride + x * P::BYTES);
}

/* The reverse of transpose_naive_read_kernel: neighbouring threads write neighbouring pixels, and
 * read them from different rows. Sectors that were read stay in the cache for the next row, so this
 * version is faster. */
template <typename P> __global__ void transpose_naive_write_kernel(ImgTurnPlan plan, Tiles tiles)
{
    int64_t x = (int64_t)(blockIdx.x / tiles.down) * TILE + threadIdx.y;
    int64_t y = (int64_t)(blockIdx.x % tiles.down) * TILE + threadIdx.x;
    for (int i = 0; i < TILE && x < plan.width && y < plan.height; i += BLOCK_ROWS, x += BLOCK_ROWS)
        copy_pixel<P>(plan.dst + x * plan.dst_stride + y * P::BYTES,
                      plan.src + y * plan.src_stride + x * P::BYTES);
}

/* Copies or mirrors rows, one pixel at a time. Reads and writes are coalesced. The kernel is
 * limited because each thread has only a few bytes in flight. */
template <typename P, bool MIRRORED>
__global__ void move_element_kernel(ImgTurnPlan plan, Tiles tiles)
{
    int64_t x = (int64_t)(blockIdx.x % tiles.across) * TILE + threadIdx.x;
    int64_t y = (int64_t)(blockIdx.x / tiles.across) * TILE + threadIdx.y;
    for (int i = 0; i < TILE && x < plan.width && y < plan.height; i += BLOCK_ROWS, y += BLOCK_ROWS)
        copy_pixel<P>(plan.dst + y * plan.dst_stride +
                          (MIRRORED ? plan.width - 1 - x : x) * P::BYTES,
                      plan.src + y * plan.src_stride + x * P::BYTES);
}

/* Launches the kernel that `choose(pixel, plan)` returns for the pixel type. */
template <typename Choose> ImgStatus launch(const ImgCall *call, ImgError *err, Choose choose)
{
    return launch_tiles(call, TILE, TILE, err,
                        [&](auto pixel, const ImgTurnPlan &plan, Tiles tiles, unsigned blocks) {
                            auto kernel = choose(pixel, plan);
                            IMG_LAUNCH(kernel, blocks, dim3(TILE, BLOCK_ROWS), 0, call->stream,
                                       plan, tiles);
                        });
}

} // namespace

ImgStatus img_turn_cuda_naive_read(const ImgCall *call, ImgError *err)
{
    return launch(call, err, [](auto pixel, const ImgTurnPlan &) {
        return transpose_naive_read_kernel<decltype(pixel)>;
    });
}

ImgStatus img_turn_cuda_naive_write(const ImgCall *call, ImgError *err)
{
    return launch(call, err, [](auto pixel, const ImgTurnPlan &) {
        return transpose_naive_write_kernel<decltype(pixel)>;
    });
}

ImgStatus img_turn_cuda_element(const ImgCall *call, ImgError *err)
{
    return launch(call, err, [](auto pixel, const ImgTurnPlan &plan) {
        using P = decltype(pixel);
        return plan.mirrored ? move_element_kernel<P, true> : move_element_kernel<P, false>;
    });
}
