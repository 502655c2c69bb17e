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
constexpr int SYMBOL_BITS = 9; /* of a number of a symbol */
constexpr uint32_t NOT_USED = 0xFFFFFFFF;

/* In shared memory. Counts of a block are less than 2^23. */
struct Work {
    uint32_t keys[SYMBOLS];   /* a symbol's count, and below it the symbol; NOT_USED */
    uint16_t ranked[SYMBOLS]; /* symbols, the rarest first */
    uint32_t weight[NODES];
    uint16_t parent[NODES]; /* becomes the node that `depth` was counted to */
    uint8_t depth[NODES];
    int32_t leaves_at[DEPTHS];
    int32_t used;
    uint32_t of_length[CODE_MOST + 1], next[CODE_MOST + 1]; /* codes by length */
};

/* Which symbols get a code: those that occur, and of the others the first, up to two in all. */
static __device__ inline void take_symbols(Work *work, const uint32_t *counts, int symbols)
{
    for (int i = (int)threadIdx.x; i < symbols; i += (int)blockDim.x)
        work->keys[i] = counts[i] > 0 ? counts[i] << SYMBOL_BITS | (uint32_t)i : NOT_USED;
    __syncthreads();
    if (threadIdx.x == 0) {
        int used = 0;
        for (int i = 0; i < symbols && used < 2; i++)
            used += counts[i] > 0;
        for (int i = 0; i < symbols && used < 2; i++)
            if (counts[i] == 0) {
                work->keys[i] = (uint32_t)i;
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
#pragma unroll 8
        for (int k = 0; k < symbols; k++)
            before += work->keys[k] < key;
        work->ranked[before] = (uint16_t)i;
        work->weight[before] = key >> SYMBOL_BITS;
        atomicAdd(&work->used, 1);
    }
    __syncthreads();
}

/* The weight of a node that is there, in memory that nvcc 13.0 must not look ahead in: where it
 * kept the next leaf in a register, it joined nodes by weights that were not theirs. */
static __device__ inline uint32_t weight_of(const volatile uint32_t *weights, int node, int end)
{
    return node < end ? weights[node] : UINT32_MAX;
}

/* One thread. Leaves are nodes 0 to used - 1, what joins two follows in order. */
static __device__ inline void join_nodes(Work *work)
{
    volatile uint32_t *weights = work->weight;
    const int leaves = work->used, root = 2 * leaves - 2;
    int leaf = 0, joined = leaves;
    for (int made = leaves; made <= root; made++) {
        uint32_t weight = 0;
        for (int child = 0; child < 2; child++) {
            uint32_t of_leaf = weight_of(weights, leaf, leaves);
            uint32_t of_joined = weight_of(weights, joined, made);
            bool takes_leaf = of_leaf <= of_joined;
            weight += takes_leaf ? of_leaf : of_joined;
            work->parent[takes_leaf ? leaf++ : joined++] = (uint16_t)made;
        }
        weights[made] = weight;
    }
    work->parent[root] = (uint16_t)root;
}

/* The depths of all nodes: each step doubles how far up they have been counted. */
static __device__ inline void count_depths(Work *work)
{
    constexpr int MOST_EACH = 2; /* nodes of a thread */
    const int nodes = 2 * work->used - 1;
    for (int i = (int)threadIdx.x; i < DEPTHS; i += (int)blockDim.x)
        work->leaves_at[i] = 0;
    for (int i = (int)threadIdx.x; i < nodes; i += (int)blockDim.x)
        work->depth[i] = i < nodes - 1;
    __syncthreads();
    for (int reach = 1; reach < DEPTHS; reach *= 2) {
        uint8_t depth[MOST_EACH];
        uint16_t parent[MOST_EACH];
#pragma unroll
        for (int k = 0; k < MOST_EACH; k++) {
            int i = (int)threadIdx.x + k * (int)blockDim.x, above = i < nodes ? work->parent[i] : 0;
            depth[k] = i < nodes ? (uint8_t)(work->depth[i] + work->depth[above]) : 0;
            parent[k] = work->parent[above];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < MOST_EACH; k++) {
            int i = (int)threadIdx.x + k * (int)blockDim.x;
            if (i < nodes) {
                work->depth[i] = depth[k];
                work->parent[i] = parent[k];
            }
        }
        __syncthreads();
    }
    for (int i = (int)threadIdx.x; i < work->used; i += (int)blockDim.x)
        atomicAdd(work->leaves_at + work->depth[i], 1);
    __syncthreads();
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
    if (threadIdx.x == 0)
        join_nodes(work);
    __syncthreads();
    count_depths(work);
    if (threadIdx.x == 0)
        limit_depths(work, limit);
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
    if (threadIdx.x <= CODE_MOST)
        work->of_length[threadIdx.x] = 0;
    __syncthreads();
    for (int i = (int)threadIdx.x; i < symbols; i += (int)blockDim.x)
        atomicAdd(work->of_length + lengths[i], 1u);
    __syncthreads();
    if (threadIdx.x == 0) {
        uint32_t code = 0;
        for (int length = 1; length <= CODE_MOST; length++) {
            work->next[length] = code;
            code = (code + work->of_length[length]) << 1;
        }
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; i < symbols; i += (int)blockDim.x) {
        int length = lengths[i];
        uint32_t code = work->next[length > 0 ? length : 1];
#pragma unroll 8
        for (int k = 0; k < i; k++)
            code += lengths[k] == length;
        codes[i] = length == 0 ? 0 : reversed(code, length) | (uint32_t)length << 24;
    }
    __syncthreads();
}

} // namespace huffman

#endif
