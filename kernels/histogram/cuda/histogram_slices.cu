/* histogram on CUDA, fast version for 16-bit samples. If counters have only few bits, several
 * tables of 65,536 counters fit the shared memory of a multiprocessor (packed_counters.cuh). So one
 * block counts its pixels in all tables, and pixels are read only once. If that needs too much
 * shared memory, or the picture is small, every block counts only one table. In that case a team of
 * blocks, one for each table, reads the same pixels.
 *
 * The counters of a block are called a slice. Blocks store their counters in global memory, and a
 * second kernel sums them. */
#include <type_traits>

#include "kernels/histogram/cuda/count_slices.cuh"
#include "kernels/histogram/cuda/histogram_cuda.cuh"
#include "kernels/histogram/cuda/packed_counters.cuh"

/* --- Adding the counters of all blocks -------------------------------------------------------- */

/* Adds the packed counters of all blocks to the table. */

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

/* --- The kernels ------------------------------------------------------------------------------ */

namespace
{

constexpr int CLEARING_BLOCKS = 32;
constexpr size_t VECTOR = sizeof(uint4); /* alignment of the parts of the workspace, in bytes */

/* Smallest numbers of pixels per multiprocessor for which a method of counting pays off. From
 * TOGETHER_SHARE on, blocks count all tables. From LARGE_SHARE on, a single table has counters of
 * 16 bits, and there are several copies of the reports. */
constexpr int64_t TOGETHER_SHARE = 3 << 14, LARGE_SHARE = 1 << 19;
constexpr uint32_t REPORT_COPIES = 4;

/* Layout of the counters of a block that counts all TABLES tables. */
template <int TABLES>
using AllTables = std::conditional_t<TABLES <= 3, NearCounters<TABLES, 8>, MixedCounters<TABLES>>;
using WideTable = NearCounters<1, 16>;

template <class Layout> void set_layout(SlicePlan *plan)
{
    plan->words = Layout::WORDS;
    plan->bits = Layout::BITS;
}

void set_layout_of(Slicing slicing, int tables, SlicePlan *plan)
{
    if (slicing == WIDE_TABLE)
        set_layout<WideTable>(plan);
    else if (slicing == TABLES_APART || tables == 1)
        set_layout<OneTable>(plan);
    else if (tables == 2)
        set_layout<AllTables<2>>(plan);
    else if (tables == 3)
        set_layout<AllTables<3>>(plan);
    else if (tables == 4)
        set_layout<AllTables<4>>(plan);
    else
        set_layout<AllTables<5>>(plan);
}

/* Chooses which tables a block counts. If it counts all tables, each pixel is read once, but more
 * counters must be summed afterwards. Counters of 16 bits also need more summing than counters of 8
 * bits, but they rarely overflow. */
Slicing choose_slicing(int64_t pixels, int tables, int multiprocessors)
{
    if (tables == 1)
        return pixels / multiprocessors >= LARGE_SHARE ? WIDE_TABLE : TABLES_TOGETHER;
    return pixels / multiprocessors >= TOGETHER_SHARE ? TABLES_TOGETHER : TABLES_APART;
}

/* Computes *plan, which determines how blocks count the picture. The plan has as many teams of
 * blocks as multiprocessors and pixels allow. The number of rounds is chosen so that counters
 * become at most half full if values are evenly distributed. */
ImgStatus plan_slices(ImgShape src, int tables, SlicePlan *plan, ImgError *err)
{
    enum { PIXELS_WORTH_A_TEAM = 1 << 14, MOST_ROUNDS = 8 };
    int multiprocessors = 0, available = 0;
    ImgStatus status = device_attribute(cudaDevAttrMultiProcessorCount, &multiprocessors, err);
    if (status == IMG_OK)
        status = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &available, err);
    if (status != IMG_OK)
        return status;
    int64_t pixels = (int64_t)src.width * src.height;
    plan->slicing = choose_slicing(pixels, tables, multiprocessors);
    set_layout_of(plan->slicing, tables, plan);
    if (plan->words * sizeof(uint32_t) > (size_t)available) {
        plan->slicing = tables == 1 ? TABLES_TOGETHER : TABLES_APART;
        set_layout<OneTable>(plan);
    }
    plan->slices = plan->slicing == TABLES_APART ? tables : 1;
    int64_t worth = pixels / PIXELS_WORTH_A_TEAM + 1;
    int most = multiprocessors / plan->slices > 0 ? multiprocessors / plan->slices : 1;
    plan->teams = worth < most ? (int)worth : most;
    plan->copies = pixels / multiprocessors >= LARGE_SHARE ? REPORT_COPIES : 1;
    int64_t rounds = pixels / plan->teams / ((int64_t)PACKED_VALUES / 2 << plan->bits) + 1;
    plan->rounds = rounds < MOST_ROUNDS ? (int)rounds : MOST_ROUNDS;
    return IMG_OK;
}

size_t partial_words(const SlicePlan &plan)
{
    return (size_t)plan.slices * plan.teams * plan.rounds * plan.words;
}

/* Launches `kernel`, which counts slices with the layout Layout, and then the kernel that sums the
 * slices. */
template <class Layout, typename Kernel>
ImgStatus run(Kernel kernel, const HistogramTask &task, const SlicePlan &plan, const Units &units,
              const ImgCall *call, ImgError *err)
{
    int tables = plan.slices * Layout::TABLES, shared = (int)(plan.words * sizeof(uint32_t));
    uint32_t *partial = (uint32_t *)(((uintptr_t)call->workspace + VECTOR - 1) / VECTOR * VECTOR);
    Reports reports = {partial + partial_words(plan), (uint32_t)tables * PACKED_VALUES,
                       plan.copies};
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
             err);
    IMG_LAUNCH(clear_tables_kernel, dim3(CLEARING_BLOCKS, tables), SLICE_THREADS, 0, call->stream,
               task, reports);
    CUDA_TRY(cudaGetLastError(), err);
    IMG_LAUNCH_EARLY(kernel, plan.slices * plan.teams, SLICE_THREADS, shared, call->stream, task,
                     plan, units, reports, partial);
    CUDA_TRY(cudaGetLastError(), err);
    dim3 columns((Layout::WORDS - 1) / GATHER_WORDS + 1, plan.slices);
    int partials = plan.teams * plan.rounds;
    IMG_LAUNCH_EARLY(gather_kernel<Layout>, columns, gather_threads(partials), 0, call->stream,
                     task, partial, reports, partials, task.skip ? 0 : units.beyond);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

template <int CHANNELS, bool SKIP>
ImgStatus run_planned(const HistogramTask &task, const SlicePlan &plan, const ImgCall *call,
                      ImgError *err)
{
    uint32_t threads = (uint32_t)plan.teams * SLICE_THREADS;
    Units units = cut_in_units<CHANNELS>(task, threads, plan.rounds);
    if constexpr (CHANNELS == 1) {
        if (plan.slicing == WIDE_TABLE)
            return run<WideTable>(count_all_kernel<CHANNELS, WideTable, SKIP>, task, plan, units,
                                  call, err);
    } else {
        if (plan.slicing == TABLES_APART)
            return run<OneTable>(count_table_kernel<CHANNELS, SKIP>, task, plan, units, call, err);
    }
    if constexpr (CHANNELS >= 3) {
        using Layout = AllTables<CHANNELS + 1>;
        if (task.luma)
            return run<Layout>(count_all_kernel<CHANNELS, Layout, SKIP>, task, plan, units, call,
                               err);
    }
    using Layout = AllTables<CHANNELS>;
    return run<Layout>(count_all_kernel<CHANNELS, Layout, SKIP>, task, plan, units, call, err);
}

template <int CHANNELS> ImgStatus launch(const ImgCall *call, ImgError *err)
{
    HistogramTask task = histogram_task(call);
    int tables = CHANNELS + (task.luma ? 1 : 0);
    SlicePlan plan;
    ImgStatus status = plan_slices(img_view_shape(&call->src), tables, &plan, err);
    if (status != IMG_OK)
        return status;
    if constexpr (CHANNELS % 2 == 0) {
        if (task.skip)
            return run_planned<CHANNELS, true>(task, plan, call, err);
    }
    return run_planned<CHANNELS, false>(task, plan, call, err);
}

} // namespace

size_t img_histogram_cuda_slices_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    (void)op;
    SlicePlan plan;
    int32_t tables = img_histogram_rows(src.format, (const ImgHistogramParams *)params);
    if (plan_slices(src, tables, &plan, NULL) != IMG_OK)
        return 0;
    size_t reports = (size_t)plan.copies * (size_t)tables * PACKED_VALUES;
    return (partial_words(plan) + reports) * sizeof(uint32_t) + VECTOR;
}

ImgStatus img_histogram_cuda_slices(const ImgCall *call, ImgError *err)
{
    return with_channels(call->src.format, [&](auto channels) {
        return launch<decltype(channels)::VALUE>(call, err);
    });
}
