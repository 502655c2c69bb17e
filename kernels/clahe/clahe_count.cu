/* The first kernel of clahe's `cuda-fast`: the counts of strips of tiles.
 *
 * A bin's counters lie side by side, one per lane, so that the 32 additions of a warp always meet
 * 32 banks, whatever the picture holds. */
#include "kernels/clahe/clahe_fast.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/pixel_groups.cuh"

namespace
{

constexpr int THREADS = CLAHE_THREADS, LANES = CLAHE_LANES, BINS = CLAHE_BINS;

/* Units that a thread loads before it counts the first. */
template <typename Unit> constexpr int AHEAD = Unit::PIECES == 3 ? 2 : 4;

/* What a block counts: units and rows of a tile, and which of the pixels of the units. */
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

    /* Pixels of units that belong to another tile, or lie beyond the row's end. */
    __device__ uint32_t beyond(int unit_pixels) const
    {
        const int32_t width = (units.end - units.first) * unit_pixels;
        return (uint32_t)(width - (pixels.end - pixels.first)) * (uint32_t)(rows.end - rows.first);
    }
};

template <typename Unit>
__device__ void count_unit(const ClaheRun &run, uint32_t *column, const Unit &unit)
{
#pragma unroll
    for (int p = 0; p < Unit::PIXELS; p++) {
        const uint32_t bin =
            unit.brightness(run.plan.weights, p) >> (8 * sizeof(typename Unit::Sample) - 8);
        if (Unit::CHANNELS == Unit::COLORS || unit.sample(p * Unit::CHANNELS + Unit::COLORS) > 0)
            atomicAdd(column + bin * LANES, 1U);
    }
}

/* The units of one column of them, each thread with the same one throughout. */
template <typename Unit>
__device__ void count_strip(const ClaheRun &run, const Strip &strip, uint32_t *column)
{
    const int32_t across = strip.units.end - strip.units.first;
    if (across == 0 || (int32_t)threadIdx.x >= THREADS / across * across)
        return;
    const uint32_t step = (uint32_t)(THREADS / across);
    const int32_t own = (int32_t)threadIdx.x / across;
    const int32_t unit = strip.units.first + (int32_t)threadIdx.x % across;
    const int64_t pixel = (int64_t)unit * Unit::PIXELS;
    const int first = (int)max((int64_t)0, strip.pixels.first - pixel) * Unit::PIXEL_BYTES;
    const int end = (int)min((int64_t)Unit::PIXELS, strip.pixels.end - pixel) * Unit::PIXEL_BYTES;
    const uint8_t *at = run.src + (size_t)unit * Unit::BYTES;
    const uint32_t rows_end = (uint32_t)strip.rows.end;
    for (uint32_t y = (uint32_t)(strip.rows.first + own); y < rows_end; y += step * AHEAD<Unit>) {
        Unit units[AHEAD<Unit>];
#pragma unroll
        for (uint32_t k = 0; k < AHEAD<Unit>; k++)
            units[k].load(at + (size_t)(y + k * step) * run.src_stride,
                          y + k * step < rows_end ? end : 0);
#pragma unroll
        for (uint32_t k = 0; k < AHEAD<Unit>; k++) {
            if (y + k * step >= rows_end)
                break;
            if (end - first < Unit::BYTES)
                units[k].keep(first, end);
            count_unit(run, column, units[k]);
        }
    }
}

/* What is beyond has been counted as black, unless alpha says that it does not count. Two threads
 * add up a bin, each starting at a bank of its own. */
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
    clahe_let_next_start();
    for (int i = (int)threadIdx.x; i < BINS * LANES / 4; i += THREADS)
        counters[i] = make_uint4(0, 0, 0, 0);
    uint32_t *columns = reinterpret_cast<uint32_t *>(counters);
    const Strip strip(run, Unit::PIXELS);
    __syncthreads();
    count_strip<Unit>(run, strip, columns + threadIdx.x % LANES);
    __syncthreads();
    leave_counts<Unit::CHANNELS != Unit::COLORS>(run, columns, strip.beyond(Unit::PIXELS));
}

/* The parts of a tile become their sum, which is left where the first was. A thread per bin. */
__global__ void __launch_bounds__(BINS) sum_kernel(ClaheRun run)
{
    IMG_AWAIT_PREVIOUS();
    clahe_let_next_start();
    uint32_t *first = run.counts + (size_t)blockIdx.x * (size_t)run.parts * BINS + threadIdx.x;
    uint32_t sum = 0;
#pragma unroll 8
    for (int32_t i = 0; i < run.parts; i++)
        sum += __ldcg(first + (size_t)i * BINS);
    *first = sum;
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
    if (run.summed < run.parts)
        IMG_LAUNCH_EARLY(sum_kernel, (unsigned)tiles, BINS, 0, call->stream, run);
    CUDA_TRY(cudaGetLastError(), err);
    return status;
}
