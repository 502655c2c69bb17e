/* Counts how often each 16-bit value occurs, into one row of counts. It counts the gray channel,
 * luma, or all colours together. A table of 65,536 counters of 16 bits fits the shared memory of a
 * multiprocessor; on older GPUs only half of a table fits. Every block counts in its own table, and
 * adds it to sums in global memory. From these sums, a second kernel computes the row of counts and
 * the sums of its chunks. */
#include "kernels/tone/cuda/tone_chunks.cuh"
#include "kernels/tone/cuda/tone_words_table.cuh"

namespace
{

/* Number of groups that a thread loads at the same time. */
template <int CHANNELS> constexpr int AHEAD = CHANNELS == 1 ? 2 : 1;

/* Sums over all blocks of the two counters in a word. The low 32 bits have the sum of the low
 * halves, and the high 32 bits that of the high halves. Carries of counters are added to the row of
 * counts, so neither sum overflows. */
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
 * computes one value of each. */
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
