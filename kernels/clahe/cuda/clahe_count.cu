/* The first kernel of clahe's `cuda-fast`: counts the pixels in strips of tiles.
 *
 * Each bin has 32 adjacent counters in shared memory, one per lane. So the 32 additions of a warp
 * always go to 32 different banks, for any content of the picture. */
#include "kernels/clahe/cuda/clahe_fast.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/pixel_groups.cuh"

namespace
{

constexpr int THREADS = CLAHE_THREADS, LANES = CLAHE_LANES, BINS = CLAHE_BINS;

/* Number of units that a thread loads before it counts the first of them; more loads at the same
 * time hide their latency. */
template <typename Unit> constexpr int AHEAD = Unit::PIECES == 3 ? 2 : 4;

/* The part of a tile that a block counts: `rows`, and the `units` of each of these rows. `pixels`
 * are the columns of these units that belong to the tile. */
struct Strip {
    ClaheRange units, rows, pixels;

    __device__ Strip(const ClaheRun &run, int unit_pixels)
    {
        const ClaheCut cut = run.cuts.tile;
        const uint32_t chunks = (uint32_t)cut.chunks, strips = (uint32_t)cut.strips;
        const uint32_t tile = blockIdx.x / (chunks * strips), across = (uint32_t)run.plan.across;
        const uint32_t within = blockIdx.x % (chunks * strips);
        const uint32_t i = tile % across, j = tile / across;
        const ClaheRange columns = {run.border_x[i], run.border_x[i + 1]};
        units.first = columns.first / unit_pixels;
        units.end = clahe_units(columns.end, unit_pixels);
        units = clahe_part(units, (int32_t)(within / strips), cut.chunks);
        rows.first = run.border_y[j];
        rows.end = run.border_y[j + 1];
        rows = clahe_part(rows, (int32_t)(within % strips), cut.strips);
        pixels.end = (int32_t)min((int64_t)columns.end, (int64_t)units.end * unit_pixels);
        pixels.first = max(columns.first, units.first * unit_pixels);
        pixels.first = min(pixels.first, pixels.end);
    }

    /* Returns the number of pixels in the strip's units that belong to another tile or lie beyond
     * the end of the row. */
    __device__ uint32_t beyond(int unit_pixels) const
    {
        const int32_t width = (units.end - units.first) * unit_pixels;
        return (uint32_t)(width - (pixels.end - pixels.first)) * (uint32_t)(rows.end - rows.first);
    }
};

/* log2 of the number of bytes per bin. The counters of a bin begin at the byte offset bin <<
 * BIN_SHIFT. */
constexpr int BIN_SHIFT = 7;
constexpr uint32_t BIN_MASK = (BINS - 1U) << BIN_SHIFT;
static_assert(LANES * sizeof(uint32_t) == 1 << BIN_SHIFT, "a counter per lane");

template <typename Unit>
__device__ uint32_t bin_offset(const ClaheLuma &luma, const Unit &unit, int pixel)
{
    constexpr int FINE = 8 * (int)sizeof(typename Unit::Sample) - 8;
    if constexpr (Unit::COLORS == 1) {
        const int bit = 8 * pixel * Unit::PIXEL_BYTES + FINE, right = bit % 32 - BIN_SHIFT;
        const uint32_t word = unit.words[bit / 32];
        return (right < 0 ? word << (-right & 31) : word >> (right & 31)) & BIN_MASK;
    } else {
        return unit.luma_sum(luma, pixel) >> (IMG_LUMA_SHIFT + FINE - BIN_SHIFT) & BIN_MASK;
    }
}

/* Counts the pixels of a unit. `lane` is the byte offset of this lane's counter within a bin. */
template <typename Unit>
__device__ void count_unit(const ClaheLuma &luma, uint4 *counters, uint32_t lane, const Unit &unit)
{
    uint8_t *bytes = reinterpret_cast<uint8_t *>(counters);
#pragma unroll
    for (int p = 0; p < Unit::PIXELS; p++) {
        const uint32_t offset = bin_offset(luma, unit, p) | lane;
        if (Unit::CHANNELS == Unit::COLORS || unit.sample(p * Unit::CHANNELS + Unit::COLORS) > 0)
            atomicAdd(reinterpret_cast<uint32_t *>(bytes + offset), 1U);
    }
}

/* The column of units that a thread counts, one unit per row. */
template <typename Unit> struct Column {
    const uint8_t *at;
    size_t step_bytes;
    /* distance to the thread's next row, and number of rows from its first one to the end of the
     * strip */
    int32_t step, rows;
    /* the bytes `first_byte` to `end_byte` - 1 of a unit belong to the tile */
    int32_t first_byte, end_byte;

    __device__ Column(const ClaheRun &run, const Strip &strip)
    {
        const int32_t across = max(strip.units.end - strip.units.first, 1);
        const int32_t row = (int32_t)threadIdx.x / across;
        const int32_t unit = strip.units.first + (int32_t)threadIdx.x % across;
        const int64_t pixel = (int64_t)unit * Unit::PIXELS;
        step = THREADS / across;
        rows = row < step ? strip.rows.end - strip.rows.first - row : 0;
        first_byte = (int32_t)max((int64_t)0, strip.pixels.first - pixel) * Unit::PIXEL_BYTES;
        end_byte = (int32_t)max((int64_t)0, min((int64_t)Unit::PIXELS, strip.pixels.end - pixel)) *
                   Unit::PIXEL_BYTES;
        at = run.src + (size_t)(strip.rows.first + row) * run.src_stride +
             (size_t)unit * Unit::BYTES;
        step_bytes = (size_t)step * run.src_stride;
    }

    /* Loads the units of the thread's next AHEAD rows. Units beyond the strip become zero. */
    __device__ void load(Unit (&units)[AHEAD<Unit>])
    {
#pragma unroll
        for (int k = 0; k < AHEAD<Unit>; k++, at += step_bytes)
            units[k].load(at, k * step < rows ? end_byte : 0);
    }

    __device__ void count(const ClaheLuma &luma, Unit (&units)[AHEAD<Unit>], uint4 *counters)
    {
#pragma unroll
        for (int k = 0; k < AHEAD<Unit>; k++, rows -= step) {
            if (rows <= 0)
                break;
            if (end_byte - first_byte < Unit::BYTES)
                units[k].keep(first_byte, end_byte);
            count_unit(luma, counters, threadIdx.x % LANES * (uint32_t)sizeof(uint32_t), units[k]);
        }
    }
};

/* Stores the block's counts in global memory. Pixels beyond the strip were loaded as zeros. Without
 * alpha, they were counted as black, so their number is subtracted from bin 0. With alpha, they
 * were not counted. Two threads sum the counters of a bin. They start at different banks, to avoid
 * conflicts. */
template <bool ALPHA>
__device__ void leave_counts(const ClaheRun &run, const uint32_t *columns, uint32_t beyond)
{
    constexpr int EACH = LANES / 2;
    static_assert(THREADS == 2 * BINS, "two threads a bin");
    const uint32_t bin = threadIdx.x / 2, half = threadIdx.x % 2 * EACH;
    uint32_t sum = 0;
#pragma unroll
    for (uint32_t i = 0; i < EACH; i++)
        sum += columns[bin * LANES + half + (i + bin) % EACH];
    sum += __shfl_xor_sync(0xffffffff, sum, 1);
    if (!ALPHA && bin == 0)
        sum -= beyond;
    if (half == 0)
        run.counts[(size_t)blockIdx.x * BINS + bin] = sum;
}

template <typename Unit> __global__ void __launch_bounds__(THREADS, 2) count_kernel(ClaheRun run)
{
    IMG_SHARED(uint4, counters, [BINS * LANES / 4]);
    Unit units[AHEAD<Unit>];
    clahe_let_next_start();
    const Strip strip(run, Unit::PIXELS);
    Column<Unit> column(run, strip);
    column.load(units);
#pragma unroll
    for (int i = 0; i < BINS * LANES / 4; i += THREADS)
        counters[i + (int)threadIdx.x] = make_uint4(0, 0, 0, 0);
    __syncthreads();
    while (column.rows > 0) {
        column.count(run.luma, units, counters);
        column.load(units);
    }
    __syncthreads();
    leave_counts<Unit::CHANNELS != Unit::COLORS>(run, reinterpret_cast<const uint32_t *>(counters),
                                                 strip.beyond(Unit::PIXELS));
}

} // namespace

ImgStatus clahe_count(const ImgCall *call, const ClaheRun &run, ImgError *err)
{
    const int32_t tiles = run.plan.across * run.plan.down;
    ImgStatus status = with_samples(call->src.format, [&](auto sample, auto channels) {
        typedef ClaheUnit<decltype(sample), channels.VALUE> Unit;
        IMG_LAUNCH(count_kernel<Unit>, (unsigned)(tiles * run.parts), THREADS, 0, call->stream,
                   run);
        return IMG_OK;
    });
    CUDA_TRY(cudaGetLastError(), err);
    return status;
}
