/* median on CUDA for large windows: counts the samples of a window. A warp moves down a column of
 * pixels. For each row it adds the row of samples that enters its window, and subtracts the row
 * that leaves it. */
#include "kernels/median/cuda/median_cuda.cuh"

namespace
{

constexpr int LANES = 32, WARPS = 4, BINS = 256, BINS_PER_LANE = BINS / LANES;
/* number of samples per lane in a row of the window */
constexpr int HELD = (IMG_MEDIAN_SIDE_MAX + LANES - 1) / LANES;
constexpr unsigned ALL = 0xffffffff;
/* Number of rows after which a warp counts its window from scratch. */
constexpr int RUN = 128;

/* Returns the position of the counter of a value. Lane l sums the bins 8 l to 8 l + 7. Counters are
 * interleaved, so that the lanes access different banks. */
__device__ int32_t place_of(uint32_t value)
{
    return (int32_t)(value % BINS_PER_LANE * LANES + value / BINS_PER_LANE);
}

/* The samples that a lane has in a row of the window: those with the indices `lane` and `lane` +
 * 32. */
struct Row {
    uint32_t sample[HELD];
};

struct Window {
    int32_t column[HELD]; /* columns of the lane's samples in the picture, the same in each row */
    int32_t lane, side, channel;

    template <typename Sample> __device__ Row fetch(const MedianTask &task, int64_t y) const
    {
        const int32_t row = img_border_place(y, task.height, task.border);
        Row fetched;
#pragma unroll
        for (int h = 0; h < HELD; h++)
            fetched.sample[h] =
                lane + h * LANES < side ? task.sample<Sample>(column[h], row, channel) : 0;
        return fetched;
    }

    /* Adds `by` to the counter of each sample of the row, in the bin sample >> shift. The function
     * count_lower does so with the lower bytes of those samples whose upper byte is `upper`. */
    __device__ void count(const Row &row, unsigned *counts, int shift, unsigned by) const
    {
#pragma unroll
        for (int h = 0; h < HELD; h++)
            if (lane + h * LANES < side)
                atomicAdd(&counts[place_of(row.sample[h] >> shift)], by);
    }

    __device__ void count_lower(const Row &row, unsigned *counts, uint32_t upper, unsigned by) const
    {
#pragma unroll
        for (int h = 0; h < HELD; h++)
            if (lane + h * LANES < side && row.sample[h] >> 8 == upper)
                atomicAdd(&counts[place_of(row.sample[h] & 0xff)], by);
    }

    __device__ void clear(unsigned *counts) const
    {
#pragma unroll
        for (int i = 0; i < BINS_PER_LANE; i++)
            counts[i * LANES + lane] = 0;
        __syncwarp();
    }

    /* Returns the index of the bin that contains the sample of rank `before`, counted from 0 in the
     * sorted order of the window. Subtracts the number of samples in lower bins from `before`. */
    __device__ uint32_t find(const unsigned *counts, uint32_t &before) const
    {
        uint32_t own[BINS_PER_LANE], sum = 0;
        __syncwarp();
#pragma unroll
        for (int i = 0; i < BINS_PER_LANE; i++) {
            own[i] = counts[i * LANES + lane];
            sum += own[i];
        }
        uint32_t up_to = sum;
#pragma unroll
        for (int away = 1; away < LANES; away *= 2) {
            const uint32_t other = __shfl_up_sync(ALL, up_to, (unsigned)away);
            up_to += lane >= away ? other : 0;
        }
        const int found = __ffs((int)__ballot_sync(ALL, up_to > before)) - 1;
        uint32_t rest = before - (up_to - sum), bin = 0;
        bool searching = true;
#pragma unroll
        for (int i = 0; i < BINS_PER_LANE - 1; i++) {
            searching = searching && own[i] <= rest;
            rest -= searching ? own[i] : 0;
            bin += searching ? 1 : 0;
        }
        before = __shfl_sync(ALL, rest, found);
        return (uint32_t)found * BINS_PER_LANE + __shfl_sync(ALL, bin, found);
    }
};

/* Returns the lower byte of the median of 16-bit samples, after its upper byte was found. It counts
 * the lower bytes of the samples with this upper byte. If the median of the pixel above had the
 * same upper byte, it updates the counts that were made for that pixel, instead of counting from
 * scratch. */
template <typename Sample>
__device__ uint32_t find_lower(const MedianTask &task, const Window &window, unsigned *lower,
                               int32_t &counted, uint32_t upper, uint32_t before, const Row &gained,
                               const Row &lost, int64_t y)
{
    if (counted == (int32_t)upper) {
        window.count_lower(gained, lower, upper, 1u);
        window.count_lower(lost, lower, upper, ALL);
    } else {
        window.clear(lower);
        for (int64_t j = y - task.radius; j <= y + task.radius; j++)
            window.count_lower(window.fetch<Sample>(task, j), lower, upper, 1u);
        counted = (int32_t)upper;
    }
    return window.find(lower, before);
}

/* Computes one column of medians per warp. The warps of a block process adjacent samples, so that
 * they share rows in the cache. The kernel is limited by the search for the bin, and by atomic
 * additions to shared memory, which are serialised for equal values. */
template <typename Sample>
__global__ void __launch_bounds__(LANES *WARPS) median_counts_kernel(MedianTask task)
{
    constexpr int SHIFT = sizeof(Sample) == 2 ? 8 : 0;
    IMG_SHARED(unsigned, bins, [WARPS][sizeof(Sample)][BINS]);
    const int32_t warp = (int32_t)threadIdx.x / LANES;
    const int64_t sample = (int64_t)blockIdx.x * WARPS + warp;
    const int32_t x = (int32_t)(sample / task.channels);
    if (x >= task.width)
        return;
    unsigned *upper_bins = bins[warp][0], *lower_bins = bins[warp][sizeof(Sample) - 1];
    Window window;
    window.lane = (int32_t)threadIdx.x % LANES;
    window.side = 2 * task.radius + 1;
    window.channel = (int32_t)(sample % task.channels);
#pragma unroll
    for (int h = 0; h < HELD; h++)
        window.column[h] = img_border_place((int64_t)x - task.radius + window.lane + h * LANES,
                                            task.width, task.border);
    for (int64_t top = (int64_t)blockIdx.y * RUN; top < task.height;
         top += (int64_t)gridDim.y * RUN) {
        const int64_t end = top + RUN < task.height ? top + RUN : task.height;
        int32_t counted = -1;
        window.clear(upper_bins);
        for (int64_t j = top - task.radius - 1; j < top + task.radius; j++)
            window.count(window.fetch<Sample>(task, j), upper_bins, SHIFT, 1u);
        for (int64_t y = top; y < end; y++) {
            const Row gained = window.fetch<Sample>(task, y + task.radius);
            const Row lost = window.fetch<Sample>(task, y - task.radius - 1);
            window.count(gained, upper_bins, SHIFT, 1u);
            window.count(lost, upper_bins, SHIFT, ALL);
            uint32_t before = (uint32_t)(window.side * window.side) / 2;
            uint32_t value = window.find(upper_bins, before);
            if (sizeof(Sample) == 2)
                value = value << 8 | find_lower<Sample>(task, window, lower_bins, counted, value,
                                                        before, gained, lost, y);
            if (window.lane == 0)
                task.set<Sample>(x, (int32_t)y, window.channel, value);
            __syncwarp();
        }
    }
}

} // namespace

ImgStatus img_median_cuda_cleared_counts(const ImgCall *call, ImgError *err)
{
    const MedianTask task = median_task(call);
    const int64_t samples = (int64_t)task.width * task.channels;
    const dim3 grid(median_blocks(samples, WARPS, INT32_MAX),
                    median_blocks(task.height, RUN, MEDIAN_GRID_ROWS));
    auto *kernel = task.bits == 16 ? median_counts_kernel<uint16_t> : median_counts_kernel<uint8_t>;
    if (samples > (int64_t)INT32_MAX * WARPS)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "these are too many pixels for one launch on a GPU; use the CPU");
    IMG_LAUNCH(kernel, grid, LANES * WARPS, 0, call->stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

ImgStatus img_median_cuda_counts(const ImgCall *call, ImgError *err)
{
    ImgCall own;
    const ImgStatus status = img_prepass_cuda(IMG_PREPASS_CLEAR, call, &own, err);
    return status == IMG_OK ? img_median_cuda_cleared_counts(&own, err) : status;
}
