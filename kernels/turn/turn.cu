/* The turn family on CUDA: a naive kernel, a tiled and padded transpose, and moved rows.
 * All take signed strides (kernels/turn/turn.h), so each serves every turn of its kind. */
#include "kernels/core/cuda_util.h"
#include "kernels/turn/turn.h"

namespace
{

/* A tile of 32 x 32 pixels is worked by 32 x 8 threads, four rows each. */
constexpr int TILE = 32;
constexpr int BLOCK_ROWS = 8;
constexpr int BANK_BYTES = 4;

/* A pixel as a warp moves it: COUNT units of 1, 2, 4 or 8 bytes, aligned to the unit. */
template <typename Unit_, int COUNT_> struct Pixel {
    using Unit = Unit_;
    static constexpr int COUNT = COUNT_;
    static constexpr int BYTES = COUNT_ * (int)sizeof(Unit_);
};

struct Tiles {
    int64_t across, down; /* of the source */
};

__host__ __device__ Tiles tiles_of(const ImgTurnPlan &plan)
{
    return {(plan.width + (int64_t)TILE - 1) / TILE, (plan.height + (int64_t)TILE - 1) / TILE};
}

template <typename P> __device__ void copy_pixel(uint8_t *dst, const uint8_t *src)
{
    using Unit = typename P::Unit;
#pragma unroll
    for (int i = 0; i < P::COUNT; i++)
        reinterpret_cast<Unit *>(dst)[i] = reinterpret_cast<const Unit *>(src)[i];
}

/* One pixel a thread; neighbours in x read neighbouring pixels. In a transpose each then writes to
 * a row of its own: a warp touches 32 sectors to write 32 pixels, which is what limits it. */
template <typename P, bool TRANSPOSED, bool MIRRORED>
__global__ void move_naive_kernel(ImgTurnPlan plan)
{
    Tiles tiles = tiles_of(plan);
    int64_t x = blockIdx.x % tiles.across * TILE + threadIdx.x;
    int64_t y = blockIdx.x / tiles.across * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += BLOCK_ROWS, y += BLOCK_ROWS) {
        if (x >= plan.width || y >= plan.height)
            return;
        int64_t to_x = MIRRORED ? plan.width - 1 - x : x;
        int64_t column = TRANSPOSED ? y : to_x, row = TRANSPOSED ? x : y;
        copy_pixel<P>(plan.dst + row * plan.dst_stride + column * P::BYTES,
                      plan.src + y * plan.src_stride + x * P::BYTES);
    }
}

/* Transpose through shared memory: a warp reads 32 neighbouring pixels of a source row and writes
 * 32 neighbouring pixels of a destination row. The tile is read by columns, whose pixels would
 * share a few banks; rows are therefore longer than their pixels by one bank (by one pixel of 8
 * bytes, whose halves take two banks in any case). One element a thread keeps few bytes in flight:
 * that limits. */
template <typename P> __global__ void transpose_padded_kernel(ImgTurnPlan plan)
{
    using Unit = typename P::Unit;
    constexpr int PADDING =
        sizeof(Unit) >= BANK_BYTES ? 1 : BANK_BYTES / (int)sizeof(Unit); /* units */
    __shared__ Unit tile[TILE][TILE * P::COUNT + PADDING];

    Tiles tiles = tiles_of(plan);
    int64_t left = blockIdx.x / tiles.down * TILE, top = blockIdx.x % tiles.down * TILE;
    int64_t x = left + threadIdx.x;
    for (int i = threadIdx.y; i < TILE; i += BLOCK_ROWS) {
        int64_t y = top + i;
        if (x < plan.width && y < plan.height) {
            const Unit *src =
                reinterpret_cast<const Unit *>(plan.src + y * plan.src_stride) + x * P::COUNT;
#pragma unroll
            for (int k = 0; k < P::COUNT; k++)
                tile[i][threadIdx.x * P::COUNT + k] = src[k];
        }
    }
    __syncthreads();
    int64_t column = top + threadIdx.x;
    for (int i = threadIdx.y; i < TILE; i += BLOCK_ROWS) {
        int64_t row = left + i;
        if (row < plan.width && column < plan.height) {
            Unit *dst =
                reinterpret_cast<Unit *>(plan.dst + row * plan.dst_stride) + column * P::COUNT;
#pragma unroll
            for (int k = 0; k < P::COUNT; k++)
                dst[k] = tile[threadIdx.x][i * P::COUNT + k];
        }
    }
}

/* All blocks lie along grid.x, which takes 2^31 - 1 of them; grid.y would end at 65,535. */
ImgStatus grid_of(const ImgTurnPlan &plan, dim3 *grid, ImgError *err)
{
    Tiles tiles = tiles_of(plan);
    if (tiles.across > INT32_MAX / tiles.down)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "%d x %d pixels are too many for one launch on a GPU; use --backend cpu",
                        plan.width, plan.height);
    *grid = dim3((unsigned)(tiles.across * tiles.down));
    return IMG_OK;
}

template <typename P>
void launch_naive(const ImgTurnPlan &plan, dim3 grid, dim3 block, cudaStream_t stream)
{
    if (plan.transposed)
        move_naive_kernel<P, true, false><<<grid, block, 0, stream>>>(plan);
    else if (plan.mirrored)
        move_naive_kernel<P, false, true><<<grid, block, 0, stream>>>(plan);
    else
        move_naive_kernel<P, false, false><<<grid, block, 0, stream>>>(plan);
}

template <typename P> ImgStatus launch(const ImgCall *call, bool padded, ImgError *err)
{
    ImgTurnPlan plan = img_turn_plan(call);
    dim3 grid, block(TILE, BLOCK_ROWS);
    ImgStatus status = grid_of(plan, &grid, err);
    if (status != IMG_OK)
        return status;
    cudaStream_t stream = (cudaStream_t)call->stream;
    if (padded && plan.transposed)
        transpose_padded_kernel<P><<<grid, block, 0, stream>>>(plan);
    else
        launch_naive<P>(plan, grid, block, stream); /* moved rows are coalesced on both sides */
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

ImgStatus launch_by_size(const ImgCall *call, bool padded, ImgError *err)
{
    switch (img_format_pixel_size(call->src.format)) {
    case 1:
        return launch<Pixel<uint8_t, 1>>(call, padded, err);
    case 2:
        return launch<Pixel<uint16_t, 1>>(call, padded, err);
    case 3:
        return launch<Pixel<uint8_t, 3>>(call, padded, err);
    case 4:
        return launch<Pixel<uint32_t, 1>>(call, padded, err);
    case 6:
        return launch<Pixel<uint16_t, 3>>(call, padded, err);
    case 8:
        return launch<Pixel<uint2, 1>>(call, padded, err);
    default:
        return img_fail(err, IMG_E_UNSUPPORTED, "no CUDA kernel for this pixel size");
    }
}

} // namespace

ImgStatus img_turn_cuda_naive(const ImgCall *call, ImgError *err)
{
    return launch_by_size(call, false, err);
}

ImgStatus img_turn_cuda_padded(const ImgCall *call, ImgError *err)
{
    return launch_by_size(call, true, err);
}
