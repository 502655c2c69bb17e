/* Cells become bytes. Chains of copies are followed within tiles first, in shared memory, in steps
 * that double: after that a copy refers to a tile before, and from there one hop a tile leads to a
 * byte. */
#include "io/png/cuda/decode/decode_cells.cuh"

namespace
{

constexpr int TILE_THREADS = 1024, EACH = DECODE_TILE / TILE_THREADS;
constexpr int MOST_ROUNDS = 16; /* more than the logarithm of a tile */
constexpr int BYTE_THREADS = 256, AT_ONCE = 8;
static_assert(EACH * TILE_THREADS == DECODE_TILE, "threads take equally many cells");

/* As a cell of the tile that is being resolved. `at` is its number in the tile, which starts at
 * byte `start`. */
__device__ uint32_t cell_in_tile(uint32_t cell, uint32_t at, uint32_t start)
{
    if (cell < CELL_COPY)
        return cell % CELLS_OF_BYTES;
    uint32_t back = cell - CELL_COPY + 1;
    if (back > start + at) /* no such byte: seen before, by decode_write */
        return 0;
    return back <= at ? CELLS_OF_BYTES + at - back : CELL_COPY + (back - at) - 1;
}

__device__ bool is_inside(uint32_t cell)
{
    return cell >= CELLS_OF_BYTES && cell < CELL_COPY;
}

__global__ void __launch_bounds__(TILE_THREADS) tile_kernel(DecodeWork work)
{
    IMG_SHARED_DYNAMIC(uint16_t, tile);
    IMG_SHARED(uint32_t, left, [1]);
    if (decode_is_over(work))
        return;
    uint32_t start = blockIdx.x * DECODE_TILE, size = min(work.inflated - start, DECODE_TILE + 0u);
    uint16_t cells[EACH];
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        uint32_t at = threadIdx.x + i * TILE_THREADS;
        if (at < size)
            tile[at] = (uint16_t)cell_in_tile(work.cells[start + at], at, start);
    }
    for (int round = 0; round < MOST_ROUNDS; round++) {
        bool any = false;
        if (threadIdx.x == 0)
            left[0] = 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            uint32_t at = threadIdx.x + i * TILE_THREADS;
            if (at >= size)
                break;
            cells[i] = tile[at];
            if (is_inside(cells[i]))
                cells[i] = tile[cells[i] - CELLS_OF_BYTES];
            any = any || is_inside(cells[i]);
        }
        if (any)
            atomicOr(&left[0], 1u);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            uint32_t at = threadIdx.x + i * TILE_THREADS;
            if (at < size)
                tile[at] = cells[i];
        }
        bool done = left[0] == 0;
        __syncthreads();
        if (done)
            break;
    }
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        uint32_t at = threadIdx.x + i * TILE_THREADS;
        if (at < size)
            work.cells[start + at] = cells[i];
    }
}

/* Eight bytes per thread, whose chains are followed at the same time. The workspace has room for
 * more than the last ones. */
__global__ void __launch_bounds__(BYTE_THREADS) bytes_kernel(DecodeWork work)
{
    uint32_t first = (blockIdx.x * BYTE_THREADS + threadIdx.x) * AT_ONCE, at[AT_ONCE];
    uint32_t cells[AT_ONCE];
    if (decode_is_over(work) || first >= work.inflated)
        return;
    uint4 eight = ((const uint4 *)work.cells)[first / AT_ONCE];
    uint32_t words[AT_ONCE / 2] = {eight.x, eight.y, eight.z, eight.w};
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++) {
        at[i] = first + i;
        cells[i] = at[i] < work.inflated ? words[i / 2] >> (16 * (i % 2)) & 0xffff : 0;
    }
    /* Each hop leads to a tile before. */
    for (bool any = true; any;) {
        any = false;
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++) {
            uint32_t start = at[i] / DECODE_TILE * DECODE_TILE, back = cells[i] - CELL_COPY + 1;
            if (cells[i] < CELL_COPY || back > start)
                continue;
            at[i] = start - back;
            cells[i] = work.cells[at[i]];
            any = true;
        }
    }
    uint32_t low = 0, high = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        low |= (cells[i] & 0xff) << (8 * i);
        high |= (cells[4 + i] & 0xff) << (8 * i);
    }
    ((uint2 *)work.bytes)[first / AT_ONCE] = make_uint2(low, high);
}

} // namespace

void decode_copies(const DecodeWork *work, void *stream)
{
    DecodeWork copy = *work;
    uint32_t tiles = (work->inflated - 1) / DECODE_TILE + 1;
    uint32_t blocks = (work->inflated - 1) / (AT_ONCE * BYTE_THREADS) + 1;
    IMG_LAUNCH(tile_kernel, tiles, TILE_THREADS, DECODE_TILE * sizeof(uint16_t), stream, copy);
    IMG_LAUNCH(bytes_kernel, blocks, BYTE_THREADS, 0, stream, copy);
}
