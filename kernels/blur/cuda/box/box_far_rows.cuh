/* Private to the far box on CUDA: how warps load rows. Pieces of 16 bytes are copied to shared
 * memory some rows before they are needed. So accesses to global memory are coalesced, although
 * each lane uses its own group of pixels. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_FAR_ROWS_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_FAR_ROWS_CUH

#include "kernels/blur/cuda/box/box_far.cuh"
#include "kernels/core/cuda/async_copy.cuh"

/* The part of each row that a warp copies: the pieces that contain BOX_LANES groups of columns,
 * from any column `x` on. */
template <typename G> struct BoxRange {
    static constexpr int PIECES = BOX_LANES * G::BYTES / BOX_PIECE + 1;
    static constexpr int EACH = (PIECES - 1) / BOX_LANES + 1; /* most pieces per lane */
    static constexpr int BYTES = PIECES * BOX_PIECE;
    /* position of the lane's pieces in line 0; line y is y * stride bytes later */
    const uint8_t *from[EACH];
    uint32_t stride[EACH];
    int32_t first; /* number of the first piece */

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
    /* Copies the pieces of line `line`. */
    __device__ void copy(int32_t line, uint8_t *to) const
    {
        uint8_t *own = to + (int32_t)threadIdx.x % BOX_LANES * BOX_PIECE;
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if (has(i))
                begin_copy<true>(own + i * (BOX_LANES * BOX_PIECE),
                                 from[i] + (uint64_t)(uint32_t)line * stride[i]);
    }
    /* Copies the pieces of the background. */
    __device__ void copy_background(const BoxFarTask &task, uint8_t *to) const
    {
        const uint8_t *row = task.sides + (size_t)task.src.height * task.plan.side_stride;
#pragma unroll 1
        for (int32_t i = (int32_t)threadIdx.x % BOX_LANES; i < PIECES; i += BOX_LANES)
            begin_copy<true>(to + i * BOX_PIECE, row + box_rest(first + i, 3) * BOX_PIECE);
    }
};

#endif
