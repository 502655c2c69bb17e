/* Division of rows among threads, for kernels that copy or change rows. Each thread takes a run, a
 * number of consecutive bytes of a row. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_ROW_RUNS_CUH
#define IMGTOOL_KERNELS_CORE_CUDA_ROW_RUNS_CUH

#include <stdint.h>

#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/core/status.h"

constexpr int ROW_THREADS = 256;

struct RowGrid {
    uint32_t blocks_across;
    dim3 block;
    unsigned blocks; /* number of blocks, all along grid.x because grid.y is limited to 65,535 */
};

/* Computes the grid for `rows` rows of `row_bytes` bytes, `run_bytes` per thread. Each row is
 * divided evenly among blocks. The width of a block is rounded up to a multiple of `lanes` threads.
 * The remaining threads of a block take further rows. Returns IMG_E_UNSUPPORTED if one launch
 * cannot have so many blocks. */
inline ImgStatus row_grid_of(int64_t row_bytes, int64_t rows, int run_bytes, int lanes,
                             RowGrid *grid, ImgError *err)
{
    const int64_t runs = (row_bytes + run_bytes - 1) / run_bytes;
    const int64_t blocks_across = (runs + ROW_THREADS - 1) / ROW_THREADS;
    const int64_t share = (runs + blocks_across - 1) / blocks_across;
    const int64_t across = (share + lanes - 1) / lanes * lanes;
    grid->block = dim3((unsigned)across, (unsigned)(ROW_THREADS / across));
    const int64_t blocks_down = (rows + grid->block.y - 1) / grid->block.y;
    if (blocks_across > INT32_MAX / blocks_down)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "these are too many pixels for one launch on a GPU; use the CPU");
    grid->blocks_across = (uint32_t)blocks_across;
    grid->blocks = (unsigned)(blocks_across * blocks_down);
    return IMG_OK;
}

/* Position of a thread in the grid of row_grid_of: index of its run in the row, and index of the
 * row. */
struct RowRun {
    int64_t run, y;
};

__device__ inline RowRun row_run_of(uint32_t blocks_across)
{
    return {(int64_t)(blockIdx.x % blocks_across) * blockDim.x + threadIdx.x,
            (int64_t)(blockIdx.x / blocks_across) * blockDim.y + threadIdx.y};
}

/* Returns the 16 bytes at `offset`, a multiple of 16, of the row that begins at `from` and has
 * `end` bytes. Returns zeros if `offset` is outside the row. Does not prefetch: that would make
 * copies of mirrored rows 8 % slower. */
__device__ inline uint4 load_between(const uint8_t *from, int64_t offset, int64_t end)
{
    if (offset < 0 || offset >= end)
        return make_uint4(0, 0, 0, 0);
    return __ldg(reinterpret_cast<const uint4 *>(from + offset));
}

#endif
