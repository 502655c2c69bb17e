/* The optional third kernel of clahe's `cuda-fast`: computes each table once, instead of once in
 * every block that needs it. */
#include "kernels/clahe/cuda/clahe_tables.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

/* Computes the table of one tile per block. Each warp sums the counts of some of the tile's parts;
 * then one warp computes the table. */
__global__ void __launch_bounds__(CLAHE_THREADS) table_kernel(ClaheRun run)
{
    IMG_SHARED(uint32_t, sums, [CLAHE_WARPS][CLAHE_BINS]);
    const int32_t warp = (int32_t)threadIdx.x / CLAHE_LANES, tile = (int32_t)blockIdx.x;
    const uint32_t lane = threadIdx.x % CLAHE_LANES;
    uint32_t counts[CLAHE_EACH];
    IMG_AWAIT_PREVIOUS();
    clahe_let_next_start();
    clahe_add_parts(run, tile, lane * CLAHE_EACH, warp, CLAHE_WARPS, counts);
#pragma unroll
    for (int b = 0; b < CLAHE_EACH; b++)
        sums[warp][lane * CLAHE_EACH + b] = counts[b];
    __syncthreads();
    if (threadIdx.x < CLAHE_BINS) {
        uint32_t sum = 0;
#pragma unroll
        for (int i = 0; i < CLAHE_WARPS; i++)
            sum += sums[i][threadIdx.x];
        sums[0][threadIdx.x] = sum;
    }
    __syncthreads();
    if (warp > 0)
        return;
#pragma unroll
    for (int b = 0; b < CLAHE_EACH; b++)
        counts[b] = sums[0][lane * CLAHE_EACH + b];
    reinterpret_cast<uint4 *>(run.tables + (size_t)tile * CLAHE_BINS)[lane] =
        clahe_make_table(run, counts);
}

} // namespace

ImgStatus clahe_tabulate(const ImgCall *call, const ClaheRun &run, ImgError *err)
{
    const unsigned tiles = (unsigned)(run.plan.across * run.plan.down);
    IMG_LAUNCH_EARLY(table_kernel, tiles, CLAHE_THREADS, 0, call->stream, run);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
