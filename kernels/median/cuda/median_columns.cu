/* median on CUDA for large windows of 8-bit samples. Each column of a strip has its own counts,
 * over the rows of the window, in shared memory. The counts of a window are the sums of the counts
 * of its columns (S. Perreault, P. Hebert, "Median filtering in constant time", 2007). */
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/median/cuda/median_cuda.cuh"

/* --- Bins ------------------------------------------------------------------------------------- */

/* The counts of sixteen bins of a window, in registers, two per word. A bin counts the samples in a
 * range of values. Of every four bins, a word of `even` has bins 0 and 2, and a word of `odd` has
 * bins 1 and 3. */
struct MedianBins {
    uint32_t even[4], odd[4];

    __device__ void clear()
    {
#pragma unroll
        for (int i = 0; i < 4; i++)
            even[i] = odd[i] = 0;
    }
    __device__ void add(const uint32_t (&bytes)[4])
    {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            even[i] += bytes[i] & 0x00ff00ff;
            odd[i] += bytes[i] >> 8 & 0x00ff00ff;
        }
    }
    __device__ void remove(const uint32_t (&bytes)[4])
    {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            even[i] -= bytes[i] & 0x00ff00ff;
            odd[i] -= bytes[i] >> 8 & 0x00ff00ff;
        }
    }
    /* Returns the index of the bin that contains the sample of rank `before`, counted from 0 in the
     * sorted order of the window. Subtracts the number of samples in lower bins from `before`. */
    __device__ uint32_t find(uint32_t &before) const
    {
        uint32_t bin = 0, low = even[0], high = odd[0];
        bool searching = true;
#pragma unroll
        for (int i = 0; i < 3; i++) {
            const uint32_t both = even[i] + odd[i], sum = (both & 0xffff) + (both >> 16);
            searching = searching && before >= sum;
            before -= searching ? sum : 0;
            bin += searching ? 4 : 0;
            low = searching ? even[i + 1] : low;
            high = searching ? odd[i + 1] : high;
        }
        const uint32_t counts[3] = {low & 0xffff, high & 0xffff, low >> 16};
        searching = true;
#pragma unroll
        for (int i = 0; i < 3; i++) {
            searching = searching && before >= counts[i];
            before -= searching ? counts[i] : 0;
            bin += searching ? 1 : 0;
        }
        return bin;
    }
};

namespace
{

/* A thread has EACH neighbouring pixels of one channel. It updates the counts of their columns, and
 * finds the medians of the windows around them. */
constexpr int THREADS = 384, EACH = 2, SLOTS = EACH * THREADS;
/* numbers of columns whose counts are added together, for small and for larger windows */
constexpr int MANY = 8, FEW = 4;
static_assert(FEW * IMG_MEDIAN_SIDE_MAX <= UINT8_MAX, "sums of bytes");
/* A column has 17 lines of 16 bins. One line has the coarse bins, of 16 values each. For each
 * coarse bin, another line has the bins of its 16 single values. Bins are bytes, because no window
 * is 256 rows high. The same lines of neighbouring columns are adjacent, so there are no bank
 * conflicts, even if threads read different lines. */
constexpr int BINS = 16, COARSE = BINS, LINES = BINS + 1;
constexpr size_t SHARED_BYTES = (size_t)LINES * SLOTS * BINS;

__device__ void add_bytes(uint32_t (&sums)[4], const uint4 &bytes)
{
    sums[0] += bytes.x;
    sums[1] += bytes.y;
    sums[2] += bytes.z;
    sums[3] += bytes.w;
}

/* A strip of the picture: some columns and many rows, which a block processes. TOGETHER is a number
 * of columns for which sums of counts stay below 256. */
template <int CHANNELS, int TOGETHER> struct Strip {
    static constexpr int GROUPS = THREADS / CHANNELS;
    uint8_t *counts;
    /* columns of the thread's samples in the picture, the same in each row */
    int32_t thread, column[EACH];

    /* Returns line number `number` (16 bins) of the column that is `away` pixels from the thread's
     * first column. */
    __device__ const uint4 *line(uint32_t number, int32_t away) const
    {
        const int32_t slot = (away & (EACH - 1)) * THREADS + thread + (away >> 1) * CHANNELS;
        return reinterpret_cast<const uint4 *>(counts) + number * SLOTS + slot;
    }
    __device__ void read(uint32_t number, int32_t away, uint32_t (&bytes)[4]) const
    {
        const uint4 all = *line(number, away);
        bytes[0] = all.x;
        bytes[1] = all.y;
        bytes[2] = all.z;
        bytes[3] = all.w;
    }
    /* Reads the samples of row `y` in the thread's EACH columns. */
    __device__ void fetch(const MedianTask &task, int64_t y, uint32_t (&sample)[EACH]) const
    {
        const int32_t row = img_border_place(y, task.height, task.border);
#pragma unroll
        for (int i = 0; i < EACH; i++)
            sample[i] = task.sample<uint8_t>(column[i], row, thread % CHANNELS);
    }
    __device__ void count(const uint32_t (&sample)[EACH], uint8_t by) const
    {
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const uint32_t slot = (uint32_t)(i * THREADS + thread), upper = sample[i] / BINS;
            uint8_t *fine = counts + (upper * SLOTS + slot) * BINS + sample[i] % BINS;
            uint8_t *coarse = counts + (COARSE * SLOTS + slot) * BINS + upper;
            *fine = (uint8_t)(*fine + by);
            *coarse = (uint8_t)(*coarse + by);
        }
    }
    /* Sums the 16 bins of line number `number` over `side` columns, from column `first` on. It
     * loads up to TOGETHER columns at a time and adds their counts as bytes. */
    __device__ void sum(uint32_t number, int32_t first, int32_t side, MedianBins &window) const
    {
        const uint4 *at[EACH] = {line(number, first), line(number, first + 1)};
        window.clear();
        int32_t left = side;
        for (; left >= TOGETHER; left -= TOGETHER) {
            uint32_t sums[4] = {0, 0, 0, 0};
#pragma unroll
            for (int i = 0; i < TOGETHER; i++)
                add_bytes(sums, at[i % EACH][i / EACH * CHANNELS]);
            window.add(sums);
            at[0] += TOGETHER / EACH * CHANNELS;
            at[1] += TOGETHER / EACH * CHANNELS;
        }
        uint32_t sums[4] = {0, 0, 0, 0};
#pragma unroll
        for (int i = 0; i < TOGETHER - 1; i++)
            if (i < left)
                add_bytes(sums, at[i % EACH][i / EACH * CHANNELS]);
        window.add(sums);
    }
    /* Changes the 16 bins of line number `number` from the counts of window i - 1 to the counts of
     * window i: adds the column that enters the window and subtracts the column that leaves it. */
    __device__ void pass(uint32_t number, int32_t i, int32_t radius, MedianBins &window) const
    {
        uint32_t bytes[4];
        read(number, i - 1 - radius, bytes);
        window.remove(bytes);
        read(number, i + radius, bytes);
        window.add(bytes);
    }
    /* Finds the medians of the windows around the thread's EACH pixels. It counts window 0 from
     * scratch, and computes the counts of each following window from the window before it. */
    __device__ void medians(int32_t radius, uint32_t (&median)[EACH]) const
    {
        const int32_t side = 2 * radius + 1;
        MedianBins coarse, fine;
        uint32_t last = BINS;
        sum(COARSE, -radius, side, coarse);
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            if (i > 0)
                pass(COARSE, i, radius, coarse);
            uint32_t before = (uint32_t)(side * side) / 2;
            const uint32_t upper = coarse.find(before);
            if (upper == last)
                pass(upper, i, radius, fine);
            else
                sum(upper, i - radius, side, fine);
            last = upper;
            median[i] = upper * BINS + fine.find(before);
        }
    }
};

/* Computes the medians of a strip per block. Threads at both ends of the strip only count their
 * columns, which windows of other threads need. The kernel is limited by loads from shared
 * memory. */
template <int CHANNELS, int TOGETHER>
__global__ void __launch_bounds__(THREADS, 1)
    median_columns_kernel(MedianTask task, uint32_t across, int32_t rows)
{
    using S = Strip<CHANNELS, TOGETHER>;
    IMG_SHARED_DYNAMIC(uint4, memory);
    const int32_t thread = (int32_t)threadIdx.x, group = thread / CHANNELS;
    const int32_t halo = (task.radius + EACH - 1) / EACH;
    const int64_t first = (int64_t)(blockIdx.x % across) * (S::GROUPS - 2 * halo) * EACH +
                          (int64_t)(group - halo) * EACH;
    const int64_t top = (int64_t)(blockIdx.x / across) * rows;
    const int64_t end = top + rows < task.height ? top + rows : task.height;
    const bool gives = group >= halo && group < S::GROUPS - halo && first < task.width;
    S strip;
    strip.counts = reinterpret_cast<uint8_t *>(memory);
    strip.thread = thread;
#pragma unroll
    for (int i = 0; i < EACH; i++)
        strip.column[i] = img_border_place(first + i, task.width, task.border);
    for (int i = thread; i < LINES * SLOTS; i += THREADS)
        memory[i] = make_uint4(0, 0, 0, 0);
    __syncthreads();
    uint32_t gained[EACH], lost[EACH];
    for (int64_t y = top - task.radius - 1; y < top + task.radius; y++) {
        strip.fetch(task, y, gained);
        strip.count(gained, 1);
    }
    strip.fetch(task, top + task.radius, gained);
    strip.fetch(task, top - task.radius - 1, lost);
    for (int64_t y = top; y < end; y++) {
        strip.count(gained, 1);
        strip.count(lost, UINT8_MAX);
        __syncthreads();
        strip.fetch(task, y + 1 + task.radius, gained);
        strip.fetch(task, y - task.radius, lost);
        if (gives) {
            uint32_t median[EACH];
            strip.medians(task.radius, median);
#pragma unroll
            for (int i = 0; i < EACH; i++)
                if (first + i < task.width)
                    task.set<uint8_t>((int32_t)first + i, (int32_t)y, thread % CHANNELS, median[i]);
        }
        __syncthreads();
    }
}

/* Chooses the number of rows per strip. Counting the first window of a strip costs as much as
 * `radius` rows. A GPU runs `at_once` blocks at the same time. The function estimates the time of
 * each division and chooses the fastest. */
int32_t rows_of_strip(int64_t height, int64_t across, int64_t at_once, int32_t radius)
{
    int64_t best = height, least = INT64_MAX;
    for (int64_t down = 1; down <= height && down <= 256; down++) {
        const int64_t rows = (height - 1) / down + 1;
        const int64_t time = ((across * down - 1) / at_once + 1) * (rows + radius);
        if (time < least) {
            least = time;
            best = rows;
        }
    }
    return (int32_t)best;
}

template <int CHANNELS> ImgStatus launch(const MedianTask &task, const ImgCall *call, ImgError *err)
{
    const int32_t halo = (task.radius + EACH - 1) / EACH;
    const int64_t pixels = (int64_t)(THREADS / CHANNELS - 2 * halo) * EACH;
    const int64_t across = (task.width - 1) / pixels + 1;
    auto *kernel = 2 * task.radius + 1 <= UINT8_MAX / MANY ? median_columns_kernel<CHANNELS, MANY>
                                                           : median_columns_kernel<CHANNELS, FEW>;
    int multiprocessors;
    ImgStatus status = device_attribute(cudaDevAttrMultiProcessorCount, &multiprocessors, err);
    if (status != IMG_OK)
        return status;
    const int32_t rows = rows_of_strip(task.height, across, multiprocessors, task.radius);
    const int64_t blocks = across * ((task.height - 1) / rows + 1);
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)SHARED_BYTES),
             err);
    IMG_LAUNCH(kernel, (unsigned)blocks, THREADS, SHARED_BYTES, call->stream, task,
               (uint32_t)across, rows);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus img_median_cuda_columns(const ImgCall *call, ImgError *err)
{
    const MedianTask task = median_task(call);
    int shared;
    const ImgStatus status =
        device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared, err);
    if (status != IMG_OK)
        return status;
    if (task.bits == 16 || (size_t)shared < SHARED_BYTES)
        return img_median_cuda_cleared_counts(call, err);
    return with_channels(call->src.format, [&](auto channels) {
        return launch<decltype(channels)::VALUE>(task, call, err);
    });
}
