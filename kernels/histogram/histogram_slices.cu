/* The fast histogram of 16-bit samples. A table of 65,536 counters fits the shared memory of a
 * multiprocessor if they have 16 bits, so every block counts one slice of the whole: one channel,
 * or luma, or a part of it where shared memory is short. The blocks of a team, one for each slice,
 * read the same pixels at about the same time, so that these come from memory once and from the
 * second-level cache for the others.
 *
 * Two counters share a word, those of v and v + 32,768: neighbouring values, which meet often, are
 * then in different banks. A counter that reaches LIMIT is lowered by it before it can overflow,
 * and the table in global memory raised. */
#include "kernels/histogram/histogram_cuda.cuh"

namespace
{

constexpr int THREADS = 1024;
constexpr uint32_t BINS = 65536, WORDS = BINS / 2;

/* The top bit of a counter. Whoever adds to one in which it is set already clears it before going
 * on to other pixels. So after a counter has reached LIMIT every thread adds the pixels at hand at
 * most, and then clears it: it stays below 2 * LIMIT, however the threads of a block run. */
constexpr uint32_t LIMIT = 0x8000, LIMIT_BITS = 0x80008000;
constexpr int PIXELS = 8;
static_assert(THREADS * PIXELS < LIMIT, "a counter could overflow");

/* Groups that are loaded together. */
template <int CHANNELS> constexpr int AHEAD = CHANNELS == 1 ? 4 : CHANNELS == 2 ? 2 : 1;

struct SlicePlan {
    int parts;  /* of a table */
    int slices; /* tables * parts */
    int teams;
    uint32_t words; /* of a slice; of the last part maybe fewer */
};

/* Words first .. first + count - 1 of the table of a channel or of luma. */
struct Slice {
    int table;
    uint32_t first, count;
};

__device__ Slice slice_of(const SlicePlan &plan)
{
    Slice slice;
    int number = (int)blockIdx.x % plan.slices;
    slice.table = number / plan.parts;
    slice.first = (uint32_t)(number % plan.parts) * plan.words;
    slice.count = WORDS - slice.first < plan.words ? WORDS - slice.first : plan.words;
    return slice;
}

/* Counts channel TABLE, or luma, which comes after the channels. CHOOSY: not all pixels count, or
 * not all values belong to the slice. */
template <int CHANNELS, int TABLE, bool CHOOSY> struct Counter {
    using Pixels = Group<uint16_t, CHANNELS>;
    static_assert(Pixels::PIXELS == PIXELS, "LIMIT");

    const HistogramTask &task;
    const Slice slice;
    uint32_t *words;

    __device__ uint32_t value(const Pixels &group, int pixel) const
    {
        int at = pixel * CHANNELS;
        if (TABLE < CHANNELS)
            return group.sample(at + TABLE % CHANNELS);
        return luma_of(task.weights, group.sample(at), group.sample(at + 1 % CHANNELS),
                       group.sample(at + 2 % CHANNELS));
    }

    /* Is every second pixel of the group the same? One or two additions are enough then: pictures
     * of one value would otherwise wait for one counter. (Transparent pixels are the same too.) */
    static __device__ bool repeats(const Pixels &group)
    {
        uint32_t differences = 0;
#pragma unroll
        for (int i = CHANNELS; i < Pixels::WORDS; i++)
            differences |= group.words[i] ^ group.words[i - CHANNELS];
        return differences == 0;
    }

    /* Clears the top bit; if it was set, it goes to the table. */
    __device__ void carry(uint32_t value) const
    {
        uint32_t bit = LIMIT << (value / WORDS * 16);
        if ((atomicAnd(words + value % WORDS - slice.first, ~bit) & bit) != 0)
            atomicAdd(task.counts + TABLE * task.row + value, (Count)LIMIT);
    }

    __device__ bool counts(const Pixels &group, int pixel) const
    {
        bool visible = !task.skip || group.sample(pixel * CHANNELS + CHANNELS - 1) != 0;
        return !CHOOSY || (visible && value(group, pixel) % WORDS - slice.first < slice.count);
    }

    /* Adds `n` for each of the first COUNT pixels. */
    template <int COUNT> __device__ void add(const Pixels &group, uint32_t n) const
    {
        uint32_t seen = 0, old[COUNT];
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            uint32_t v = value(group, i);
            old[i] = 0;
            if (counts(group, i))
                old[i] = atomicAdd(words + v % WORDS - slice.first, v < WORDS ? n : n << 16);
            seen |= old[i];
        }
        if ((seen & LIMIT_BITS) == 0)
            return;
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            uint32_t v = value(group, i);
            if ((old[i] & (v < WORDS ? LIMIT : LIMIT << 16)) != 0)
                carry(v);
        }
    }

    __device__ void operator()(const Pixels &group) const
    {
        if (!repeats(group))
            add<PIXELS>(group, 1);
        else if (value(group, 0) != value(group, 1))
            add<2>(group, PIXELS / 2);
        else
            add<1>(group, PIXELS);
    }
};

template <int CHANNELS, int TABLE, bool CHOOSY>
__device__ void count_slice(const HistogramTask &task, const SlicePlan &plan, const Groups &groups,
                            const Slice &slice, uint32_t *words)
{
    using Pixels = Group<uint16_t, CHANNELS>;
    Counter<CHANNELS, TABLE, CHOOSY> counter = {task, slice, words};
    uint64_t team = blockIdx.x / plan.slices;
    Walk walk(task, groups.a_row, Pixels::BYTES, team * THREADS + threadIdx.x,
              (uint64_t)plan.teams * THREADS);
    while (walk.y < (uint32_t)task.height) {
        Batch<Pixels, AHEAD<CHANNELS>> batch;
        batch.load(walk, task, groups);
        batch.each(counter);
    }
}

/* Block b counts slice b % slices of what its team reads, and leaves it in `partial`. */
template <int CHANNELS, bool CHOOSY>
__global__ void __launch_bounds__(THREADS)
    slices_kernel(HistogramTask task, SlicePlan plan, Groups groups, uint32_t *partial)
{
    IMG_SHARED_DYNAMIC(uint32_t, words);
    Slice slice = slice_of(plan);
    for (uint32_t i = threadIdx.x; i < plan.words; i += THREADS)
        words[i] = 0;
    __syncthreads();
    if (slice.table == 0)
        count_slice<CHANNELS, 0, CHOOSY>(task, plan, groups, slice, words);
    else if (CHANNELS >= 2 && slice.table == 1)
        count_slice<CHANNELS, 1, CHOOSY>(task, plan, groups, slice, words);
    else if (CHANNELS >= 3 && slice.table == 2)
        count_slice<CHANNELS, 2, CHOOSY>(task, plan, groups, slice, words);
    else if (CHANNELS >= 3 && slice.table == 3)
        count_slice<CHANNELS, 3, CHOOSY>(task, plan, groups, slice, words);
    else if (CHANNELS >= 4)
        count_slice<CHANNELS, 4, CHOOSY>(task, plan, groups, slice, words);
    __syncthreads();
    uint32_t *own = partial + (size_t)blockIdx.x * plan.words;
    for (uint32_t i = threadIdx.x; i < plan.words; i += THREADS)
        own[i] = words[i];
}

/* One thread per word: adds what the teams found to the table, less the black pixels that were
 * none. */
__global__ void __launch_bounds__(THREADS)
    gather_kernel(HistogramTask task, SlicePlan plan, const uint32_t *partial, uint64_t beyond)
{
    uint32_t number = blockIdx.x * THREADS + threadIdx.x, table = number / WORDS;
    uint32_t value = number % WORDS; /* and value + WORDS */
    uint32_t slice = table * (uint32_t)plan.parts + value / plan.words;
    const uint32_t *own = partial + (size_t)slice * plan.words + value % plan.words;
    Count low = 0, high = 0;
    for (int team = 0; team < plan.teams; team++) {
        uint32_t word = own[(size_t)team * plan.slices * plan.words];
        low += word & 0xffff;
        high += word >> 16;
    }
    Count *entry = task.counts + table * task.row + value;
    entry[0] += low - (value == 0 ? beyond : 0);
    entry[WORDS] += high;
}

/* As few parts as there must be, and as many teams as multiprocessors and pixels allow. */
ImgStatus plan_slices(ImgShape src, int tables, SlicePlan *plan, ImgError *err)
{
    enum { PIXELS_WORTH_A_TEAM = 1 << 16 };
    int multiprocessors = 0, available = 0;
    ImgStatus status = device_attribute(cudaDevAttrMultiProcessorCount, &multiprocessors, err);
    if (status == IMG_OK)
        status = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &available, err);
    if (status != IMG_OK)
        return status;
    int all = (int)(WORDS * sizeof(uint32_t));
    plan->parts = (all + available - 1) / available;
    plan->words = (WORDS + (uint32_t)plan->parts - 1) / (uint32_t)plan->parts;
    plan->slices = tables * plan->parts;
    int64_t worth = (int64_t)src.width * src.height / PIXELS_WORTH_A_TEAM + 1;
    int most = multiprocessors / plan->slices > 0 ? multiprocessors / plan->slices : 1;
    plan->teams = worth < most ? (int)worth : most;
    return IMG_OK;
}

template <int CHANNELS> ImgStatus launch(const ImgCall *call, ImgError *err)
{
    HistogramTask task = histogram_task(call);
    int tables = CHANNELS + (task.luma ? 1 : 0);
    SlicePlan plan;
    ImgStatus status = plan_slices(img_view_shape(&call->src), tables, &plan, err);
    if (status == IMG_OK)
        status = clear_counts(task, call->stream, err);
    if (status != IMG_OK)
        return status;
    Groups groups = cut_in_groups<Group<uint16_t, CHANNELS>>(task);
    bool choosy = plan.parts > 1 || task.skip;
    auto kernel = choosy ? slices_kernel<CHANNELS, true> : slices_kernel<CHANNELS, false>;
    int shared = (int)(plan.words * sizeof(uint32_t));
    uint32_t *partial = (uint32_t *)call->workspace;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
             err);
    IMG_LAUNCH(kernel, plan.slices * plan.teams, THREADS, shared, call->stream, task, plan, groups,
               partial);
    CUDA_TRY(cudaGetLastError(), err);
    static_assert(WORDS % THREADS == 0, "gather_kernel has no guard");
    IMG_LAUNCH(gather_kernel, tables * (int)WORDS / THREADS, THREADS, 0, call->stream, task, plan,
               partial, task.skip ? 0 : groups.beyond);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

size_t img_histogram_cuda_slices_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    (void)op;
    SlicePlan plan;
    int32_t tables = img_histogram_rows(src.format, (const ImgHistogramParams *)params);
    if (plan_slices(src, tables, &plan, NULL) != IMG_OK)
        return 0;
    return (size_t)plan.slices * (size_t)plan.teams * plan.words * sizeof(uint32_t);
}

ImgStatus img_histogram_cuda_slices(const ImgCall *call, ImgError *err)
{
    return with_channels(call->src.format, [&](auto channels) {
        return launch<decltype(channels)::VALUE>(call, err);
    });
}
