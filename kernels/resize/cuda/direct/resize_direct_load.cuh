/* Private to the direct kernel of resize on CUDA: loads source rows to shared memory. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_DIRECT_RESIZE_DIRECT_LOAD_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_DIRECT_RESIZE_DIRECT_LOAD_CUH

#include "kernels/resize/cuda/direct/resize_direct_task.cuh"

namespace resize
{

/* Loads source rows of a block to shared memory. Each thread loads the same unit of columns in
 * every `step`-th row. Positions beyond the picture repeat the last unit of a row, and their
 * weights are 0. */
template <typename K, int THREADS> struct Loader {
    static constexpr int TOGETHER = K::VECTORS > 2 ? 2 : 3;
    const uint8_t *source; /* address of the first column of the block in row 0 */
    int offset[K::VECTORS], own_row, step;
    uint32_t readable; /* number of bytes that the block may read in a row, from `source` on */
    uint8_t *tile;

    /* Prepares to load rows from column `left` on, which must be a multiple of the pixels in a
     * unit. */
    __device__ Loader(const Task &task, uint8_t *memory, int32_t left)
    {
        constexpr int PIXEL = K::CHANNELS * K::SOURCE;
        const int units = (int)task.units.by;
        const int64_t start = (int64_t)left * PIXEL;
        const int64_t last = ((int64_t)task.src.width * PIXEL - 1) / WIDE_BYTES * WIDE_BYTES;
        own_row = (int)task.units.divide(threadIdx.x);
        step = (int)task.units.divide(THREADS);
        const int unit = (int)threadIdx.x - own_row * units;
        own_row = own_row < step ? own_row : 1 << 20; /* 1 << 20: this thread loads no rows */
        source = task.src.data + start;
#pragma unroll
        for (int v = 0; v < K::VECTORS; v++)
            offset[v] = (int)min(last - start, (int64_t)(unit * K::UNIT_BYTES + v * WIDE_BYTES));
        tile = memory + unit * WIDE_BYTES;
        readable = (uint32_t)min(last - start + WIDE_BYTES, (int64_t)units * K::UNIT_BYTES);
    }

    /* Prefetches `count` source rows from row `from` on. */
    __device__ void announce(const Task &task, int32_t from, int32_t count) const
    {
        const int32_t y = from + (int32_t)threadIdx.x;
        if ((int32_t)threadIdx.x < count && y < task.src.height)
            announce_bytes(source + (size_t)y * task.src.stride, readable);
    }

    /* Loads rows `from` to `end` - 1 to a ring of slots. Row `from` goes to slot `at`; slot 0
     * follows the last slot. There must be at least as many slots as rows. */
    __device__ void load(const Task &task, int at, int32_t from, int32_t end) const
    {
        const int plane_bytes = task.layout.rows * task.layout.pitch;
        int slot = at + own_row;
        for (int32_t y = from + own_row; y < end; y += step * TOGETHER) {
            uint4 piece[TOGETHER][K::VECTORS];
#pragma unroll
            for (int i = 0; i < TOGETHER; i++) {
                const int32_t own = min(y + i * step, task.src.height - 1);
#pragma unroll
                for (int v = 0; v < K::VECTORS; v++)
                    if (y + i * step < end)
                        piece[i][v] = __ldg(reinterpret_cast<const uint4 *>(
                            source + (size_t)own * task.src.stride + offset[v]));
            }
#pragma unroll
            for (int i = 0; i < TOGETHER; i++)
                if (y + i * step < end) {
                    slot -= slot >= task.layout.rows ? task.layout.rows : 0;
                    put_unit<K>(task, piece[i], tile + slot * task.layout.pitch, plane_bytes);
                    slot += step;
                }
        }
    }
};

} // namespace resize

#endif
