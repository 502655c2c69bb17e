/* Private to the fast 16-bit histogram: adds the packed counters of all blocks to the table. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_CUDA_GATHER_PACKED_CUH
#define IMGTOOL_KERNELS_HISTOGRAM_CUDA_GATHER_PACKED_CUH

#include "kernels/histogram/cuda/histogram_cuda.cuh"
#include "kernels/histogram/cuda/packed_counters.cuh"

/* Each block sums one column: the same GATHER_WORDS words of all partial counts. Its warps, at most
 * GATHER_WARPS, divide the partial counts among themselves. A thread loads up to GATHER_AHEAD
 * vectors at the same time. */
enum { GATHER_WORDS = 128, GATHER_WARPS = 16, GATHER_AHEAD = 9 };

inline int gather_threads(int partials)
{
    return 32 * (partials < GATHER_WARPS ? partials : GATHER_WARPS);
}

/* Returns a mask of the bits of counters 0, 2, 4 ... of a word, for `per_word` counters per word.
 * If this number is odd, the mask does not include the last counter. */
constexpr uint32_t every_second_counter(int per_word)
{
    uint32_t mask = 0;
    for (int i = 0; i + 1 < per_word; i += 2)
        mask |= ((1u << 32 / per_word) - 1) << (i * (32 / per_word));
    return mask;
}

/* Sums, over several slices, of the counters in four words. Every second counter is summed at its
 * own position in the word, where the bits of the next counter give room for the sum. */
template <class Layout> struct CounterSums {
    static constexpr int BITS = Layout::BITS, COUNT = Layout::PER_WORD;
    static constexpr uint32_t ONE = (1u << BITS) - 1, TWO = (2u << (2 * BITS - 1)) - 1;
    static constexpr uint32_t MASK = every_second_counter(COUNT);

    uint32_t even[4] = {}, odd[4] = {}, last[4] = {};

    __device__ void add(uint4 vector)
    {
        const uint32_t words[4] = {vector.x, vector.y, vector.z, vector.w};
#pragma unroll
        for (int i = 0; i < 4; i++) {
            even[i] += words[i] & MASK;
            odd[i] += words[i] >> BITS & MASK;
            /* the last counter does not have enough bits above it, so it is summed separately */
            if (COUNT % 2 != 0)
                last[i] += words[i] >> ((COUNT - 1) * BITS) & ONE;
        }
    }
    __device__ uint32_t sum(int word, int counter) const
    {
        if (COUNT % 2 != 0 && counter == COUNT - 1)
            return last[word];
        return (counter % 2 == 0 ? even[word] : odd[word]) >> (counter / 2 * 2 * BITS) & TWO;
    }
};

/* Returns the number that must be added to the sum of a counter: 2^BITS for each of its reported
 * overflows, less the carries from the counter below. `first` is the first table of the slice. */
template <class Layout>
__device__ Count reported(const Reports &reports, uint32_t first, uint32_t word, int counter,
                          PackedEntry entry)
{
    Count count = (Count)reports.sum(first + entry.table, entry.value) << Layout::BITS;
    if (counter > 0) {
        PackedEntry below = Layout::entry(word, counter - 1);
        if (below.value < PACKED_VALUES)
            count -= reports.sum(first + below.table, below.value);
    }
    return count;
}

/* Adds the partial counts of one vector (four words) to the sums of the block's column. */
template <class Layout>
__device__ void gather_vector(const uint4 *from, size_t step, int partials,
                              uint32_t (&sums)[Layout::PER_WORD][GATHER_WORDS])
{
    static_assert(GATHER_AHEAD <= 1 << Layout::BITS, "no room in the sums");
    int warps = blockDim.x / 32;
    for (int first = threadIdx.x / 32; first < partials; first += GATHER_AHEAD * warps) {
        CounterSums<Layout> own;
#pragma unroll
        for (int i = 0; i < GATHER_AHEAD; i++)
            if (first + i * warps < partials)
                own.add(from[(size_t)(first + i * warps) * step]);
#pragma unroll
        for (int i = 0; i < 4 * Layout::PER_WORD; i++)
            atomicAdd(&sums[i / 4][i % 4 * 32 + threadIdx.x % 32], own.sum(i % 4, i / 4));
    }
}

/* Adds up slices. `partial` has `partials` sets of slices; each set has as many slices as the grid
 * has rows of blocks. Row y of blocks sums slice y of every set, which has the tables from y *
 * Layout::TABLES on. `beyond` pixels of value 0 are subtracted, because they lie outside the
 * picture. */
template <class Layout>
__global__ void __launch_bounds__(32 * GATHER_WARPS)
    gather_kernel(HistogramTask task, const uint32_t *partial, Reports reports, int partials,
                  Count beyond)
{
    constexpr int COUNT = Layout::PER_WORD;
    constexpr uint32_t VECTORS = Layout::WORDS / 4;
    IMG_SHARED(uint32_t, sums, [COUNT][GATHER_WORDS]);
    for (int i = threadIdx.x; i < COUNT * GATHER_WORDS; i += blockDim.x)
        sums[i / GATHER_WORDS][i % GATHER_WORDS] = 0;
    __syncthreads();
    IMG_AWAIT_PREVIOUS();
    uint32_t slice = blockIdx.y, vector = blockIdx.x * 32 + threadIdx.x % 32;
    if (vector < VECTORS)
        gather_vector<Layout>((const uint4 *)partial + slice * VECTORS + vector,
                              (size_t)gridDim.y * VECTORS, partials, sums);
    __syncthreads();
    uint32_t first = slice * Layout::TABLES;
    for (int i = threadIdx.x; i < COUNT * GATHER_WORDS; i += blockDim.x) {
        int counter = Layout::NEAR ? i % COUNT : i / GATHER_WORDS;
        int column = Layout::NEAR ? i / COUNT : i % GATHER_WORDS;
        uint32_t word = blockIdx.x * GATHER_WORDS + column;
        PackedEntry entry = Layout::entry(word, counter);
        if (word >= Layout::WORDS || entry.value >= PACKED_VALUES)
            continue;
        Count count = sums[counter][column % 4 * 32 + column / 4] - (entry.value == 0 ? beyond : 0);
        count += reported<Layout>(reports, first, word, counter, entry);
        task.counts[(first + entry.table) * task.row + entry.value] += count;
    }
}

#endif
