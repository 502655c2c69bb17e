/* Resolves cells (decode_bits.cuh) to bytes. A copy may refer to another copy, which forms a chain.
 * A tile is DECODE_TILE consecutive cells here. Chains are first followed within tiles, in shared
 * memory, by pointer doubling. After that each copy refers to an earlier tile, and each further hop
 * leads to an earlier tile until it reaches a byte.
 *
 * If a chain takes too many hops, tiles are grouped, and the chains are shortened in three steps.
 * First, copies are changed to refer to data before their group. Second, the end of each group, to
 * which the next group may refer, is resolved group by group. Third, one hop resolves every
 * remaining copy. */
#include "io/png/cuda/decode/decode_adler.cuh"
#include "io/png/cuda/decode/decode_tile.cuh"

using namespace tiles;

namespace
{

constexpr int LONG_THREADS = 1024;
#ifdef IMGTOOL_EMULATOR
/* Largest number of hops from tile to tile; longer chains are shortened instead. It is small here,
 * so that chains in the small pictures of the emulator's tests already count as long. */
constexpr uint32_t MOST_HOPS = 2;
#else
/* Largest number of hops from tile to tile; longer chains are shortened instead. If all chains have
 * this number of hops, following them takes as long as shortening them. */
constexpr uint32_t MOST_HOPS = 128;
#endif
constexpr int BYTE_THREADS = 640, AT_ONCE = 8, BYTE_ROUNDS = DECODE_TILE / BYTE_THREADS / AT_ONCE;
static_assert(BYTE_ROUNDS * AT_ONCE * BYTE_THREADS == DECODE_TILE, "threads take as many bytes");

/* Resolves the copies that refer to their own tile. A thread block processes one tile. */
__global__ void __launch_bounds__(TILE_THREADS) tile_kernel(DecodeJob job)
{
    IMG_SHARED_DYNAMIC(uint32_t, tile);
    IMG_SHARED(uint32_t, left, [2]);
    if (decode_has_failed(job))
        return;
    if (threadIdx.x < 2)
        left[threadIdx.x] = 0;
    __syncthreads();
    uint32_t start = blockIdx.x * DECODE_TILE, size = min(job.inflated - start, DECODE_TILE + 0u);
    uint32_t pairs[PAIRS];
    resolve_tile(job, start, size, tile, left, pairs, [](uint32_t cell) { return cell; });
#pragma unroll
    for (int i = 0; i < PAIRS; i++) {
        uint32_t pair = threadIdx.x + i * TILE_THREADS;
        if (2 * pair < size)
            ((uint32_t *)job.cells)[start / 2 + pair] = pairs[i];
    }
}

/* --- From tile to tile ------------------------------------------------------------------------ */

/* Eight consecutive cells that are copies or bytes. The distance of cell i counts back from
 * starts[i], the start of a tile or group. */
struct Chains {
    uint32_t cells[AT_ONCE], starts[AT_ONCE];

    /* Loads eight cells from index `first` onwards, whose distances count from `start`. Reading
     * past the last cell is safe, because the workspace has room there. */
    __device__ void load(const DecodeJob &job, uint32_t first, uint32_t start)
    {
        uint4 eight = ((const uint4 *)job.cells)[first / AT_ONCE];
        uint32_t words[AT_ONCE / 2] = {eight.x, eight.y, eight.z, eight.w};
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++) {
            cells[i] = first + i < job.inflated ? words[i / 2] >> (16 * (i % 2)) & 0xffff : 0;
            starts[i] = start;
        }
    }

    /* Replaces each copy by the cell that it refers to, in an earlier tile. Returns false if all
     * cells were bytes already. */
    __device__ bool hop(const DecodeJob &job)
    {
        bool any = false;
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++) {
            uint32_t back = cells[i] - CELL_COPY + 1;
            if (cells[i] < CELL_COPY || back > starts[i])
                continue;
            uint32_t at = starts[i] - back;
            cells[i] = job.cells[at];
            starts[i] = at / DECODE_TILE * DECODE_TILE;
            any = true;
        }
        return any;
    }

    __device__ uint2 bytes() const
    {
        uint32_t low = 0, high = 0;
#pragma unroll
        for (int i = 0; i < AT_ONCE / 2; i++) {
            low |= (cells[i] & 0xff) << (8 * i);
            high |= (cells[AT_ONCE / 2 + i] & 0xff) << (8 * i);
        }
        return make_uint2(low, high);
    }
};

/* Returns true if a thread block found chains that are too long for bytes_kernel. Other thread
 * blocks may set this flag at any time. So only one thread of a thread block calls this function,
 * and all its threads use the result. */
__device__ bool has_long_chains(const DecodeJob &job)
{
    return *(volatile uint32_t *)&job.counters->long_chains != 0;
}

/* Resolves the bytes of one tile per thread block. The chains of a tile lead to few other tiles,
 * which fit the first-level cache. Each thread resolves eight bytes at a time and follows their
 * chains together. */
__global__ void __launch_bounds__(BYTE_THREADS, 1) bytes_kernel(DecodeJob job)
{
    IMG_SHARED(uint32_t, scratch, [2]);
    IMG_SHARED(uint32_t, given_up, [1]);
    if (decode_has_failed(job))
        return;
    if (threadIdx.x < 2)
        scratch[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        given_up[0] = has_long_chains(job);
    __syncthreads();
    if (given_up[0] != 0)
        return;
    AdlerSums sums = {0, 0};
    uint32_t start = blockIdx.x * DECODE_TILE;
    for (int round = 0; round < BYTE_ROUNDS; round++) {
        uint32_t first = start + (round * BYTE_THREADS + threadIdx.x) * AT_ONCE;
        if (first >= job.inflated)
            break;
        Chains chains;
        chains.load(job, first, start);
        uint32_t hops = 0;
        while (hops <= MOST_HOPS && chains.hop(job))
            hops++;
        if (hops > MOST_HOPS)
            atomicOr(&job.counters->long_chains, 1u);
        uint2 bytes = chains.bytes();
        ((uint2 *)job.bytes)[first / AT_ONCE] = bytes;
        sums.add(bytes, job.inflated - first);
    }
    sums.give(job, scratch);
}

/* --- From group to group, for long chains ----------------------------------------------------- */

/* Division of the tiles into groups: number of cells per group, and number of groups. The loops
 * over the groups, and over the tiles of a group, run sequentially. Together they are shortest with
 * about as many groups as tiles per group. */
struct Groups {
    uint32_t cells, count;
};

/* Changes a cell so that it refers to data before its group, and returns it. The group starts at
 * `first`, the cell's tile at `start`. All earlier tiles of the group must be converted already. */
__device__ uint32_t cell_in_group(const uint16_t *cells, uint32_t cell, uint32_t start,
                                  uint32_t first)
{
    uint32_t back = cell - CELL_COPY + 1;
    if (cell < CELL_COPY || back > start)
        return cell;
    return start - back >= first ? cells[start - back] : CELL_COPY + (first - (start - back)) - 1;
}

/* Converts each group, so that its copies refer to data before the group. A thread block converts
 * one group, tile by tile. The first tile needs no conversion, because its copies already refer to
 * data before the group. */
__global__ void __launch_bounds__(LONG_THREADS) group_kernel(DecodeJob job, Groups groups)
{
    if (decode_has_failed(job) || job.counters->long_chains == 0)
        return;
    uint32_t first = blockIdx.x * groups.cells, end = min(job.inflated, first + groups.cells);
    for (uint32_t start = first + DECODE_TILE; start < end; start += DECODE_TILE) {
        uint32_t behind = min(start + DECODE_TILE, end);
        for (uint32_t at = start + 2 * threadIdx.x; at < behind; at += 2 * LONG_THREADS) {
            uint32_t *const pair = (uint32_t *)job.cells + at / 2, cells = *pair;
            *pair = cell_in_group(job.cells, cells & 0xffff, start, first) |
                    cell_in_group(job.cells, cells >> 16, start, first) << 16;
        }
        __syncthreads();
    }
}

/* Resolves the last MOST_BACK cells of each group, to which the next group may refer. Runs in one
 * thread block. The first group is resolved already. Also clears the Adler-32 sums, because
 * last_kernel computes them again. */
__global__ void __launch_bounds__(LONG_THREADS) ends_kernel(DecodeJob job, Groups groups)
{
    if (decode_has_failed(job) || job.counters->long_chains == 0)
        return;
    if (threadIdx.x == 0)
        job.counters->sum = job.counters->weighted = 0;
    for (uint32_t i = 1; i + 1 < groups.count; i++) {
        uint32_t first = i * groups.cells, end = first + groups.cells;
        for (uint32_t at = end - MOST_BACK + 2 * threadIdx.x; at < end; at += 2 * LONG_THREADS) {
            uint32_t *const pair = (uint32_t *)job.cells + at / 2, cells = *pair;
            *pair = cell_in_group(job.cells, cells & 0xffff, first, 0) |
                    cell_in_group(job.cells, cells >> 16, first, 0) << 16;
        }
        __syncthreads();
    }
}

/* Resolves all bytes as bytes_kernel does, but with at most one hop per cell, which leads to the
 * end of the previous group. */
__global__ void __launch_bounds__(BYTE_THREADS, 1) last_kernel(DecodeJob job, Groups groups)
{
    IMG_SHARED(uint32_t, scratch, [2]);
    if (decode_has_failed(job) || job.counters->long_chains == 0)
        return;
    if (threadIdx.x < 2)
        scratch[threadIdx.x] = 0;
    __syncthreads();
    AdlerSums sums = {0, 0};
    uint32_t start = blockIdx.x * DECODE_TILE, group = start / groups.cells * groups.cells;
    for (int round = 0; round < BYTE_ROUNDS; round++) {
        uint32_t first = start + (round * BYTE_THREADS + threadIdx.x) * AT_ONCE;
        if (first >= job.inflated)
            break;
        Chains chains;
        chains.load(job, first, group);
        (void)chains.hop(job);
        uint2 bytes = chains.bytes();
        ((uint2 *)job.bytes)[first / AT_ONCE] = bytes;
        sums.add(bytes, job.inflated - first);
    }
    sums.give(job, scratch);
}

/* Returns the division of `tiles` tiles into groups. A group has at least two tiles, so that copies
 * reach at most into the previous group. */
Groups make_groups(uint32_t tiles)
{
    Groups groups = {2, 0};
    while (groups.cells < tiles / groups.cells)
        groups.cells++;
    groups.count = (tiles - 1) / groups.cells + 1;
    groups.cells *= DECODE_TILE;
    return groups;
}
static_assert(2 * DECODE_TILE >= MOST_BACK && DECODE_TILE % 2 == 0 && MOST_BACK % 2 == 0,
              "pairs of cells are in one group, and in one tile");

/* Shortens long chains of copies group by group. In pictures without long chains these kernels
 * return immediately. */
void shorten_chains(const DecodeJob &job, uint32_t tiles, void *stream)
{
    DecodeJob copy = job;
    Groups groups = make_groups(tiles);
    IMG_LAUNCH(group_kernel, groups.count, LONG_THREADS, 0, stream, copy, groups);
    IMG_LAUNCH(ends_kernel, 1, LONG_THREADS, 0, stream, copy, groups);
    IMG_LAUNCH(last_kernel, tiles, BYTE_THREADS, 0, stream, copy, groups);
}

} // namespace

void img_decode_copies(const DecodeJob *job, void *stream)
{
    const int tile_bytes = DECODE_TILE * sizeof(uint16_t);
    DecodeJob copy = *job;
    uint32_t tiles = (job->inflated - 1) / DECODE_TILE + 1;
    /* The result is ignored, because cudaGetLastError reports an error later. */
    (void)cudaFuncSetAttribute(tile_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               tile_bytes);
    IMG_LAUNCH(tile_kernel, tiles, TILE_THREADS, tile_bytes, stream, copy);
    IMG_LAUNCH(bytes_kernel, tiles, BYTE_THREADS, 0, stream, copy);
    if (tiles > MOST_HOPS)
        shorten_chains(copy, tiles, stream);
}
