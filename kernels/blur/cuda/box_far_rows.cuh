/* Private to the "far" box on CUDA (boxblur with a large radius): loads rows. A warp copies pieces
 * of 16 bytes to shared memory some rows before it needs them. Thus its accesses to global memory
 * are coalesced, although each lane processes its own group of pixels. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_BOX_FAR_ROWS_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_BOX_FAR_ROWS_CUH

#include "kernels/blur/cuda/box_far.cuh"
#include "kernels/core/cuda/async_copy.cuh"

/* The part of each row that a warp copies: the pieces that contain the columns of BOX_LANES groups,
 * from column `x` on. */
template <typename G> struct BoxRange {
    static constexpr int PIECES = BOX_LANES * G::BYTES / BOX_PIECE + 1;
    /* largest number of pieces that a lane copies */
    static constexpr int EACH = (PIECES - 1) / BOX_LANES + 1;
    static constexpr int BYTES = PIECES * BOX_PIECE;
    /* addresses of the lane's pieces in row 0 of the source; those in row y are y * stride bytes
     * later */
    const uint8_t *from[EACH];
    uint32_t stride[EACH];
    int32_t first; /* index in the row of the first piece that the warp copies */

    __device__ BoxRange(const BoxFarTask &task, int32_t x) : first(box_piece_of(x * G::PIXEL))
    {
        const BoxFarPlan &plan = task.plan;
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const int32_t piece = first + i * BOX_LANES + (int32_t)threadIdx.x % BOX_LANES;
            const int32_t slot = box_slot_of(&plan, piece);
            from[i] = slot < 0 ? task.src.data + (ptrdiff_t)piece * BOX_PIECE
                               : task.sides + slot * BOX_PIECE;
            stride[i] = slot < 0 ? (uint32_t)task.src.stride : plan.side_stride;
        }
    }
    __device__ static bool has(int i)
    {
        return (i + 1) * BOX_LANES <= PIECES ||
               i * BOX_LANES + (int32_t)threadIdx.x % BOX_LANES < PIECES;
    }
    /* Starts to copy the warp's pieces of source row `line` to `to`. */
    __device__ void copy(int32_t line, uint8_t *to) const
    {
        uint8_t *own = to + (int32_t)threadIdx.x % BOX_LANES * BOX_PIECE;
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if (has(i))
                begin_copy<true>(own + i * (BOX_LANES * BOX_PIECE),
                                 from[i] + (uint64_t)(uint32_t)line * stride[i]);
    }
    /* Starts to copy a row of the background, instead of a source row, to `to`. */
    __device__ void copy_background(const BoxFarTask &task, uint8_t *to) const
    {
        const uint8_t *row = task.sides + (size_t)task.src.height * task.plan.side_stride;
#pragma unroll 1
        for (int32_t i = (int32_t)threadIdx.x % BOX_LANES; i < PIECES; i += BOX_LANES)
            begin_copy<true>(to + i * BOX_PIECE, row + box_rest(first + i, 3) * BOX_PIECE);
    }
};

#endif
