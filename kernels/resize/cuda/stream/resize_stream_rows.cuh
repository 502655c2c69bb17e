/* Private to the fast resize on CUDA: the task of its kernel for what becomes much smaller, and
 * rows of the source that stream through shared memory. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_STREAM_RESIZE_STREAM_ROWS_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_STREAM_RESIZE_STREAM_ROWS_CUH

#include "kernels/core/cuda/async_copy.cuh"
#include "kernels/resize/cuda/resize_rows.cuh"
#include "kernels/resize/cuda/stream/resize_stream_layout.h"

namespace resize
{

constexpr int GROUP_ROWS = 16, SLICE = 64; /* rows that are loaded together; bytes of a warp's */
/* Warps that sum, at most; others make weights of rows and write results. */
constexpr int SUMMING_WARPS = 14, OTHER_THREADS = 64;
constexpr int STREAM_THREADS = SUMMING_WARPS * 32 + OTHER_THREADS;

/* With alpha the middle has a plane for each channel. COLUMN are a column's bytes in a picture, and
 * BESIDE columns are a pixel. */
template <typename K> constexpr int PLANES = K::ALPHA ? K::CHANNELS : 1;
template <typename K> constexpr int BESIDE = K::ALPHA ? 1 : K::CHANNELS;
template <typename K> constexpr int COLUMN = K::ALPHA ? K::CHANNELS *K::SOURCE : K::SOURCE;
template <typename K> constexpr int SLICE_COLUMNS = SLICE / COLUMN<K>;

struct StreamTask {
    Task base;
    ImgResizeStream plan;
    int32_t columns;       /* of the result that are made */
    Divisor pairs, pieces; /* of weights of a new pixel; of 16 bytes of a strip's row */
};

/* The warp's columns of rows of the source, as they are in the picture, each in the slot of its
 * number. The warp loads what it sums itself, as far ahead as there are slots. What lies past the
 * picture, which counts 0 times, is what is last in it. */
struct StreamRows {
    const uint8_t *source, *bottom; /* the lane's 16 bytes of its next row, and of the last one */
    uint8_t *slots;                 /* and of slot 0 */
    int64_t half_group;             /* bytes to the eighth row further on */
    int32_t next, end;              /* the first row that is not asked for yet; after the last */
    int at, half_slots, count;

    /* Rows from `from` to before `before`; `left` is the first byte of a row in slots, a multiple
     * of 16. */
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

    /* Of a group the lane loads this row, and the eighth after it: eight lanes rows that lie in
     * different parts of shared memory's 128 bytes, four apart as the pitch is an odd number of 16
     * bytes. */
    __device__ static int own_row()
    {
        return (int)threadIdx.x % 8 / 4 * 4 + (int)threadIdx.x % 32 / 8;
    }

    /* Asks for rows whose slots hold none from `needed` on. */
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

    /* Until those before `row` are there. */
    __device__ void await(int32_t row) const
    {
        await_copies((next - row) >> 4);
        __syncwarp();
    }
};

static_assert(GROUP_ROWS == 1 << 4, "as await has it");

} // namespace resize

#endif
