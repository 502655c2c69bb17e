/* Private to the stream kernel of resize on CUDA: copies a strip of the result from shared memory
 * to the picture. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_STREAM_RESIZE_STREAM_WRITE_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_STREAM_RESIZE_STREAM_WRITE_CUH

#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/resize/cuda/stream/resize_stream_rows.cuh"

namespace resize
{

/* Stores bytes `first` to `before` - 1 of `v` at the same positions of `to`. */
__device__ inline void store_bytes(uint8_t *to, uint4 v, int first, int before)
{
    uint32_t word[4];
    take_piece(word, v);
#pragma unroll
    for (int i = 0; i < WIDE_BYTES; i++)
        if (i >= first && i < before)
            to[i] = (uint8_t)(word[i / 4] >> 8 * (i % 4));
}

/* Writes the bands of the strip that begins at new column `column`. The last OTHER_THREADS threads
 * of the block use it. A thread copies the same 16 bytes of every `step`-th row; at edges it copies
 * only the bytes inside the picture. */
template <typename K> struct BandWriter {
    const uint8_t *from;
    uint8_t *to; /* destination in the picture of the thread's bytes in the next band */
    /* range of bytes in a row to write, and offset of the thread's 16 bytes in the row */
    int64_t begin, end, offset;
    int own_row, step;

    __device__ BandWriter(const StreamTask &task, const uint8_t *out, int32_t column, int32_t row)
    {
        const Task &own = task.base;
        const int number = (int)threadIdx.x - task.plan.warps * 32;
        own_row = (int)task.pieces.divide((uint32_t)max(number, 0));
        step = (int)task.pieces.divide(OTHER_THREADS);
        const int at = (max(number, 0) - own_row * (int)task.pieces.by) * WIDE_BYTES;
        /* BAND: this thread writes no rows */
        own_row = own_row < step && number >= 0 ? own_row : BAND;
        begin = (int64_t)own.across.at * (K::CHANNELS * K::SOURCE);
        end = begin + (int64_t)task.columns * COLUMN<K>;
        offset = begin + (int64_t)column * COLUMN<K> + at;
        from = out + min(own_row, BAND - 1) * task.plan.out_pitch + at;
        to = own.dst.data + (int64_t)(own.down.at + row + own_row) * (int64_t)own.dst.stride +
             offset;
    }

    /* Writes the next `rows` rows, at most BAND, from the buffer of side `side` (0 or 1) in shared
     * memory. */
    __device__ void write(const StreamTask &task, int side, int rows)
    {
        const uint8_t *piece = from + side * (BAND * task.plan.out_pitch);
        uint8_t *place = to;
        const int32_t first = (int32_t)min(max(begin - offset, (int64_t)0), (int64_t)WIDE_BYTES);
        const int32_t before = (int32_t)min(end - offset, (int64_t)WIDE_BYTES);
#pragma unroll 1
        for (int y = own_row; y < rows && first < before; y += step) {
            const uint4 bytes = *reinterpret_cast<const uint4 *>(piece);
            if (first == 0 && before == WIDE_BYTES)
                *reinterpret_cast<uint4 *>(place) = bytes;
            else
                store_bytes(place, bytes, first, before);
            piece += step * task.plan.out_pitch;
            place += step * task.base.dst.stride;
        }
        to += BAND * task.base.dst.stride;
    }
};

} // namespace resize

#endif
