/* Plans the deflate blocks of a unit: which segments belong to each block, the block's codes and
 * header, and the size of each segment in bits. Each thread block plans one deflate block. */
#include "io/png/cuda/encode/encode_header.cuh"
#include "io/png/cuda/encode/encode_jobs.cuh"
#include "io/png/cuda/matches/match_job.h"

namespace
{

static_assert((int)MATCH_LITERALS == (int)ENCODE_SYMBOLS, "the same symbols");
static_assert((int)MATCH_DISTANCES == DISTANCES, "the same distances");
static_assert((int)MATCH_HEADER_WORDS == (int)ENCODE_HEADER_WORDS, "the same headers");
static_assert(MATCH_SYMBOLS <= THREADS, "a thread for each symbol");

struct Shared {
    uint16_t tokens[THREADS]; /* number of tokens in each of the segments loaded */
    MatchBlock block;
    uint32_t counts[MATCH_SYMBOLS];
    uint8_t lengths[MATCH_SYMBOLS];
    uint32_t codes[MATCH_SYMBOLS];
    huffman::Scratch huffman;
    Header header;
    uint32_t scratch[WARPS], more_scratch[WARPS], bits;
};

/* --- Segments --------------------------------------------------------------------------------- */

/* Assigns the next `count` segments to blocks, until block `wanted` is complete. `*blocks` counts
 * complete blocks, `*in_block` the tokens of the current block. Called by one thread. */
__device__ void divide(const uint16_t *tokens, uint32_t first, uint32_t count, uint32_t wanted,
                       uint32_t *blocks, uint32_t *in_block, MatchBlock *block)
{
    for (uint32_t i = 0; i < count && *blocks <= wanted; i++) {
        *in_block += tokens[i];
        block->segments++;
        if (*in_block < IMG_MATCH_BLOCK_TOKENS)
            continue;
        (*blocks)++;
        *in_block = 0;
        if (*blocks <= wanted)
            *block = {first + i + 1, 0, 0};
    }
}

/* Finds the segments of block `wanted`; sets their number to 0 if the unit has no such block. If
 * one match covers the whole last segment, that segment joins the previous block. */
__device__ void find_segments(const MatchCounts *counts, uint32_t segments, uint32_t wanted,
                              Shared *shared)
{
    const uint32_t covered = counts[segments - 1].tokens == 0 ? 1 : 0, end = segments - covered;
    uint32_t blocks = 0, in_block = 0;
    MatchBlock block = {0, 0, 0};
    for (uint32_t first = 0; first < end; first += THREADS) {
        const uint32_t count = min(end - first, (uint32_t)THREADS);
        __syncthreads();
        if (threadIdx.x < count)
            shared->tokens[threadIdx.x] = counts[first + threadIdx.x].tokens;
        __syncthreads();
        if (threadIdx.x == 0)
            divide(shared->tokens, first, count, wanted, &blocks, &in_block, &block);
    }
    if (threadIdx.x == 0) {
        if (blocks < wanted)
            block.segments = 0;
        if (block.segments > 0 && block.first_segment + block.segments == end)
            block.segments += covered;
        shared->block = block;
    }
    __syncthreads();
}

/* --- Codes ------------------------------------------------------------------------------------ */

/* Sums the symbol counts of the block's segments. Each warp processes one segment at a time, and
 * each lane pairs of symbols. Returns the total number of extra bits. */
__device__ uint32_t sum_counts(const MatchCounts *counts, Shared *shared)
{
    constexpr uint32_t PAIRS = MATCH_SYMBOLS / 2, EACH = (PAIRS + 31) / 32;
    const uint32_t lane = threadIdx.x % 32;
    uint32_t low[EACH] = {}, high[EACH] = {}, extra = 0;
    for (uint32_t k = threadIdx.x / 32; k < shared->block.segments; k += WARPS) {
        const uint32_t *pairs = reinterpret_cast<const uint32_t *>(counts[k].symbols);
#pragma unroll
        for (uint32_t i = 0; i < EACH; i++) {
            const uint32_t pair = lane + 32 * i < PAIRS ? pairs[lane + 32 * i] : 0;
            low[i] += pair & 0xFFFF;
            high[i] += pair >> 16;
        }
        extra += lane == 0 ? counts[k].extra : 0;
    }
    if (threadIdx.x < MATCH_SYMBOLS)
        shared->counts[threadIdx.x] = threadIdx.x == tokens::END_OF_BLOCK;
    if (threadIdx.x == 0)
        shared->bits = 0;
    __syncthreads();
#pragma unroll
    for (uint32_t i = 0; i < EACH; i++) {
        const uint32_t pair = lane + 32 * i;
        if (pair < PAIRS && low[i] > 0)
            atomicAdd(shared->counts + 2 * pair, low[i]);
        if (pair < PAIRS && high[i] > 0)
            atomicAdd(shared->counts + 2 * pair + 1, high[i]);
    }
    if (extra > 0)
        atomicAdd(&shared->bits, extra);
    __syncthreads();
    return shared->bits;
}

__device__ void make_lengths(Shared *shared)
{
    huffman::make_lengths(&shared->huffman, shared->counts, MATCH_LITERALS, MATCH_CODE_MOST,
                          shared->lengths);
    huffman::make_lengths(&shared->huffman, shared->counts + MATCH_LITERALS, MATCH_DISTANCES,
                          MATCH_CODE_MOST, shared->lengths + MATCH_LITERALS);
}

__device__ void make_codes(Shared *shared)
{
    huffman::make_codes(&shared->huffman, shared->lengths, MATCH_LITERALS, shared->codes);
    huffman::make_codes(&shared->huffman, shared->lengths + MATCH_LITERALS, MATCH_DISTANCES,
                        shared->codes + MATCH_LITERALS);
}

/* Stores the size in bits of each segment, coded with this block's codes. Each warp processes one
 * segment at a time. */
__device__ void measure(const MatchCounts *counts, MatchSegment *segments, uint32_t number,
                        const Shared *shared, uint32_t header_bits)
{
    for (uint32_t k = threadIdx.x / 32; k < shared->block.segments; k += WARPS) {
        uint32_t bits = threadIdx.x % 32 == 0 ? counts[k].extra : 0;
        for (uint32_t i = threadIdx.x % 32; i < MATCH_SYMBOLS; i += 32)
            bits += (uint32_t)counts[k].symbols[i] * shared->lengths[i];
        bits = warp_sum(bits);
        if (threadIdx.x % 32 != 0)
            continue;
        bits += k == 0 ? header_bits : 0;
        bits += k + 1 == shared->block.segments ? shared->lengths[tokens::END_OF_BLOCK] : 0;
        segments[k].block = number;
        segments[k].bits = bits;
    }
}

__device__ uint32_t bits_of_all(const Shared *shared, uint32_t *scratch)
{
    uint32_t all;
    const uint32_t i = threadIdx.x;
    const uint32_t mine = i < MATCH_SYMBOLS ? shared->counts[i] * shared->lengths[i] : 0;
    block_scan<THREADS>(mine, scratch, &all);
    return all;
}

__device__ void store(const MatchJob &job, size_t number, const Shared *shared)
{
    const uint32_t i = threadIdx.x;
    if (i < MATCH_SYMBOLS)
        job.codes[number * MATCH_SYMBOLS + i] = shared->codes[i];
    if (i < MATCH_HEADER_WORDS)
        job.headers[number * MATCH_HEADER_WORDS + i] = shared->header.bits[i];
    if (i == 0)
        job.blocks[number] = shared->block;
}

template <typename Jobs> __global__ void __launch_bounds__(THREADS) codes_kernel(Jobs jobs)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(Shared, shared, [1]);
    const MatchJob &job = jobs.get();
    if (blockIdx.y >= job.count)
        return;
    MatchUnit *unit = job.units + blockIdx.y;
    const uint32_t segments = match_segments(unit->size), first = unit->first_segment;
    if (segments == 0 || blockIdx.x >= match_blocks(unit->size))
        return;
    find_segments(job.counts + first, segments, blockIdx.x, shared);
    if (shared->block.segments == 0)
        return;
    const uint32_t begins = first + shared->block.first_segment;
    const bool ends_unit = shared->block.first_segment + shared->block.segments == segments;
    const bool is_last = ends_unit && job.is_last != 0 && blockIdx.y + 1 == job.count;
    const uint32_t extra = sum_counts(job.counts + begins, shared);
    make_lengths(shared);
    make_codes(shared);
    const uint32_t header_bits = make_header(&shared->header, &shared->huffman, shared->lengths,
                                             shared->lengths + MATCH_LITERALS, is_last,
                                             shared->scratch, shared->more_scratch);
    measure(job.counts + begins, job.segments + begins, blockIdx.x, shared, header_bits);
    const uint32_t bits = header_bits + bits_of_all(shared, shared->scratch) + extra;
    if (threadIdx.x == 0) {
        shared->block.header_bits = header_bits;
        atomicAdd(&unit->blocks, 1u);
        atomicAdd(reinterpret_cast<unsigned long long *>(&unit->bits), (unsigned long long)bits);
    }
    __syncthreads();
    store(job, unit->first_block + blockIdx.x, shared);
}

} // namespace

void img_match_codes(const MatchBatch *batch, void *stream)
{
    const dim3 grid(match_blocks(batch->most), batch->units, batch->count);
    with_jobs(batch->one, batch->many, batch->stride, [&](auto jobs) {
        IMG_LAUNCH_EARLY(codes_kernel<decltype(jobs)>, grid, THREADS, 0, stream, jobs);
    });
}
