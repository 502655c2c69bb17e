/* histogram on CUDA, fast version for samples of up to 8 bits. It reads the picture once. Each
 * block has a table for every channel and for luma in shared memory. Each table has a column of
 * counters for every lane.
 *
 * The kernel is limited by the load/store unit, which executes one addition of a warp per cycle,
 * besides the loads. */
#include <atomic>
#include <stdint.h>
#include <time.h>

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/histogram/cuda/columns_tables.cuh"
#include "kernels/histogram/histogram.h"

/* --- A protocol between the blocks of a kernel ------------------------------------------------ */

/* A protocol between the blocks of a kernel. The first block clears the memory to which all blocks
 * will add, while the other blocks count. A separate kernel that clears would cost more than a
 * microsecond.
 *
 * Blocks start in the order of their numbers. So when a block waits for the first block, that one
 * is already running, and there is no deadlock. The first word of the workspace signals that the
 * memory is clear. Its content is arbitrary at the start of a launch. Therefore each launch has a
 * key that memory is extremely unlikely to contain. The first block stores the key in the word
 * when the memory is clear. Each block waits until the word is the key plus a number below the
 * number of blocks, and then adds 1 to the word. So after the last block the word no longer
 * signals, and the same launch can be repeated. */

using FirstBlockWord = unsigned long long;

/* Parameter of kernels that use this protocol. */
struct FirstBlock {
    /* the word in device memory that signals; NULL if the memory was cleared before the launch */
    FirstBlockWord *word;
    FirstBlockWord key;

    __device__ bool has_to_clear() const
    {
        return word != nullptr && blockIdx.x == 0;
    }

    /* Signals that the memory is clear. All threads of the first block must call it, after a
     * __syncthreads() that follows the clearing. Other blocks may call it too; they do nothing. */
    __device__ void announce() const
    {
        if (!has_to_clear() || threadIdx.x != 0)
            return;
#ifdef __CUDA_ARCH__
        asm volatile("st.release.gpu.u64 [%0], %1;" ::"l"(word), "l"(key) : "memory");
#endif
    }

    /* Returns the current value of the word, for `await`. It does not wait. */
    __device__ FirstBlockWord peek() const
    {
        return word != nullptr && threadIdx.x == 0 ? *(volatile FirstBlockWord *)word : 0;
    }

    /* Waits until the memory is clear. `seen` is the result of `peek`. All threads of every block
     * must call it once, and a __syncthreads() must follow before they add to the memory. After
     * that only atomic additions are safe, because they happen in the second-level cache, to which
     * the zeros have been written. */
    __device__ void await(FirstBlockWord seen) const
    {
        if (word == nullptr || threadIdx.x != 0)
            return;
        while (seen - key >= gridDim.x)
            seen = *(volatile FirstBlockWord *)word;
        atomicAdd(word, (FirstBlockWord)1);
    }
};

/* Returns the parameter for one launch. `memory` is 8 bytes of device memory. The emulator runs
 * blocks one after another in any order. So the word is NULL there, and the caller clears the
 * memory. */
inline FirstBlock first_block(void *memory)
{
#ifdef IMGTOOL_EMULATOR
    (void)memory;
    return FirstBlock();
#else
    /* The key is a counter, mixed as in SplitMix64. Its start differs between processes, because
     * memory may still contain the key of an earlier process. */
    static std::atomic<unsigned long long> launches((unsigned long long)time(nullptr) << 32);
    unsigned long long x = launches.fetch_add(1, std::memory_order_relaxed) * 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return {(FirstBlockWord *)memory, x ^ x >> 31};
#endif
}

/* --- Reading the pixels of a warp's tiles ----------------------------------------------------- */

/* The next tile is loaded while the current one is counted. The loop body exists only once, and
 * moves the next tile's registers to those of the current tile. A second copy of the body would
 * avoid these moves, but its instruction cache misses would cost more. */

/* Addresses of a lane's pixels in a column of tiles. If pixels may cross the boundary of a vector,
 * the vectors of a lane are adjacent. Otherwise the vectors of all lanes are interleaved. */
template <int CHANNELS> struct LaneColumn {
    const uint8_t *at;
    int apart, rest;

    __device__ LaneColumn(const PixelRows &rows, const Tiles &tiles, uint32_t column, uint32_t row)
    {
        uint32_t lane = threadIdx.x & (tiles.lanes - 1);
        apart = CHANNELS == 3 ? 16 : 16 * (int)tiles.lanes;
        uint64_t left = (uint64_t)column * tiles.lanes * LANE_BYTES<CHANNELS> +
                        lane * (CHANNELS == 3 ? LANE_BYTES<3> : 16);
        at = rows.src + row * rows.stride + left;
        rest = left < tiles.row_bytes ? (int)min(tiles.row_bytes - left, (uint64_t)1 << 16) : 0;
    }

    __device__ bool inside() const
    {
        return rest >= (LanePixels<CHANNELS>::VECTORS - 1) * apart + 16;
    }
};

template <int CHANNELS> class TileReader
{
  public:
    __device__ TileReader(const PixelRows &rows_, const Tiles &tiles_, uint32_t warps_,
                          TilePlace place_)
        : rows(rows_), tiles(tiles_), warps(warps_), place(place_), lane(rows_, tiles_, 0, 0)
    {
        enter();
    }

    /* Calls `count(pixels)` for each tile in which this lane has pixels. */
    template <typename Count> __device__ void each(Count count)
    {
        while (place.column < tiles.across) {
#pragma unroll 1
            while (row < (uint32_t)rows.height) {
                Pixels pixels = coming;
                row += tiles.every * tiles.rows;
                load();
                if (!lane.inside())
                    pixels.cut(lane.apart, lane.rest);
                count(pixels);
            }
            place.column += warps;
            place.tile = 0;
            enter();
        }
    }

  private:
    using Pixels = LanePixels<CHANNELS>;
    const PixelRows &rows;
    const Tiles &tiles;
    const uint32_t warps;
    TilePlace place;
    LaneColumn<CHANNELS> lane;
    uint32_t row; /* row of the picture whose pixels are being loaded */
    Pixels coming;

    __device__ void enter()
    {
        row = place.column < tiles.across
                  ? place.tile * tiles.rows + (threadIdx.x % LANES >> tiles.lanes_shift)
                  : (uint32_t)rows.height;
        lane = LaneColumn<CHANNELS>(rows, tiles, place.column, row);
        load();
    }
    __device__ void load()
    {
        coming.load(lane.at, lane.apart, row < (uint32_t)rows.height ? lane.rest : 0);
        lane.at += tiles.step;
    }
};

namespace
{

/* Counts the picture. Tiles contain pixels of value 0 beyond the right edge of the picture; the
 * first block subtracts their number from the counts of value 0. If transparent pixels are skipped,
 * they are not counted at all. */
template <int CHANNELS, bool LUMA, bool SKIP, int COLUMNS, int THREADS>
__global__ void __launch_bounds__(THREADS)
    columns_kernel(HistogramTask task, LumaBytes weights, Tiles tiles, FirstBlock first)
{
    using Own = Tables<CHANNELS, LUMA, SKIP, COLUMNS>;
    constexpr int COUNTS = Own::COUNT * Own::BINS, OF_A_THREAD = (COUNTS - 1) / THREADS + 1;
    IMG_SHARED_DYNAMIC(uint4, memory);
    Own tables((uint8_t *)memory);
    uint32_t warps = gridDim.x * (THREADS / LANES);
    TilePlace place(tiles, blockIdx.x * (THREADS / LANES) + threadIdx.x / LANES, warps);
    TileReader<CHANNELS> reader(task, tiles, warps, place);
    if (first.has_to_clear()) {
#pragma unroll 1
        for (int i = threadIdx.x; i < COUNTS; i += THREADS) {
            if (i % Own::BINS < task.bins)
                task.counts[i / Own::BINS * task.row + i % Own::BINS] = 0;
        }
    }
    tables.clear();
    __syncthreads();
    first.announce();

    reader.each([&](const LanePixels<CHANNELS> &pixels) { tables.add_pixels(weights, pixels); });
    __syncthreads();

    FirstBlockWord seen = first.peek();
    Count sums[OF_A_THREAD];
#pragma unroll
    for (int k = 0; k < OF_A_THREAD; k++) {
        int i = threadIdx.x + k * THREADS;
        sums[k] = i < COUNTS ? tables.sum(i / Own::BINS, i % Own::BINS) : 0;
        if (!SKIP && blockIdx.x == 0 && i % Own::BINS == 0)
            sums[k] -= tiles.beyond;
    }
    first.await(seen);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < OF_A_THREAD; k++) {
        int i = threadIdx.x + k * THREADS, bin = i % Own::BINS;
        Count *count = task.counts + i / Own::BINS * task.row + bin;
        if (i >= COUNTS || bin >= task.bins)
            continue;
        if (gridDim.x == 1)
            *count = sums[k];
        else if (sums[k] != 0)
            atomicAdd(count, sums[k]);
    }
}

struct Device {
    /* number of multiprocessors, and shared memory available to a block, in bytes */
    int multiprocessors, shared;
};

ImgStatus ask_device(Device *device, ImgError *err)
{
    ImgStatus status =
        device_attribute(cudaDevAttrMultiProcessorCount, &device->multiprocessors, err);
    if (status == IMG_OK)
        status = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &device->shared, err);
    return status;
}

/* Launches the kernel with one block per multiprocessor, or with fewer blocks if there are fewer
 * tiles than warps. */
template <int CHANNELS, bool LUMA, bool SKIP, int COLUMNS, int THREADS>
ImgStatus launch(const ImgCall *call, const Device &device, ImgError *err)
{
    constexpr int shared = Tables<CHANNELS, LUMA, SKIP, COLUMNS>::BYTES;
    constexpr uint32_t warps = THREADS / LANES;
    auto kernel = columns_kernel<CHANNELS, LUMA, SKIP, COLUMNS, THREADS>;
    HistogramTask task = histogram_task(call);
    Tiles tiles = cut_in_tiles<CHANNELS>(task);
    uint64_t blocks = ((uint64_t)tiles.across * tiles.down - 1) / warps + 1;
    uint32_t most = (uint32_t)device.multiprocessors;
    uint32_t grid = blocks < most ? (uint32_t)blocks : most;
    share_tiles(&tiles, task, grid * warps);
    FirstBlock first = {};
    if (grid > 1)
        first = first_block(call->workspace);
    if (grid > 1 && first.word == nullptr) {
        ImgStatus status = clear_counts(task, call->stream, err);
        if (status != IMG_OK)
            return status;
    }
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
             err);
    IMG_LAUNCH(kernel, grid, THREADS, shared, call->stream, task, luma_bytes(task.weights), tiles,
               first);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

/* Launches the kernel with 24 warps per block, of the possible 32. Compared with 32 warps, 24 are
 * equally fast in large pictures, and 2 % faster with 12 megapixels. With 1 sample per pixel, the
 * load/store unit is idle half of the time. In this case 16 warps are another 5 % faster with 12
 * megapixels, but 2 % slower in large pictures. */
template <int CHANNELS, bool LUMA, bool SKIP>
ImgStatus by_columns(const ImgCall *call, ImgError *err)
{
    constexpr uint64_t LARGE = (uint64_t)64 << 20;
    Device device;
    ImgStatus status = ask_device(&device, err);
    if (status != IMG_OK)
        return status;
    if (CHANNELS == 1 && (uint64_t)call->src.width * call->src.height < LARGE)
        return launch<1, false, false, LANES, 512>(call, device, err);
    if constexpr (CHANNELS >= 3) { /* the tables of fewer channels always fit shared memory */
        if (Tables<CHANNELS, LUMA, SKIP, LANES>::BYTES > device.shared)
            return launch<CHANNELS, LUMA, SKIP, 8, 768>(call, device, err);
    }
    return launch<CHANNELS, LUMA, SKIP, LANES, 768>(call, device, err);
}

} // namespace

size_t img_histogram_cuda_columns_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    (void)op, (void)src, (void)params;
    return sizeof(FirstBlockWord);
}

ImgStatus img_histogram_cuda_columns(const ImgCall *call, ImgError *err)
{
    const ImgHistogramParams *own = (const ImgHistogramParams *)call->params;
    ImgFormat format = call->src.format;
    bool luma = img_histogram_has_luma(format, own), skip = img_histogram_skips(format, own);
    switch (img_format_channels(format)) {
    case 1:
        return by_columns<1, false, false>(call, err);
    case 2:
        return skip ? by_columns<2, false, true>(call, err)
                    : by_columns<2, false, false>(call, err);
    case 3:
        return luma ? by_columns<3, true, false>(call, err)
                    : by_columns<3, false, false>(call, err);
    default:
        if (skip)
            return luma ? by_columns<4, true, true>(call, err)
                        : by_columns<4, false, true>(call, err);
        return luma ? by_columns<4, true, false>(call, err)
                    : by_columns<4, false, false>(call, err);
    }
}

/* --- The implementation for all depths -------------------------------------------------------- */

ImgStatus img_histogram_cuda_fast(const ImgCall *call, ImgError *err)
{
    return call->src.format.bits == 16 ? img_histogram_cuda_slices(call, err)
                                       : img_histogram_cuda_columns(call, err);
}

size_t img_histogram_cuda_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    return src.format.bits == 16 ? img_histogram_cuda_slices_workspace(op, src, params)
                                 : img_histogram_cuda_columns_workspace(op, src, params);
}
