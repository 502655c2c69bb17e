/* Subsequences of a block: decoded at the same time, each from a little before its start, where it
 * falls into step with the one before in most cases (A. Weissenberger, B. Schmidt, "Massively
 * Parallel Huffman Decoding on GPUs", ICPP 2018); then checked against it, and decoded again where
 * it had not. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_SETTLE_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_SETTLE_CUH

#include "io/png/cuda/decode/decode_codes.cuh"

constexpr int SETTLE_THREADS = DECODE_CHUNK, SETTLE_WARPS = SETTLE_THREADS / 32;
constexpr uint32_t SETTLE_EARLY = 192;   /* bits before a subsequence */
constexpr uint32_t SETTLE_ROUNDS = 4096; /* repairs of a block, or of all that the chain finds */

struct SettleRoom {
    uint32_t end[SETTLE_THREADS], totals[SETTLE_WARPS];
    uint8_t state[SETTLE_THREADS];
    uint32_t first_stop, wrong;
};

/* Symbols from bit `from` on that start before bit `to`. */
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

/* Where a symbol starts at or after bit `to`, when it all begins at bit `from`, which may be wrong:
 * what has no meaning is passed over. */
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

/* The subsequence that starts at bit `start`, of a block whose first symbol starts at bit
 * `symbols`, as it looks without the one before. */
__device__ inline Stretch guess_stretch(const DecodeWork &work, const Codes &codes,
                                        uint32_t symbols, uint32_t start, uint32_t limit)
{
    uint32_t early = start - symbols > SETTLE_EARLY ? start - SETTLE_EARLY : symbols;
    uint32_t from = fall_into_step(work, codes, early, start);
    return read_stretch(work, codes, from, min(start + DECODE_STEP, limit));
}

/* Lists the chunks of a block of so many subsequences: all threads. */
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

/* The sum of what the threads before this one give; `all` of all. */
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

/* Until every subsequence up to the first that stops begins where the one before ends, that of
 * thread 0 at bit `begin`. There are `count`. After n rounds the first n are right: codes that
 * never fall into step take a round each, so there is a limit; at 0, nothing is certain. */
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

/* Fills in what the block lacks: it starts with a symbol at block.symbols and has to end at or
 * before bit `limit`, or is open there. By all threads; `block` is each one's own and the same for
 * all, and so are `rounds`, the repairs that may still be made. `guesses` are
 * its stretches, or NULL: they are made here. */
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
        Stretch stretch = {start, start, 0, BLOCK_DAMAGED}; /* behind the limit */
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
