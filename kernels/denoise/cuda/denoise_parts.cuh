/* Private to denoise_fast.cu: divides the picture among blocks, and stores their sums. */
#ifndef IMGTOOL_KERNELS_DENOISE_CUDA_DENOISE_PARTS_CUH
#define IMGTOOL_KERNELS_DENOISE_CUDA_DENOISE_PARTS_CUH

#include "kernels/denoise/cuda/denoise_tile.cuh"

/* The pixels that a block computes, called a part. A part is usually a tile. If the last tiles
 * would leave most multiprocessors idle, each is divided into several parts of DENOISE_ROWS rows.
 * The warps of a block then divide the offsets of the search among themselves. */
struct DenoisePart {
    /* position of the part in the picture, and this warp's first row in the part; all in pixels */
    int32_t left, top, line;
    int32_t rows; /* number of rows of the part */
    /* first column of offsets that this warp processes, and distance to its next one */
    int32_t first, step;
    bool is_shared;

    /* Computes the part number `number`. The tiles from number `whole` on are divided into several
     * parts. */
    __device__ DenoisePart(uint32_t number, uint32_t whole, uint32_t tiles_across, int32_t search)
        : is_shared(number >= whole)
    {
        const int32_t warp = (int32_t)threadIdx.x / DENOISE_LANES;
        const uint32_t piece = is_shared ? (number - whole) % DENOISE_WARPS : 0;
        const uint32_t tile = is_shared ? whole + (number - whole) / DENOISE_WARPS : number;
        left = (int32_t)(tile % tiles_across) * DENOISE_ACROSS;
        top = (int32_t)(tile / tiles_across) * DENOISE_DOWN + (int32_t)piece * DENOISE_ROWS;
        line = is_shared ? 0 : warp * DENOISE_ROWS;
        rows = is_shared ? DENOISE_ROWS : DENOISE_DOWN;
        first = is_shared ? warp - search : -search;
        step = is_shared ? DENOISE_WARPS : 1;
    }
};

/* Stores the mean of pixel `j` of a lane in row `y`. */
template <bool WIDE, int COLORS>
__device__ void denoise_store(const ImgView &dst, int32_t left, int32_t y, int j,
                              const PairSums<WIDE, COLORS> &sums)
{
    const int32_t lane = (int32_t)threadIdx.x % DENOISE_LANES;
    const int32_t x = left + (lane - 1) * DENOISE_OWN + j;
    if (lane > 0 && lane + 1 < DENOISE_LANES && x < dst.width && y < dst.height)
        PairSums<WIDE, COLORS>::store(dst, x, y, sums.means());
}

/* Adds up the sums that all warps of a block have for the same pixels. `all` is the shared memory
 * for this. Then each warp stores one row of means. */
template <bool WIDE, int COLORS>
__device__ void denoise_join(uint32_t *all, const ImgView &dst, const DenoisePart &part,
                             const PairSums<WIDE, COLORS> (&sums)[DENOISE_ROWS][DENOISE_OWN])
{
    constexpr int EACH = PairSums<WIDE, COLORS>::PARTS + 1;
    static_assert(DENOISE_ROWS == DENOISE_WARPS, "a row for each warp");
    const int32_t lane = (int32_t)threadIdx.x % DENOISE_LANES;
    const int32_t warp = (int32_t)threadIdx.x / DENOISE_LANES;
    __syncthreads(); /* waits until all threads have read the tile, whose memory is used again */
    for (int32_t turn = 0; turn < DENOISE_WARPS; turn++) {
        IMG_DENOISE_UNROLL
        for (int k = 0; k < DENOISE_ROWS * DENOISE_OWN * EACH; k++) {
            const PairSums<WIDE, COLORS> &own =
                sums[k / EACH / DENOISE_OWN][k / EACH % DENOISE_OWN];
            const uint32_t sum = k % EACH + 1 < EACH ? own.parts[k % EACH] : own.weights;
            if (warp == turn)
                all[k * DENOISE_LANES + lane] =
                    sum + (turn > 0 ? all[k * DENOISE_LANES + lane] : 0);
        }
        __syncthreads();
    }
    IMG_DENOISE_UNROLL
    for (int j = 0; j < DENOISE_OWN; j++) {
        const uint32_t *from = all + ((warp * DENOISE_OWN + j) * EACH) * DENOISE_LANES + lane;
        PairSums<WIDE, COLORS> sum;
        IMG_DENOISE_UNROLL
        for (int p = 0; p + 1 < EACH; p++)
            sum.parts[p] = from[p * DENOISE_LANES];
        sum.weights = from[(EACH - 1) * DENOISE_LANES];
        denoise_store(dst, part.left, part.top + warp, j, sum);
    }
}

#endif
