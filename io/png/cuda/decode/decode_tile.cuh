/* Resolves the copies within a tile of cells (decode_bits.cuh) with all threads of a thread block.
 */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_TILE_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_TILE_CUH

#include "io/png/cuda/decode/decode_bits.cuh"

namespace tiles
{

constexpr int TILE_THREADS = 1024, PAIRS = DECODE_TILE / 2 / TILE_THREADS;
/* Largest number of rounds of pointer doubling. It exceeds log2(DECODE_TILE), so pointer doubling
 * always finishes. */
constexpr int MOST_ROUNDS = 16;
static_assert(PAIRS * 2 * TILE_THREADS == DECODE_TILE, "threads take equally many cells");

/* Converts a cell (decode_bits.cuh) to the form that is used while its tile is resolved. `at` is
 * the cell's index in the tile. A copy does not reach before the first byte: a file with such a
 * copy has failed. */
__device__ inline uint32_t cell_in_tile(uint32_t cell, uint32_t at)
{
    const uint32_t back = cell - CELL_COPY + 1;
    const uint32_t copy = back <= at ? CELLS_OF_BYTES + at - back : cell - at;
    return cell < CELL_COPY ? cell : copy;
}

__device__ inline bool is_inside(uint32_t cell)
{
    return cell >= CELLS_OF_BYTES && cell < CELL_COPY;
}

__device__ inline uint32_t next_cell(const uint16_t *tile, uint32_t cell)
{
    return is_inside(cell) ? tile[cell - CELLS_OF_BYTES] : cell;
}

/* Resolves the copies of the tile that starts at cell `start` and has `size` cells. Each thread has
 * PAIRS pairs of cells, and gets them in `pairs`; pair i is pair threadIdx.x + i * TILE_THREADS of
 * the tile. `outside` returns the cell for a copy that refers to data before the tile. `tile` is
 * shared memory for the tile. `left` has two flags in shared memory, which must be 0: one for this
 * round of pointer doubling and one for the next. A flag is 1 if any cell is not resolved yet. The
 * last pair may reach one cell past the end of the data, for which the workspace has room. */
template <typename Outside>
__device__ inline void resolve_tile(const DecodeJob &job, uint32_t start, uint32_t size,
                                    uint32_t *tile, uint32_t left[2], uint32_t pairs[PAIRS],
                                    Outside outside)
{
    const uint32_t *const from = (const uint32_t *)job.cells + start / 2;
    uint32_t open = 0; /* bit i: pair i still refers to a cell of this tile */
#pragma unroll
    for (int i = 0; i < PAIRS; i++) {
        uint32_t pair = threadIdx.x + i * TILE_THREADS, at = 2 * pair;
        uint32_t cells = at < size ? from[pair] : 0;
        uint32_t low = outside(cell_in_tile(cells & 0xffff, at));
        uint32_t high = at + 1 < size ? outside(cell_in_tile(cells >> 16, at + 1)) : 0;
        open |= (is_inside(low) || is_inside(high) ? 1u : 0u) << i;
        pairs[i] = low | high << 16;
        tile[pair] = pairs[i];
    }
    for (int round = 0; round < MOST_ROUNDS; round++) {
        if (__any_sync(0xffffffffu, open != 0) && threadIdx.x % 32 == 0)
            atomicOr(&left[round % 2], 1u);
        __syncthreads();
        if (left[round % 2] == 0)
            break;
        if (threadIdx.x == 0)
            left[(round + 1) % 2] = 0;
        uint32_t changed = open;
#pragma unroll
        for (int i = 0; i < PAIRS; i++) {
            if ((changed >> i & 1) == 0)
                continue;
            uint32_t low = next_cell((const uint16_t *)tile, pairs[i] & 0xffff);
            uint32_t high = next_cell((const uint16_t *)tile, pairs[i] >> 16);
            if (!is_inside(low) && !is_inside(high))
                open &= ~(1u << i);
            pairs[i] = low | high << 16;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < PAIRS; i++)
            if ((changed >> i & 1) != 0)
                tile[threadIdx.x + i * TILE_THREADS] = pairs[i];
    }
}

} // namespace tiles

#endif
