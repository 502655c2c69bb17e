/* Private: Huffman codes of limited length by a block of threads: what io/png/deflate/huffman.c
 * makes of the same counts. Symbols are ranked by all threads, Huffman's two queues are one
 * thread's work, as each step depends on the one before. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_HUFFMAN_CUH
#define IMGTOOL_IO_PNG_CUDA_ENCODE_HUFFMAN_CUH

#include "io/png/cuda/encode/encode_job.h"
#include "kernels/core/cuda/cuda_launch.cuh"

namespace huffman
{

constexpr int SYMBOLS = ENCODE_SYMBOLS, NODES = 2 * SYMBOLS, DEPTHS = 48, CODE_MOST = 15;
constexpr uint32_t NOT_USED = 0xFFFFFFFF;

/* In shared memory. Counts of a block sum up to less than 2^24. */
struct Work {
    uint32_t keys[SYMBOLS];   /* a symbol's rank's first part, its count; NOT_USED */
    uint16_t ranked[SYMBOLS]; /* symbols, the rarest first */
    uint32_t weight[NODES];
    uint16_t parent[NODES];
    uint8_t depth[NODES];
    int32_t leaves_at[DEPTHS];
    int32_t used;
    uint32_t next[CODE_MOST + 1]; /* codes by length */
};

/* Which symbols get a code: those that occur, and of the others the first, up to two in all. */
static __device__ inline void take_symbols(Work *work, const uint32_t *counts, int symbols)
{
    for (int i = (int)threadIdx.x; i < symbols; i += (int)blockDim.x)
        work->keys[i] = counts[i] > 0 ? counts[i] : NOT_USED;
    __syncthreads();
    if (threadIdx.x == 0) {
        int used = 0;
        for (int i = 0; i < symbols && used < 2; i++)
            used += counts[i] > 0;
        for (int i = 0; i < symbols && used < 2; i++)
            if (counts[i] == 0) {
                work->keys[i] = 0;
                used++;
            }
        work->used = 0;
    }
    __syncthreads();
}

/* By counts, equal ones by symbols. */
static __device__ inline void rank_symbols(Work *work, int symbols)
{
    for (int i = (int)threadIdx.x; i < symbols; i += (int)blockDim.x) {
        uint32_t key = work->keys[i];
        if (key == NOT_USED)
            continue;
        int before = 0;
        for (int k = 0; k < symbols; k++)
            before += work->keys[k] < key || (work->keys[k] == key && k < i);
        work->ranked[before] = (uint16_t)i;
        work->weight[before] = key;
        atomicAdd(&work->used, 1);
    }
    __syncthreads();
}

/* One thread. Leaves are nodes 0 to used - 1, what joins two follows in order. */
static __device__ inline void join_nodes(Work *work)
{
    const int leaves = work->used, root = 2 * leaves - 2;
    int leaf = 0, joined = leaves;
    for (int made = leaves; made <= root; made++) {
        uint32_t weight = 0;
        for (int child = 0; child < 2; child++) {
            bool from_leaves =
                leaf < leaves && (joined == made || work->weight[leaf] <= work->weight[joined]);
            int lightest = from_leaves ? leaf++ : joined++;
            weight += work->weight[lightest];
            work->parent[lightest] = (uint16_t)made;
        }
        work->weight[made] = weight;
    }
    for (int i = 0; i < DEPTHS; i++)
        work->leaves_at[i] = 0;
    work->depth[root] = 0;
    for (int i = root - 1; i >= 0; i--) {
        work->depth[i] = (uint8_t)(work->depth[work->parent[i]] + 1);
        if (i < leaves)
            work->leaves_at[work->depth[i]]++;
    }
}

/* One thread: see limit_depths in io/png/deflate/huffman.c. */
static __device__ inline void limit_depths(Work *work, int limit)
{
    int64_t claimed = 0;
    for (int depth = limit + 1; depth < DEPTHS; depth++)
        work->leaves_at[limit] += work->leaves_at[depth];
    for (int depth = 1; depth <= limit; depth++)
        claimed += (int64_t)work->leaves_at[depth] << (limit - depth);
    for (; claimed > (int64_t)1 << limit; claimed--) {
        int depth = limit - 1;
        while (work->leaves_at[depth] == 0)
            depth--;
        work->leaves_at[depth]--;
        work->leaves_at[depth + 1] += 2;
        work->leaves_at[limit]--;
    }
}

/* The rarest symbols lie deepest. */
static __device__ inline void hand_out_lengths(const Work *work, int symbols, int limit,
                                               uint8_t *lengths)
{
    for (int i = (int)threadIdx.x; i < symbols; i += (int)blockDim.x)
        if (work->keys[i] == NOT_USED)
            lengths[i] = 0;
    for (int i = (int)threadIdx.x; i < work->used; i += (int)blockDim.x) {
        int depth = limit, behind = work->leaves_at[limit];
        while (i >= behind)
            behind += work->leaves_at[--depth];
        lengths[work->ranked[i]] = (uint8_t)depth;
    }
    __syncthreads();
}

/* All threads of a block; `counts` and `lengths` lie in shared memory. */
static __device__ inline void make_lengths(Work *work, const uint32_t *counts, int symbols,
                                           int limit, uint8_t *lengths)
{
    take_symbols(work, counts, symbols);
    rank_symbols(work, symbols);
    if (threadIdx.x == 0) {
        join_nodes(work);
        limit_depths(work, limit);
    }
    __syncthreads();
    hand_out_lengths(work, symbols, limit, lengths);
}

static __device__ inline uint32_t reversed(uint32_t code, int length)
{
    code = (code & 0x5555) << 1 | (code >> 1 & 0x5555);
    code = (code & 0x3333) << 2 | (code >> 2 & 0x3333);
    code = (code & 0x0F0F) << 4 | (code >> 4 & 0x0F0F);
    code = (code & 0x00FF) << 8 | (code >> 8 & 0x00FF);
    return code >> (16 - length);
}

/* Canonical codes, their bits in the order of the stream, with their lengths from bit 24 on. */
static __device__ inline void make_codes(Work *work, const uint8_t *lengths, int symbols,
                                         uint32_t *codes)
{
    if (threadIdx.x == 0) {
        uint32_t of_length[CODE_MOST + 1] = {0}, code = 0;
        for (int i = 0; i < symbols; i++)
            of_length[lengths[i]]++;
        for (int length = 1; length <= CODE_MOST; length++) {
            work->next[length] = code;
            code = (code + of_length[length]) << 1;
        }
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; i < symbols; i += (int)blockDim.x) {
        int length = lengths[i];
        uint32_t code = work->next[length > 0 ? length : 1];
        for (int k = 0; k < i; k++)
            code += lengths[k] == length;
        codes[i] = length == 0 ? 0 : reversed(code, length) | (uint32_t)length << 24;
    }
    __syncthreads();
}

} // namespace huffman

#endif
