/* histogram on CUDA, textbook versions with one pixel per thread. The counters are in global
 * memory, in the shared memory of a block, in one copy per warp, or in one column per lane.
 * Sources: Hwu, Kirk, El Hajj, "Programming Massively Parallel Processors", chapter 9
 * (privatization); Podlozhnyuk, "Histogram calculation in CUDA" (one copy per warp). */
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/histogram/cuda/histogram_cuda.cuh"

namespace
{

constexpr int THREADS = 256, WARPS = THREADS / 32, LANES = 32, BINS = 256;
constexpr int BLOCKS_PER_MULTIPROCESSOR = 8;

/* Memory in which a block keeps its counters. In shared memory it has COPIES tables of BINS
 * counters per channel, and a thread uses one of these copies. With COLUMNS, the counters of a bin
 * are adjacent: one per lane, and so one per bank. */
enum class Place { GLOBAL, SHARED, WARPS, COLUMNS };

template <Place PLACE> constexpr int COPIES = 1;
template <> constexpr int COPIES<Place::WARPS> = WARPS;
template <> constexpr int COPIES<Place::COLUMNS> = LANES;

template <Place PLACE> __device__ uint32_t counter_of(int table, uint32_t bin, int tables)
{
    if (PLACE == Place::COLUMNS)
        return (uint32_t)(table * BINS + (int)bin) * LANES + threadIdx.x % LANES;
    int copy = PLACE == Place::WARPS ? (int)threadIdx.x / LANES : 0;
    return (uint32_t)((copy * tables + table) * BINS) + bin;
}

template <Place PLACE>
__device__ void count(const HistogramTask &task, uint32_t *shared, int table, uint32_t value,
                      int tables)
{
    if (PLACE == Place::GLOBAL)
        atomicAdd(task.counts + table * task.row + value, (Count)1);
    else
        atomicAdd(shared + counter_of<PLACE>(table, value, tables), 1u);
}

/* Returns the sum of all copies of the counter number `index`. */
template <Place PLACE> __device__ Count sum_copies(const uint32_t *shared, int index, int tables)
{
    Count sum = 0;
    for (int copy = 0; copy < COPIES<PLACE>; copy++)
        sum += PLACE == Place::COLUMNS ? shared[index * LANES + (copy + (int)threadIdx.x) % LANES]
                                       : shared[copy * tables * BINS + index];
    return sum;
}

/* Counts one pixel per thread; adjacent threads read adjacent pixels. Atomic additions to the same
 * word or bank limit the kernel, because they wait for each other. */
template <Place PLACE, typename Sample, int CHANNELS>
__global__ void __launch_bounds__(THREADS) count_kernel(HistogramTask task)
{
    IMG_SHARED_DYNAMIC(uint32_t, shared);
    int tables = CHANNELS + (task.luma ? 1 : 0);
    int counters = PLACE == Place::GLOBAL ? 0 : tables * BINS;
    for (int i = threadIdx.x; i < counters * COPIES<PLACE>; i += THREADS)
        shared[i] = 0;
    __syncthreads();
    uint64_t step = (uint64_t)gridDim.x * THREADS;
    Walk walk(task, (uint32_t)task.width, CHANNELS * (int)sizeof(Sample),
              (uint64_t)blockIdx.x * THREADS + threadIdx.x, step);
    for (; walk.y < (uint32_t)task.height; walk.advance()) {
        const Sample *pixel = (const Sample *)walk.at;
        uint32_t sample[CHANNELS];
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            sample[c] = pixel[c];
        if (task.skip && sample[CHANNELS - 1] == 0)
            continue;
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            count<PLACE>(task, shared, c, sample[c], tables);
        if (CHANNELS >= 3 && task.luma)
            count<PLACE>(
                task, shared, CHANNELS,
                luma_of(task.weights, sample[0], sample[1 % CHANNELS], sample[2 % CHANNELS]),
                tables);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < counters; i += THREADS) {
        Count sum = sum_copies<PLACE>(shared, i, tables);
        if (sum > 0 && i % BINS < task.bins)
            atomicAdd(task.counts + i / BINS * task.row + i % BINS, sum);
    }
}

template <Place PLACE, typename Sample, int CHANNELS>
ImgStatus launch(const ImgCall *call, ImgError *err)
{
    HistogramTask task = histogram_task(call);
    auto kernel = count_kernel<PLACE, Sample, CHANNELS>;
    int tables = CHANNELS + (task.luma ? 1 : 0), multiprocessors = 0;
    int shared = PLACE == Place::GLOBAL ? 0 : tables * BINS * COPIES<PLACE> * (int)sizeof(uint32_t);
    ImgStatus status = clear_counts(task, call->stream, err);
    if (status == IMG_OK)
        status = device_attribute(cudaDevAttrMultiProcessorCount, &multiprocessors, err);
    if (status != IMG_OK)
        return status;
    CUDA_TRY(allow_shared_memory(kernel), err);
    IMG_LAUNCH(kernel, multiprocessors * BLOCKS_PER_MULTIPROCESSOR, THREADS, shared, call->stream,
               task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

template <Place PLACE> ImgStatus run(const ImgCall *call, ImgError *err)
{
    return with_channels(call->src.format, [&](auto channels) {
        return launch<PLACE, uint8_t, decltype(channels)::VALUE>(call, err);
    });
}

} // namespace

ImgStatus img_histogram_cuda_global(const ImgCall *call, ImgError *err)
{
    return with_samples(call->src.format, [&](auto sample, auto channels) {
        return launch<Place::GLOBAL, decltype(sample), decltype(channels)::VALUE>(call, err);
    });
}

ImgStatus img_histogram_cuda_shared(const ImgCall *call, ImgError *err)
{
    return run<Place::SHARED>(call, err);
}

ImgStatus img_histogram_cuda_warp(const ImgCall *call, ImgError *err)
{
    return run<Place::WARPS>(call, err);
}

ImgStatus img_histogram_cuda_column(const ImgCall *call, ImgError *err)
{
    return run<Place::COLUMNS>(call, err);
}
