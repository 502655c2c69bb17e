/* Private to the fast resize on CUDA: the parameters of its kernel for strong shrinking, and source
 * rows in shared memory, which is used as a ring. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_STREAM_RESIZE_STREAM_ROWS_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_STREAM_RESIZE_STREAM_ROWS_CUH

#include "kernels/core/cuda/async_copy.cuh"
#include "kernels/resize/cuda/resize_rows.cuh"
#include "kernels/resize/cuda/stream/resize_stream_layout.h"

namespace resize
{

/* source rows that are loaded together; bytes of a warp's slice in each of them */
constexpr int GROUP_ROWS = 16, SLICE = 64;
/* Most warps that sum. The other threads compute weights of rows and write results. */
constexpr int SUMMING_WARPS = 14, OTHER_THREADS = 64;
constexpr int STREAM_THREADS = SUMMING_WARPS * 32 + OTHER_THREADS;

/* PLANES is the number of planes of the middle: with alpha, one for each channel. COLUMN is the
 * bytes of a column in the picture, and BESIDE the number of columns of a pixel. */
template <typename K> constexpr int PLANES = K::ALPHA ? K::CHANNELS : 1;
template <typename K> constexpr int BESIDE = K::ALPHA ? 1 : K::CHANNELS;
template <typename K> constexpr int COLUMN = K::ALPHA ? K::CHANNELS *K::SOURCE : K::SOURCE;
template <typename K> constexpr int SLICE_COLUMNS = SLICE / COLUMN<K>;

struct StreamTask {
    Task base;
    ImgResizeStream plan;
    int32_t columns; /* number of columns of the scaled picture */
    /* divide by the pairs of weights per new pixel; by the 16-byte pieces of a strip's row */
    Divisor pairs, pieces;
};

/* A warp's columns of source rows in shared memory, in the format of the picture. Each warp loads
 * its own data, as far ahead as there are free slots. Positions beyond the picture repeat its last
 * pixels, and their weights are 0. */
struct StreamRows {
    /* the lane's 16 bytes in the next row that it loads; the same in the last row */
    const uint8_t *source, *bottom;
    uint8_t *slots;     /* the lane's 16 bytes in slot 0 */
    int64_t half_group; /* distance to the row eight rows below, in bytes */
    int32_t next, end;  /* first row that is not being loaded yet; end of the rows */
    int at, half_slots, count;

    /* Prepares to load rows `from` to before `before`. The slots begin with byte `left` of a row, a
     * multiple of 16. */
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

    /* Returns which row of a group of 16 the lane loads; it also loads the eighth row after that.
     * Eight lanes that work together load rows that are four apart. So they write to different
     * parts of the 128-byte period of shared memory, because the pitch is an odd multiple of 16
     * bytes. */
    __device__ static int own_row()
    {
        return (int)threadIdx.x % 8 / 4 * 4 + (int)threadIdx.x % 32 / 8;
    }

    /* Starts to load rows into all slots that only held rows before `needed`. */
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

    /* Waits until all rows before `row` are loaded. */
    __device__ void await(int32_t row) const
    {
        await_copies((next - row) >> 4);
        __syncwarp();
    }
};

static_assert(GROUP_ROWS == 1 << 4, "as await has it");

} // namespace resize

#endif
