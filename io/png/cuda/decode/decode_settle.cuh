/* Decodes the subsequences of a block in parallel, each from a little before its start, where it
 * usually synchronises with the one before (A. Weissenberger, B. Schmidt, "Massively Parallel
 * Huffman Decoding on GPUs", ICPP 2018). Then checks each against the one before, and decodes it
 * again if its start was wrong. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_SETTLE_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_SETTLE_CUH

#include "io/png/cuda/decode/decode_codes.cuh"

constexpr int SETTLE_THREADS = DECODE_CHUNK, SETTLE_WARPS = SETTLE_THREADS / 32;
constexpr uint32_t SETTLE_EARLY = 192;   /* bits before a subsequence at which decoding starts */
constexpr uint32_t SETTLE_ROUNDS = 4096; /* corrections per block, or for all blocks that the chain
                                          * reads */

struct SettleRoom {
    uint32_t end[SETTLE_THREADS], totals[SETTLE_WARPS];
    uint8_t state[SETTLE_THREADS];
    uint32_t first_stop, wrong;
};

/* Decodes the symbols from bit `from` on that start before bit `to`. */
__device__ inline Stretch read_stretch(const DecodeWork &work, const Codes &codes, uint32_t from,
                                       uint32_t to)
{
    Reader reader;
    Stretch stretch = {from, from, 0, BLOCK_OPEN};
    reader.start(work, from);
    while (reader.at < to && stretch.state == BLOCK_OPEN) {
        stretch.size += pass_literals(reader, codes, to, LITERALS_AT_ONCE, [](uint32_t) {});
        if (reader.at >= to)
            break;
        uint32_t symbol = take_symbol(reader, codes);
        stretch.size += symbol >= SYMBOL_COPY ? symbol >> 16 : symbol < SYMBOL_END;
        stretch.state = symbol == SYMBOL_END    ? BLOCK_ENDED
                        : symbol == SYMBOL_NONE ? BLOCK_DAMAGED
                                                : BLOCK_OPEN;
    }
    stretch.end = reader.at;
    return stretch;
}

/* Decodes from bit `from`, which may be wrong, and returns the start of the first symbol at or
 * after bit `to`. Skips bits that have no meaning. */
__device__ inline uint32_t fall_into_step(const DecodeWork &work, const Codes &codes, uint32_t from,
                                          uint32_t to)
{
    Reader reader;
    reader.start(work, from);
    while (reader.at < to) {
        pass_literals(reader, codes, to, LITERALS_AT_ONCE, [](uint32_t) {});
        uint32_t at = reader.at;
        if (at < to && take_symbol(reader, codes) == SYMBOL_NONE)
            reader.move(at + 1);
    }
    return reader.at;
}

/* Decodes the subsequence that starts at bit `start` without knowledge of the one before. The
 * block's first symbol starts at bit `symbols`. */
__device__ inline Stretch guess_stretch(const DecodeWork &work, const Codes &codes,
                                        uint32_t symbols, uint32_t start, uint32_t limit)
{
    uint32_t early = start - symbols > SETTLE_EARLY ? start - SETTLE_EARLY : symbols;
    uint32_t from = fall_into_step(work, codes, early, start);
    return read_stretch(work, codes, from, min(start + DECODE_STEP, limit));
}

/* Lists the chunks of a block with so many subsequences; called by all threads. */
__device__ inline void list_chunks(const DecodeWork &work, uint32_t block, uint32_t subs,
                                   uint32_t *room)
{
    uint32_t count = (subs + DECODE_CHUNK - 1) / DECODE_CHUNK;
    __syncthreads();
    if (threadIdx.x == 0)
        *room = atomicAdd(&work.counters->chunks, count);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
        if (*room + i >= work.chunks_most) {
            decode_doubt(work, IMG_PNG_CUDA_LISTS_FULL);
            break;
        }
        Chunk chunk = {block, i};
        work.chunks[*room + i] = chunk;
    }
}

/* Returns the sum of the values of all threads before this one; `all` is the sum of all. */
__device__ inline uint32_t sum_before(SettleRoom &room, uint32_t value, uint32_t &all)
{
    uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = value;
    for (uint32_t n = 1; n < 32; n *= 2) {
        uint32_t other = __shfl_up_sync(0xffffffffu, sum, n);
        sum += lane >= n ? other : 0;
    }
    __syncthreads();
    if (lane == 31)
        room.totals[warp] = sum;
    __syncthreads();
    uint32_t before = 0;
    all = 0;
    for (uint32_t i = 0; i < SETTLE_WARPS; i++) {
        before += i < warp ? room.totals[i] : 0;
        all += room.totals[i];
    }
    return before + sum - value;
}

/* Repeats until each subsequence, up to the first one that stops, begins where the one before ends;
 * that of thread 0 begins at bit `begin`. There are `count`. After n rounds the first n are right.
 * Codes that never synchronise take a round per subsequence, so `rounds` is limited; at 0 nothing
 * is certain. */
__device__ inline void repair(const DecodeWork &work, const Codes &codes, SettleRoom &room,
                              uint32_t count, uint32_t begin, uint32_t to, Stretch &stretch,
                              uint32_t &rounds)
{
    uint32_t t = threadIdx.x;
    for (; rounds > 0; rounds--) {
        __syncthreads();
        room.end[t] = stretch.end;
        if (t == 0) {
            room.first_stop = SETTLE_THREADS;
            room.wrong = 0;
        }
        __syncthreads();
        if (stretch.state != BLOCK_OPEN)
            atomicMin(&room.first_stop, t);
        uint32_t expected = t == 0 ? begin : room.end[t - 1];
        __syncthreads();
        bool wrong = t < count && t <= room.first_stop && stretch.begin != expected;
        if (wrong)
            atomicOr(&room.wrong, 1u);
        __syncthreads();
        if (room.wrong == 0)
            break;
        if (wrong)
            stretch = read_stretch(work, codes, expected, to);
    }
}

/* Completes the fields of a block whose first symbol starts at block.symbols. It must end at or
 * before bit `limit`, or is still open there. Called by all threads, with equal copies of `block`
 * and of `rounds`, the corrections still allowed. `guesses` are the speculative results, or NULL to
 * compute them here. */
__device__ inline void settle_block(const DecodeWork &work, const Codes &codes, SettleRoom &room,
                                    uint32_t limit, const Stretch *guesses, Sub *subs, Block &block,
                                    uint32_t &rounds)
{
    uint32_t t = threadIdx.x, begin = block.symbols, first = 0;
    uint64_t size = 0;
    block.state = BLOCK_OPEN;
    while (block.state == BLOCK_OPEN && size <= work.inflated && rounds > 0) {
        uint32_t start = block.symbols + (first + t) * DECODE_STEP;
        if (block.symbols + first * DECODE_STEP >= limit)
            break;
        uint32_t to = min(start + DECODE_STEP, limit);
        Stretch stretch = {start, start, 0, BLOCK_DAMAGED}; /* past the limit */
        if (start < limit)
            stretch = guesses != nullptr ? guesses[first + t]
                                         : guess_stretch(work, codes, block.symbols, start, limit);
        uint32_t in_chunk = (limit - (block.symbols + first * DECODE_STEP) - 1) / DECODE_STEP + 1;
        in_chunk = min(in_chunk, (uint32_t)SETTLE_THREADS);
        repair(work, codes, room, in_chunk, begin, to, stretch, rounds);
        uint32_t live = min(room.first_stop + 1, in_chunk), all;
        uint32_t before = sum_before(room, t < live ? stretch.size : 0, all);
        if (t < live) {
            subs[first + t].begin = stretch.begin;
            subs[first + t].place = (uint32_t)size + before;
        }
        room.end[t] = stretch.end;
        room.state[t] = stretch.state;
        __syncthreads();
        begin = room.end[live - 1];
        block.state = room.state[live - 1];
        size += all;
        first += live;
        __syncthreads();
    }
    block.subs = first;
    block.end = begin;
    block.size = (uint32_t)size;
    if (size > work.inflated || rounds == 0) {
        block.size = work.inflated;
        block.state = BLOCK_DAMAGED;
    }
}

#endif
