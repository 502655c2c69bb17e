/* Private: one thread block makes Huffman codes of limited length. The codes equal those of
 * io/png/deflate/huffman.c for the same counts. All threads rank the symbols. A single thread
 * processes Huffman's two queues, because each step depends on the previous one. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_HUFFMAN_CUH
#define IMGTOOL_IO_PNG_CUDA_ENCODE_HUFFMAN_CUH

#include "io/png/cuda/cooperation.cuh"
#include "io/png/cuda/encode/encode_job.h"
#include "kernels/core/cuda/cuda_launch.cuh"

namespace huffman
{

constexpr int SYMBOLS = ENCODE_SYMBOLS, NODES = 2 * SYMBOLS, DEPTHS = 48, CODE_MOST = 15;
constexpr int KEYS = (SYMBOLS + 3) / 4 * 4, WARPS = (SYMBOLS + 31) / 32;
constexpr uint32_t ALL = 0xFFFFFFFF; /* mask of all lanes of a warp */
constexpr int SYMBOL_BITS = 9;       /* number of bits of a symbol number */
constexpr uint32_t NOT_USED = 0xFFFFFFFF;

/* Working memory, in shared memory. The counts of a block must be less than 2^23. */
struct Scratch {
    /* Each key is count << SYMBOL_BITS | symbol; NOT_USED: the symbol gets no code. */
    alignas(16) uint32_t keys[KEYS];
    uint16_t ranked[SYMBOLS]; /* symbols in ascending order of their counts */
    uint32_t weight[NODES];
    /* Parent of each node. count_depths replaces it by the ancestor up to which `depth` is
     * counted. */
    uint16_t parent[NODES];
    uint8_t depth[NODES];
    int32_t leaves_at[DEPTHS];
    int32_t used;
    /* [warp][length]: number of the warp's symbols with this code length. count_lengths replaces it
     * by the number in all earlier warps. */
    uint32_t of_length[WARPS][CODE_MOST + 1];
    uint32_t all_of_length[CODE_MOST + 1];
};

/* Selects the symbols that get a code: all symbols that occur. If fewer than two symbols occur,
 * also selects the first symbols that do not occur, until two are selected. */
static __device__ inline void take_symbols(Scratch *work, const uint32_t *counts, int symbols)
{
    for (int i = (int)threadIdx.x; i < KEYS; i += (int)blockDim.x)
        work->keys[i] =
            i < symbols && counts[i] > 0 ? counts[i] << SYMBOL_BITS | (uint32_t)i : NOT_USED;
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

/* Sorts the symbols by count. Symbols with equal counts are sorted by number. */
static __device__ inline void rank_symbols(Scratch *work, int symbols)
{
    for (int i = (int)threadIdx.x; i < symbols; i += (int)blockDim.x) {
        uint32_t key = work->keys[i];
        if (key == NOT_USED)
            continue;
        int before = 0;
        const uint4 *keys = reinterpret_cast<const uint4 *>(work->keys);
#pragma unroll 4
        for (int k = 0; 4 * k < symbols; k++) {
            const uint4 other = keys[k];
            before += (other.x < key) + (other.y < key) + (other.z < key) + (other.w < key);
        }
        work->ranked[before] = (uint16_t)i;
        work->weight[before] = key >> SYMBOL_BITS;
        atomicAdd(&work->used, 1);
    }
    __syncthreads();
}

/* Returns the weight of a node, or UINT32_MAX if the node does not exist yet. The memory is
 * volatile because of a bug in nvcc 13.0: it kept the next leaf's weight in a register and joined
 * nodes by wrong weights. */
static __device__ inline uint32_t weight_of(const volatile uint32_t *weights, int node, int end)
{
    return node < end ? weights[node] : UINT32_MAX;
}

/* Builds Huffman's tree. Called by one thread. Leaves are the nodes 0 to used - 1; the inner nodes
 * follow in the order of their creation. */
static __device__ inline void join_nodes(Scratch *work)
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

/* Computes the depths of all nodes by pointer doubling, and counts the leaves at each depth. */
static __device__ inline void count_depths(Scratch *work)
{
    constexpr int MOST_EACH = 2; /* largest number of nodes per thread */
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

/* Limits the code lengths to `limit` bits, as limit_depths in io/png/deflate/huffman.c does. Called
 * by one warp. */
static __device__ inline void limit_depths(Scratch *work, int limit)
{
    const int lane = (int)threadIdx.x;
    int32_t deeper = lane > limit ? work->leaves_at[lane] : 0;
    deeper += lane + 32 < DEPTHS ? work->leaves_at[lane + 32] : 0;
    const uint32_t all_deeper = warp_sum((uint32_t)deeper);
    uint32_t here = lane > 0 && lane <= limit ? (uint32_t)work->leaves_at[lane] : 0;
    here += lane == limit ? all_deeper : 0;
    uint32_t claimed = warp_sum(lane <= limit ? here << (limit - lane) : 0);
    if (lane != limit)
        return;
    work->leaves_at[limit] = (int32_t)here;
    for (; claimed > 1u << limit; claimed--) {
        int depth = limit - 1;
        while (work->leaves_at[depth] == 0)
            depth--;
        work->leaves_at[depth]--;
        work->leaves_at[depth + 1] += 2;
        work->leaves_at[limit]--;
    }
}

/* Assigns code lengths to the symbols. The symbols with the smallest counts get the longest
 * codes. */
static __device__ inline void assign_lengths(const Scratch *work, int symbols, int limit,
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

/* Computes code lengths of at most `limit` bits from the counts of the symbols. Called by all
 * threads of a block. `counts` and `lengths` are in shared memory. */
static __device__ inline void make_lengths(Scratch *work, const uint32_t *counts, int symbols,
                                           int limit, uint8_t *lengths)
{
    take_symbols(work, counts, symbols);
    rank_symbols(work, symbols);
    if (threadIdx.x == 0)
        join_nodes(work);
    __syncthreads();
    count_depths(work);
    if (threadIdx.x < 32)
        limit_depths(work, limit);
    __syncthreads();
    assign_lengths(work, symbols, limit, lengths);
}

static __device__ inline uint32_t reversed(uint32_t code, int length)
{
    code = (code & 0x5555) << 1 | (code >> 1 & 0x5555);
    code = (code & 0x3333) << 2 | (code >> 2 & 0x3333);
    code = (code & 0x0F0F) << 4 | (code >> 4 & 0x0F0F);
    code = (code & 0x00FF) << 8 | (code >> 8 & 0x00FF);
    return code >> (16 - length);
}

/* Returns the number of earlier lanes of the warp whose symbol has the same code length. Sets
 * `alike` to a mask of all lanes with this length. A length has four bits. */
static __device__ inline uint32_t alike_before(uint32_t length, uint32_t *alike)
{
    *alike = ALL;
#pragma unroll
    for (int bit = 0; bit < 4; bit++) {
        const bool is_set = (length >> bit & 1) != 0;
        const uint32_t set = __ballot_sync(ALL, is_set);
        *alike &= is_set ? set : ~set;
    }
    return (uint32_t)__popc((int)(*alike & ((1u << threadIdx.x % 32) - 1)));
}

/* For each code length replaces the number of symbols in each warp by the sum over all earlier
 * warps. Each thread processes one length. */
static __device__ inline void count_lengths(Scratch *work)
{
    uint32_t sum = 0;
    if (threadIdx.x <= CODE_MOST) {
#pragma unroll
        for (int warp = 0; warp < WARPS; warp++) {
            const uint32_t count = work->of_length[warp][threadIdx.x];
            work->of_length[warp][threadIdx.x] = sum;
            sum += count;
        }
        work->all_of_length[threadIdx.x] = sum;
    }
    __syncthreads();
}

/* Makes canonical codes from the code lengths. Each word has the code in stream order in the low
 * bits, its length from bit 24 upwards. Each thread makes one code. */
static __device__ inline void make_codes(Scratch *work, const uint8_t *lengths, int symbols,
                                         uint32_t *codes)
{
    const int i = (int)threadIdx.x, warp = i / 32;
    for (int k = i; k < WARPS * (CODE_MOST + 1); k += (int)blockDim.x)
        work->of_length[k / (CODE_MOST + 1)][k % (CODE_MOST + 1)] = 0;
    __syncthreads();
    const int length = i < symbols ? lengths[i] : 0;
    uint32_t alike, code = alike_before((uint32_t)length, &alike);
    if (code == 0 && warp < WARPS)
        work->of_length[warp][length] = (uint32_t)__popc((int)alike);
    __syncthreads();
    count_lengths(work);
    if (i < symbols) {
        code += work->of_length[warp][length];
        for (int shorter = 1; shorter < length; shorter++)
            code += work->all_of_length[shorter] << (length - shorter);
        codes[i] = length == 0 ? 0 : reversed(code, length) | (uint32_t)length << 24;
    }
    __syncthreads();
}

} // namespace huffman

#endif
