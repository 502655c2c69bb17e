/* How kernels that move rows divide them: into runs of bytes, one for each thread. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_ROW_RUNS_CUH
#define IMGTOOL_KERNELS_CORE_CUDA_ROW_RUNS_CUH

#include <stdint.h>

#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/core/status.h"

constexpr int ROW_THREADS = 256;

struct RowGrid {
    uint32_t blocks_across;
    dim3 block;
    unsigned blocks; /* all along grid.x: grid.y would end at 65,535 */
};

/* Blocks are as wide as an even share of a row, a multiple of `lanes` threads, and the rest of
 * their threads lie below each other. */
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

/* A thread's place in such a grid. */
struct RowRun {
    int64_t run, y;
};

__device__ inline RowRun row_run_of(uint32_t blocks_across)
{
    return {(int64_t)(blockIdx.x % blocks_across) * blockDim.x + threadIdx.x,
            (int64_t)(blockIdx.x / blocks_across) * blockDim.y + threadIdx.y};
}

/* The 16 bytes at `offset`, a multiple of 16, of what begins at `from` and ends after `end` bytes;
 * zeros where that is outside. A plain load: rows are read from end to end, and fetching ahead of
 * them costs mirrored ones 8 %. */
__device__ inline uint4 load_between(const uint8_t *from, int64_t offset, int64_t end)
{
    if (offset < 0 || offset >= end)
        return make_uint4(0, 0, 0, 0);
    return __ldg(reinterpret_cast<const uint4 *>(from + offset));
}

#endif
