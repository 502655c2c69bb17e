/* Private to the stream kernel of resize on CUDA: its parameters, and source rows in a ring in
 * shared memory. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_STREAM_ROWS_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_STREAM_ROWS_CUH

#include "kernels/core/cuda/async_copy.cuh"
#include "kernels/resize/cuda/resize_rows.cuh"
#include "kernels/resize/cuda/resize_stream_layout.h"

namespace resize
{

/* GROUP_ROWS is the number of source rows that are loaded together. SLICE is the number of bytes of
 * a row that one warp processes. */
constexpr int GROUP_ROWS = 16, SLICE = 64;
/* SUMMING_WARPS is the largest number of warps in a block that compute sums. OTHER_THREADS is the
 * number of its other threads, which compute weights of rows and write results. */
constexpr int SUMMING_WARPS = 14, OTHER_THREADS = 64;
constexpr int STREAM_THREADS = SUMMING_WARPS * 32 + OTHER_THREADS;

/* Here a column is one pixel of a row if there is alpha, otherwise one sample. PLANES is the number
 * of planes of vertical sums: one for each channel if there is alpha, otherwise 1. BESIDE is the
 * number of columns in a pixel. COLUMN is the size of a column in the picture in bytes. */
template <typename K> constexpr int PLANES = K::ALPHA ? K::CHANNELS : 1;
template <typename K> constexpr int BESIDE = K::ALPHA ? 1 : K::CHANNELS;
template <typename K> constexpr int COLUMN = K::ALPHA ? K::CHANNELS *K::SOURCE : K::SOURCE;
template <typename K> constexpr int SLICE_COLUMNS = SLICE / COLUMN<K>;

struct StreamTask {
    Task base;
    ImgResizeStream plan;
    int32_t columns; /* number of columns in the scaled picture */
    /* `pairs` divides by the number of pairs of weights per result pixel, `pieces` by the number of
     * 16-byte pieces in a strip's row */
    Divisor pairs, pieces;
};

/* A warp's columns of source rows in shared memory, in the format of the picture. Each warp loads
 * its own columns, as far ahead as there are free slots. Positions beyond the picture repeat its
 * last pixels, and their weights are 0. */
struct StreamRows {
    /* addresses of the 16 bytes that the lane loads: in the next row to load, and in the last row
     * of the source */
    const uint8_t *source, *bottom;
    uint8_t *slots; /* address of the lane's 16 bytes in slot 0 */
    /* distance in bytes, in the source, from a row to the eighth row below it */
    int64_t half_group;
    int32_t next, end; /* first row that is not yet being loaded; row after the last one to load */
    int at, half_slots, count;

    /* Prepares to load the source rows from `from` to `before` - 1. Slots begin with byte `left` of
     * a row, a multiple of 16. */
    __device__ StreamRows(const StreamTask &task, uint8_t *memory, int64_t left, int64_t row_bytes,
                          int32_t from, int32_t before)
        : half_group(8 * (int64_t)task.base.src.stride), next(from), end(before), at(0),
          half_slots(8 * task.plan.pitch), count(task.plan.rows)
    {
        const int offset = (int)threadIdx.x / 32 * SLICE + (int)threadIdx.x % 4 * WIDE_BYTES;
        const uint8_t *top =
            task.base.src.data + min(left + offset, (row_bytes - 1) / WIDE_BYTES * WIDE_BYTES);
        source = top + (from + own_row()) * (int64_t)task.base.src.stride;
        bottom = top + (task.base.src.height - 1) * (int64_t)task.base.src.stride;
        slots = memory + own_row() * task.plan.pitch + offset;
    }

    /* Returns the index, in a group of 16 rows, of the first row that the lane loads. The lane also
     * loads the eighth row after it. Eight lanes that store at the same time store to two rows,
     * which are four rows apart. Because the pitch is an odd multiple of 16 bytes, these lanes
     * write to different banks of shared memory. */
    __device__ static int own_row()
    {
        return (int)threadIdx.x % 8 / 4 * 4 + (int)threadIdx.x % 32 / 8;
    }

    /* Starts to load the next source rows, GROUP_ROWS at a time, while there are free slots. A slot
     * is free if its row is before `needed`, the first row that is still used. */
    __device__ void ask(int32_t needed)
    {
        const int32_t before = min(end, needed + count - (GROUP_ROWS - 1));
        __syncwarp();
#pragma unroll 1
        for (; next < before; next += GROUP_ROWS) {
            const uint8_t *second = source + half_group;
            begin_copy(slots + at, source < bottom ? source : bottom);
            begin_copy(slots + at + half_slots, second < bottom ? second : bottom);
            end_copy_group();
            source = second + half_group;
            at += 2 * half_slots;
            at = at == count / 8 * half_slots ? 0 : at;
        }
    }

    /* Waits until all source rows before `row` are in shared memory. */
    __device__ void await(int32_t row) const
    {
        await_copies((next - row) >> 4);
        __syncwarp();
    }
};

static_assert(GROUP_ROWS == 1 << 4, "as await has it");

} // namespace resize

#endif
