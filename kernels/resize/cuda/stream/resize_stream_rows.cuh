/* Private to the fast resize on CUDA: the task of its kernel for strong shrinking, and source rows
 * that stream through shared memory. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_STREAM_RESIZE_STREAM_ROWS_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_STREAM_RESIZE_STREAM_ROWS_CUH

#include "kernels/core/cuda/async_copy.cuh"
#include "kernels/resize/cuda/resize_rows.cuh"
#include "kernels/resize/cuda/stream/resize_stream_layout.h"

namespace resize
{

/* rows that are loaded together; bytes of a warp's slice */
constexpr int GROUP_ROWS = 16, SLICE = 64;
/* Most summing warps. The others compute weights of rows and write results. */
constexpr int SUMMING_WARPS = 14, OTHER_THREADS = 64;
constexpr int STREAM_THREADS = SUMMING_WARPS * 32 + OTHER_THREADS;

/* With alpha the middle has a plane for each channel. COLUMN is the bytes of a column in a picture,
 * and BESIDE the columns of a pixel. */
template <typename K> constexpr int PLANES = K::ALPHA ? K::CHANNELS : 1;
template <typename K> constexpr int BESIDE = K::ALPHA ? 1 : K::CHANNELS;
template <typename K> constexpr int COLUMN = K::ALPHA ? K::CHANNELS *K::SOURCE : K::SOURCE;
template <typename K> constexpr int SLICE_COLUMNS = SLICE / COLUMN<K>;

struct StreamTask {
    Task base;
    ImgResizeStream plan;
    int32_t columns; /* columns of the scaled picture */
    /* pairs of weights per new pixel; pieces of 16 bytes per row of a strip */
    Divisor pairs, pieces;
};

/* A warp's columns of source rows, as they are in the picture, each in the slot of its number. The
 * warp loads its own data, as far ahead as there are slots. Positions past the picture have weight
 * 0 and repeat its last pixels. */
struct StreamRows {
    const uint8_t *source, *bottom; /* the lane's 16 bytes in its next row, and in the last row */
    uint8_t *slots;                 /* the lane's 16 bytes in slot 0 */
    int64_t half_group;             /* bytes to the eighth row from here */
    int32_t next, end;              /* the first row that is not loading yet; the end of the rows */
    int at, half_slots, count;

    /* Rows `from` to before `before`; `left` is the byte of a row where slots begin, a multiple of
     * 16. */
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

    /* Returns the row of a group that the lane loads, besides the eighth row after it. Eight lanes
     * load rows in different parts of the 128-byte period of shared memory. They are four apart,
     * because the pitch is an odd number of 16 bytes. */
    __device__ static int own_row()
    {
        return (int)threadIdx.x % 8 / 4 * 4 + (int)threadIdx.x % 32 / 8;
    }

    /* Starts loading rows, as slots become free before `needed`. */
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

    /* Waits until the rows before `row` are loaded. */
    __device__ void await(int32_t row) const
    {
        await_copies((next - row) >> 4);
        __syncwarp();
    }
};

static_assert(GROUP_ROWS == 1 << 4, "as await has it");

} // namespace resize

#endif
