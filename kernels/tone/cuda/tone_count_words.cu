/* Counts how often each 16-bit value occurs, into one row of counts. It counts the gray channel,
 * luma, or all colours together. A table of 65,536 counters of 16 bits fits the shared memory of a
 * multiprocessor; on older GPUs only half of a table fits. Every block counts in its own table, and
 * adds it to sums in global memory. From these sums, a second kernel computes the row of counts and
 * the sums of its chunks. */
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/tone/cuda/tone_chunks.cuh"
#include "kernels/tone/cuda/tone_cuda.cuh"

/* --- Counters --------------------------------------------------------------------------------- */

/* This section has the counters of a block: counters of 16 bits for all 16-bit values, in shared
 * memory.
 *
 * The counters of v and v + 32,768 share a word. So neighbouring values, which often occur
 * together, are in different banks. When a counter reaches LIMIT, before it can overflow, LIMIT is
 * subtracted from it and added to the row of counts in global memory. */

constexpr int COUNT_THREADS = 1024;
constexpr uint32_t COUNTERS = 65536, WORDS = COUNTERS / 2;

/* The top bit of a counter. A thread that adds to a counter whose bit is already set clears the bit
 * before it continues with other pixels. After a counter has reached LIMIT, every thread adds at
 * most its current samples before it clears the bit. So a counter stays below 2 * LIMIT, in any
 * order in which the threads of a block run. */
constexpr uint32_t LIMIT = 0x8000, LIMIT_BITS = 0x80008000;
constexpr int PIXELS = 8, MOST_COLORS = 3;
static_assert(COUNT_THREADS * PIXELS * MOST_COLORS < LIMIT, "a counter could overflow");

/* Counts samples in the table of a block. Pixels with alpha 0 do not count. If HALVED, the block
 * has only half of the words and counts only the values in this half. */
template <int CHANNELS, bool LUMA, bool HALVED> struct WordsTable {
    using Pixels = Group<uint16_t, CHANNELS>;
    static constexpr bool SKIP = CHANNELS % 2 == 0;
    /* number of samples that are counted per pixel */
    static constexpr int SAMPLES = LUMA || CHANNELS < 3 ? 1 : 3;
    static_assert(Pixels::PIXELS == PIXELS && SAMPLES <= MOST_COLORS, "LIMIT");

    uint32_t *words;
    uint32_t first_word; /* index, in the whole table, of words[0]: 0, or for a block that has the
                            upper half of the table, the start of that half */
    Count *counts;
    ImgLumaWeights weights;

    __device__ uint32_t *word(uint32_t value) const
    {
        return words + (value % WORDS - first_word);
    }

    __device__ uint32_t value(const Pixels &group, int pixel, int sample) const
    {
        int at = pixel * CHANNELS;
        if constexpr (LUMA)
            return img_luma(weights, group.sample(at), group.sample(at + 1), group.sample(at + 2));
        return group.sample(at + sample);
    }

    /* Returns true if the pixels 0, 2, 4 ... are equal and the pixels 1, 3, 5 ... are equal. Then
     * two additions per channel count them all. Without this shortcut, all threads would wait for
     * the same counter in pictures of one value. */
    static __device__ bool repeats(const Pixels &group)
    {
        uint32_t differences = 0;
#pragma unroll
        for (int i = CHANNELS; i < Pixels::WORDS; i++)
            differences |= group.words[i] ^ group.words[i - CHANNELS];
        return differences == 0;
    }

    /* Clears the top bit of the counter of `value`. If the bit was set, adds LIMIT to the row of
     * counts. */
    __device__ void carry(uint32_t value) const
    {
        uint32_t bit = LIMIT << (value / WORDS * 16);
        if ((atomicAnd(word(value), ~bit) & bit) == 0)
            return;
        IMG_AWAIT_PREVIOUS(); /* waits until the previous kernel has cleared the row of counts */
        atomicAdd(counts + value, (Count)LIMIT);
    }

    /* Adds `n` to the counters of COUNT pixels of the group, from pixel number `first` on. */
    template <int COUNT> __device__ void add(const Pixels &group, int first, uint32_t n) const
    {
        uint32_t seen = 0, old[COUNT * SAMPLES];
#pragma unroll
        for (int i = 0; i < COUNT * SAMPLES; i++) {
            int pixel = first + i / SAMPLES;
            uint32_t v = value(group, pixel, i % SAMPLES);
            bool visible = !SKIP || group.sample(pixel * CHANNELS + CHANNELS - 1) != 0;
            old[i] = 0;
            if (visible && (!HALVED || v % WORDS - first_word < WORDS / 2))
                old[i] = atomicAdd(word(v), v < WORDS ? n : n << 16);
            seen |= old[i];
        }
        if ((seen & LIMIT_BITS) == 0)
            return;
#pragma unroll
        for (int i = 0; i < COUNT * SAMPLES; i++) {
            uint32_t v = value(group, first + i / SAMPLES, i % SAMPLES);
            if ((old[i] & (v < WORDS ? LIMIT : LIMIT << 16)) != 0)
                carry(v);
        }
    }

    /* Counts the pixels of a group. It starts the additions for COUNT pixels together, so that they
     * do not wait for each other. More pixels would need too many registers. */
    __device__ void operator()(const Pixels &group) const
    {
        constexpr int COUNT = SAMPLES == 1 ? PIXELS : PIXELS / 2;
        if (repeats(group)) {
            add<2>(group, 0, PIXELS / 2);
            return;
        }
#pragma unroll
        for (int first = 0; first < PIXELS; first += COUNT)
            add<COUNT>(group, first, 1);
    }
};

namespace
{

/* Number of groups of pixels that a thread loads at the same time. */
template <int CHANNELS> constexpr int AHEAD = CHANNELS == 1 ? 2 : 1;

/* Sums over all blocks of the two counters in a word. The low 32 bits have the sum of the low
 * halves, and the high 32 bits the sum of the high halves. Carries of counters are added to the row
 * of counts, so neither sum overflows. */
using Pair = unsigned long long;

__global__ void __launch_bounds__(COUNT_THREADS) clear_words_kernel(Count *counts, Pair *pairs)
{
    uint32_t i = blockIdx.x * COUNT_THREADS + threadIdx.x;
    tone_let_next_start();
    counts[i] = 0;
    if (i < WORDS)
        pairs[i] = 0;
}

/* Adds the table of a block to the sums. Blocks begin at different words, so that they rarely add
 * to the same word at the same time. */
template <uint32_t OWN>
__device__ void add_up(const uint32_t *words, uint32_t first_word, Pair *pairs)
{
    uint32_t begin = blockIdx.x * COUNT_THREADS;
    for (uint32_t k = threadIdx.x; k < OWN; k += COUNT_THREADS) {
        uint32_t i = (begin + k) % OWN, word = words[i];
        if (word != 0)
            atomicAdd(pairs + first_word + i, (Pair)(word >> 16) << 32 | (word & 0xffff));
    }
}

/* Counts the picture. A thread processes one group at a time and loads the next ones early. If
 * HALVED, each of two blocks has half of a table, and both read all groups. */
template <int CHANNELS, bool LUMA, bool HALVED>
__global__ void __launch_bounds__(COUNT_THREADS)
    count_words_kernel(PixelRows rows, ImgLumaWeights weights, Groups groups, Count *counts,
                       Pair *pairs)
{
    using Pixels = Group<uint16_t, CHANNELS>;
    constexpr uint32_t HALVES = HALVED ? 2 : 1, OWN = WORDS / HALVES;
    IMG_SHARED_DYNAMIC(uint4, shared);
    tone_let_next_start();
    Walk walk(rows, groups.a_row, Pixels::BYTES, blockIdx.x / HALVES * COUNT_THREADS + threadIdx.x,
              gridDim.x / HALVES * COUNT_THREADS);
    Batch<Pixels, AHEAD<CHANNELS>> batch, next;
    batch.load(walk, rows, groups);
    for (uint32_t i = threadIdx.x; i < OWN / 4; i += COUNT_THREADS)
        shared[i] = make_uint4(0, 0, 0, 0);
    __syncthreads();
    uint32_t *words = reinterpret_cast<uint32_t *>(shared);
    WordsTable<CHANNELS, LUMA, HALVED> table = {words, blockIdx.x % HALVES * OWN, counts, weights};
    while (batch.bytes[0] > 0) {
        next.load(walk, rows, groups);
        batch.each(table);
        batch = next;
    }
    __syncthreads();
    IMG_AWAIT_PREVIOUS(); /* waits until the previous kernel has cleared the sums */
    add_up<OWN>(words, table.first_word, pairs);
}

/* Computes the counts of two chunks per block: chunk b and chunk b + CHUNKS_MAX / 2. A thread
 * computes one value of each chunk. */
__global__ void __launch_bounds__(CHUNK)
    gather_kernel(const Pair *pairs, uint64_t beyond, Count *counts, ChunkSum *sums)
{
    IMG_SHARED(BlockRoom, room, [1]);
    tone_let_next_start();
    IMG_AWAIT_PREVIOUS();
    Pair pair = pairs[blockIdx.x * CHUNK + threadIdx.x];
    for (int half = 0; half < 2; half++) {
        int chunk = (int)blockIdx.x + half * (CHUNKS_MAX / 2);
        int value = chunk * CHUNK + (int)threadIdx.x;
        Count count = counts[value] + (pair >> 32 * half & 0xffffffff) - (value == 0 ? beyond : 0);
        counts[value] = count;
        ChunkSum sum = sum_of_chunk(count, (uint64_t)value, room[0]);
        if (threadIdx.x == 0)
            sums[chunk] = sum;
    }
}

/* Returns the number of tables to use: one per multiprocessor, or fewer for small pictures. */
int tables_of(ImgShape src, int multiprocessors)
{
    enum { PIXELS_WORTH_A_TABLE = 1 << 15 };
    int64_t worth = (int64_t)src.width * src.height / PIXELS_WORTH_A_TABLE + 1;
    return worth < multiprocessors ? (int)worth : multiprocessors;
}

/* Addresses of the kernels' results in device memory, number of tables, and whether blocks have
 * half of a table each. */
struct Target {
    Count *counts;
    ChunkSum *sums;
    Pair *pairs;
    int tables;
    bool halved;
};

template <int CHANNELS, bool LUMA>
ImgStatus launch(const ImgCall *call, const ImgTonePlan &plan, const Target &to, ImgError *err)
{
    PixelRows rows = pixel_rows(call->src);
    Groups groups = cut_in_groups<Group<uint16_t, CHANNELS>>(rows);
    uint64_t beyond =
        CHANNELS % 2 == 0 ? 0 : groups.beyond * WordsTable<CHANNELS, LUMA, false>::SAMPLES;
    auto kernel = to.halved ? count_words_kernel<CHANNELS, LUMA, true>
                            : count_words_kernel<CHANNELS, LUMA, false>;
    int halves = to.halved ? 2 : 1, shared = (int)(WORDS * sizeof(uint32_t)) / halves;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
             err);
    IMG_LAUNCH(clear_words_kernel, COUNTERS / COUNT_THREADS, COUNT_THREADS, 0, call->stream,
               to.counts, to.pairs);
    IMG_LAUNCH_EARLY(kernel, (unsigned)(to.tables * halves), COUNT_THREADS, (size_t)shared,
                     call->stream, rows, plan.weights, groups, to.counts, to.pairs);
    IMG_LAUNCH_EARLY(gather_kernel, CHUNKS_MAX / 2, CHUNK, 0, call->stream, to.pairs, beyond,
                     to.counts, to.sums);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

size_t tone_words_workspace(void)
{
    return WORDS * sizeof(Pair);
}

ImgStatus tone_count_words(const ImgCall *call, const ImgTonePlan &plan, Count *counts,
                           ChunkSum *sums, void *workspace, ImgError *err)
{
    int multiprocessors, shared;
    ImgStatus status = device_attribute(cudaDevAttrMultiProcessorCount, &multiprocessors, err);
    if (status == IMG_OK)
        status = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared, err);
    if (status != IMG_OK)
        return status;
    Target to = {counts, sums, static_cast<Pair *>(workspace),
                 tables_of(img_view_shape(&call->src), multiprocessors),
                 shared < (int)(WORDS * sizeof(uint32_t))};
    bool luma = plan.rule != IMG_TONE_STRETCH;
    switch (plan.channels) {
    case 1:
        return launch<1, false>(call, plan, to, err);
    case 2:
        return launch<2, false>(call, plan, to, err);
    case 3:
        return luma ? launch<3, true>(call, plan, to, err) : launch<3, false>(call, plan, to, err);
    default:
        return luma ? launch<4, true>(call, plan, to, err) : launch<4, false>(call, plan, to, err);
    }
}
