/* Decodes the subsequences of a block in parallel. A subsequence is a section of the block with a
 * fixed number of bits. Decoding starts a little before each section. By the start of the section
 * it is usually synchronised: it reads the same symbols as sequential decoding (A. Weissenberger,
 * B. Schmidt, "Massively Parallel Huffman Decoding on GPUs", ICPP 2018).
 *
 * Then the start of each subsequence is compared with the end of the previous one. If they differ,
 * the subsequence is decoded again. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_SUBSEQUENCES_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_SUBSEQUENCES_CUH

#include "io/png/cuda/decode/decode_codes.cuh"

constexpr int SUB_THREADS = DECODE_CHUNK, SUB_WARPS = SUB_THREADS / 32;
/* The decoding of a subsequence starts this many bits before it, because at an arbitrary bit the
 * decoder first reads wrong symbols. */
constexpr uint32_t SYNC_BITS = 192;
/* Largest number of correction rounds per block. decode_chain uses it as the limit for all its
 * blocks together. */
constexpr uint32_t CORRECTION_ROUNDS = 4096;

struct SubScratch {
    uint32_t end[SUB_THREADS], totals[SUB_WARPS];
    uint8_t state[SUB_THREADS];
    uint32_t first_stop, wrong;
};

/* Decodes the symbols that start at or after bit `from` and before bit `to`. `from` must be the
 * start of a symbol. */
__device__ inline SubResult decode_sub(const DecodeJob &job, const Codes &codes, uint32_t from,
                                       uint32_t to)
{
    Reader reader;
    SubResult result = {from, from, 0, BLOCK_OPEN};
    reader.start(job, from);
    while (reader.at < to && result.state == BLOCK_OPEN) {
        result.size += pass_literals(reader, codes, to, LITERALS_AT_ONCE, [](uint32_t) {});
        if (reader.at >= to)
            break;
        uint32_t symbol = take_symbol(reader, codes);
        result.size += symbol >= SYMBOL_COPY ? symbol >> 16 : symbol < SYMBOL_END;
        result.state = symbol == SYMBOL_END    ? BLOCK_ENDED
                       : symbol == SYMBOL_NONE ? BLOCK_DAMAGED
                                               : BLOCK_OPEN;
    }
    result.end = reader.at;
    return result;
}

/* Decodes from bit `from`, which may lie within a symbol. Returns the start of the first decoded
 * symbol at or after bit `to`. If a code is invalid, continues one bit later. */
__device__ inline uint32_t synchronise(const DecodeJob &job, const Codes &codes, uint32_t from,
                                       uint32_t to)
{
    Reader reader;
    reader.start(job, from);
    while (reader.at < to) {
        pass_literals(reader, codes, to, LITERALS_AT_ONCE, [](uint32_t) {});
        uint32_t at = reader.at;
        if (at < to && take_symbol(reader, codes) == SYMBOL_NONE)
            reader.move(at + 1);
    }
    return reader.at;
}

/* Decodes the subsequence that starts at bit `start`, without the result of the previous
 * subsequence. `symbols` is the bit position of the block's first symbol. */
__device__ inline SubResult decode_sub_speculatively(const DecodeJob &job, const Codes &codes,
                                                     uint32_t symbols, uint32_t start,
                                                     uint32_t limit)
{
    uint32_t early = start - symbols > SYNC_BITS ? start - SYNC_BITS : symbols;
    uint32_t from = synchronise(job, codes, early, start);
    return decode_sub(job, codes, from, min(start + DECODE_STEP, limit));
}

/* Adds the chunks of a block with `subs` subsequences to the list of chunks. All threads of a
 * thread block must call it. */
__device__ inline void list_chunks(const DecodeJob &job, uint32_t block, uint32_t subs,
                                   uint32_t *scratch)
{
    uint32_t count = (subs + DECODE_CHUNK - 1) / DECODE_CHUNK;
    __syncthreads();
    if (threadIdx.x == 0)
        *scratch = atomicAdd(&job.counters->chunks, count);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
        if (*scratch + i >= job.chunks_most) {
            decode_fail(job, IMG_PNG_CUDA_LISTS_FULL);
            break;
        }
        Chunk chunk = {block, i};
        job.chunks[*scratch + i] = chunk;
    }
}

/* Returns the sum of `value` over the threads of the block whose index is lower than that of this
 * thread. `all` receives the sum over all threads. */
__device__ inline uint32_t sum_before(SubScratch &scratch, uint32_t value, uint32_t &all)
{
    uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = value;
    for (uint32_t n = 1; n < 32; n *= 2) {
        uint32_t other = __shfl_up_sync(0xffffffffu, sum, n);
        sum += lane >= n ? other : 0;
    }
    __syncthreads();
    if (lane == 31)
        scratch.totals[warp] = sum;
    __syncthreads();
    uint32_t before = 0;
    all = 0;
    for (uint32_t i = 0; i < SUB_WARPS; i++) {
        before += i < warp ? scratch.totals[i] : 0;
        all += scratch.totals[i];
    }
    return before + sum - value;
}

/* Corrects the results of `count` subsequences, one per thread. The first must begin at bit
 * `begin`, each other one at the end of the previous one. In each round, subsequences that begin
 * elsewhere are decoded again by `again`, which gets the bit and returns the result. Results after
 * the first one that ends the block or fails are ignored.
 *
 * After n rounds the first n results are right. Codes that never synchronise need one round per
 * subsequence, so `rounds` limits the work. If it reaches 0, results may be wrong. */
template <typename Again>
__device__ inline void correct(SubScratch &scratch, uint32_t count, uint32_t begin,
                               SubResult &result, uint32_t &rounds, Again again)
{
    uint32_t t = threadIdx.x;
    for (; rounds > 0; rounds--) {
        __syncthreads();
        scratch.end[t] = result.end;
        if (t == 0) {
            scratch.first_stop = SUB_THREADS;
            scratch.wrong = 0;
        }
        __syncthreads();
        if (result.state != BLOCK_OPEN)
            atomicMin(&scratch.first_stop, t);
        uint32_t expected = t == 0 ? begin : scratch.end[t - 1];
        __syncthreads();
        bool wrong = t < count && t <= scratch.first_stop && result.begin != expected;
        if (wrong)
            atomicOr(&scratch.wrong, 1u);
        __syncthreads();
        if (scratch.wrong == 0)
            break;
        if (wrong)
            result = again(expected);
    }
}

/* Decodes a block whose first symbol starts at block.symbols, and sets its other fields. The block
 * must end at or before bit `limit`; otherwise it remains in state BLOCK_OPEN. `rounds` is the
 * number of correction rounds still allowed. `speculative` points to speculative results, or is
 * NULL to compute them here. All threads must call it, with equal copies of `block` and
 * `rounds`. */
__device__ inline void decode_block(const DecodeJob &job, const Codes &codes, SubScratch &scratch,
                                    uint32_t limit, const SubResult *speculative, Sub *subs,
                                    Block &block, uint32_t &rounds)
{
    uint32_t t = threadIdx.x, begin = block.symbols, first = 0;
    uint64_t size = 0;
    block.state = BLOCK_OPEN;
    while (block.state == BLOCK_OPEN && size <= job.inflated && rounds > 0) {
        uint32_t start = block.symbols + (first + t) * DECODE_STEP;
        if (block.symbols + first * DECODE_STEP >= limit)
            break;
        uint32_t to = min(start + DECODE_STEP, limit);
        /* The result if this thread's subsequence starts at or past the limit. */
        SubResult result = {start, start, 0, BLOCK_DAMAGED};
        if (start < limit)
            result = speculative != nullptr
                         ? speculative[first + t]
                         : decode_sub_speculatively(job, codes, block.symbols, start, limit);
        uint32_t in_chunk = (limit - (block.symbols + first * DECODE_STEP) - 1) / DECODE_STEP + 1;
        in_chunk = min(in_chunk, (uint32_t)SUB_THREADS);
        correct(scratch, in_chunk, begin, result, rounds,
                [&](uint32_t from) { return decode_sub(job, codes, from, to); });
        uint32_t live = min(scratch.first_stop + 1, in_chunk), all;
        uint32_t before = sum_before(scratch, t < live ? result.size : 0, all);
        if (t < live) {
            subs[first + t].begin = result.begin;
            subs[first + t].place = (uint32_t)size + before;
        }
        scratch.end[t] = result.end;
        scratch.state[t] = result.state;
        __syncthreads();
        begin = scratch.end[live - 1];
        block.state = scratch.state[live - 1];
        size += all;
        first += live;
        __syncthreads();
    }
    block.subs = first;
    block.end = begin;
    block.size = (uint32_t)size;
    if (size > job.inflated || rounds == 0) {
        block.size = job.inflated;
        block.state = BLOCK_DAMAGED;
    }
}

#endif
