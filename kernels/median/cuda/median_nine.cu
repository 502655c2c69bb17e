/* median on CUDA for 3 x 3 windows. A thread has 16 bytes of a row and moves down a strip of
 * rows. */
#include "kernels/median/cuda/median_line.cuh"
#include "kernels/median/cuda/median_network.cuh"

namespace
{

/* SHORT and LONG are the numbers of rows per strip for small and for large pictures */
constexpr int THREADS = 128, SHORT = 6, LONG = 12;
constexpr int64_t MANY_BYTES = 128 << 20;

/* A sorted column of three samples; each word has the samples of two windows. */
struct Column {
    uint32_t low, mid, high;
};

__device__ Column sorted(uint32_t above, uint32_t here, uint32_t below)
{
    const uint32_t low = __vimin3_u16x2(above, here, below);
    const uint32_t high = __vimax3_u16x2(above, here, below);
    return {low, middle_of_three(above, here, below, low, high), high};
}

/* Returns the median of nine samples, which are given as three sorted columns. It is the median of
 * three numbers: the largest of the `low` samples, the median of the `mid` samples, and the
 * smallest of the `high` samples. */
__device__ uint32_t median(const Column &left, const Column &own, const Column &right)
{
    return middle_of_three(__vimax3_u16x2(left.low, own.low, right.low),
                           middle_of_three(left.mid, own.mid, right.mid),
                           __vimin3_u16x2(left.high, own.high, right.high));
}

/* Computes the medians of unit number `unit` in strip number `strip`. INSIDE means that the rows of
 * the strip, and all pixels that it reads, are inside the picture. */
template <bool INSIDE, typename Sample, int CHANNELS, int STRIP>
__device__ void filter_strip(const MedianTask &task, int64_t unit, int64_t strip)
{
    using Line = MedianLine<Sample, CHANNELS>;
    constexpr int PAIRS = Line::PAIRS, HALF = Line::HALF;
    const int64_t row_bytes = (int64_t)task.width * CHANNELS * (int64_t)sizeof(Sample);
    const int64_t first = strip * STRIP, left = task.height - first;
    const int rows = INSIDE || left > STRIP ? STRIP : (int)left;
    const uint8_t *at =
        task.src + (size_t)(first - (INSIDE ? 1 : 0)) * task.src_stride + unit * WIDE_BYTES;
    uint8_t *to = task.dst + (size_t)first * task.dst_stride;
    uint32_t row[3][PAIRS];
    Line line;
    const auto load = [&](int i) {
        if (INSIDE)
            line.load_inside(at + (size_t)(i + 1) * task.src_stride);
        else
            line.load(task, unit, img_border_place(first + i, task.height, task.border));
    };
#pragma unroll
    for (int i = 0; i < 2; i++) {
        load(i - 1);
#pragma unroll
        for (int k = 0; k < PAIRS; k++)
            row[i + 1][k] = line.pair(k - CHANNELS);
    }
    load(1);
#pragma unroll(INSIDE ? 3 : 1)
    for (int i = 0; i < rows; i++) {
#pragma unroll
        for (int k = 0; k < PAIRS; k++) {
            row[0][k] = row[1][k];
            row[1][k] = row[2][k];
            row[2][k] = line.pair(k - CHANNELS);
        }
        if (i + 1 < rows)
            load(i + 2);
        uint32_t pair[HALF];
#pragma unroll
        for (int c = 0; c < CHANNELS; c++) {
            Column column[3];
#pragma unroll
            for (int k = c; k < PAIRS; k += CHANNELS) {
                column[0] = column[1];
                column[1] = column[2];
                column[2] = sorted(row[0][k], row[1][k], row[2][k]);
                if (k >= 2 * CHANNELS)
                    pair[k - 2 * CHANNELS] = median(column[0], column[1], column[2]);
            }
        }
        store_wide(to + (size_t)i * task.dst_stride, unit * WIDE_BYTES,
                   INSIDE ? INT64_MAX : row_bytes, median_unit<Sample>(pair));
    }
}

/* Numbers of units per row and of strips: of all, and of inner ones. An inner unit or strip is
 * inside the picture with all pixels that it reads. Inner units begin at unit 1 of a row, and inner
 * strips at strip 1. A launch has up to 2^32 threads, enough for any picture that fits in
 * memory. */
struct StripCounts {
    uint32_t units, inner_units, strips, inner_strips;
    uint32_t inner, edges, edge_blocks;
};

/* Computes medians. The first blocks process the slower strips at edges, so that these do not
 * finish last. Neighbouring threads have neighbouring units. The pairs of a row stay in registers
 * for the next two rows. Words beside a unit are in the cache. The kernel is limited by
 * instructions. */
template <typename Sample, int CHANNELS, int STRIP>
__global__ void __launch_bounds__(THREADS, 4)
    median_nine_kernel(MedianTask task, StripCounts counts)
{
    if (blockIdx.x >= counts.edge_blocks) {
        const uint32_t i = (blockIdx.x - counts.edge_blocks) * THREADS + threadIdx.x;
        if (i < counts.inner)
            filter_strip<true, Sample, CHANNELS, STRIP>(task, 1 + i % counts.inner_units,
                                                        1 + i / counts.inner_units);
        return;
    }
    const uint32_t i = blockIdx.x * THREADS + threadIdx.x;
    /* number of units in the strips at the top and at the bottom of the picture */
    const uint32_t whole = (counts.strips - counts.inner_strips) * counts.units;
    const uint32_t rest = i - whole, beside = counts.units - counts.inner_units;
    if (i < whole) {
        const uint32_t strip = i / counts.units;
        filter_strip<false, Sample, CHANNELS, STRIP>(task, i % counts.units,
                                                     strip == 0 ? 0 : strip + counts.inner_strips);
    } else if (i < counts.edges) {
        const uint32_t unit = rest % beside;
        filter_strip<false, Sample, CHANNELS, STRIP>(
            task, unit == 0 ? 0 : unit + counts.inner_units, 1 + rest / beside);
    }
}

template <typename Sample, int CHANNELS, int STRIP>
ImgStatus launch(const MedianTask &task, void *stream, ImgError *err)
{
    const int64_t row_bytes = (int64_t)task.width * CHANNELS * (int64_t)sizeof(Sample);
    const int64_t inner_units = row_bytes / WIDE_BYTES - 2,
                  inner_strips = (task.height - 1) / STRIP - 1;
    StripCounts counts;
    counts.units = (uint32_t)((row_bytes - 1) / WIDE_BYTES + 1);
    counts.strips = (uint32_t)((task.height - 1) / STRIP + 1);
    counts.inner_units = inner_units > 0 && inner_strips > 0 ? (uint32_t)inner_units : 0;
    counts.inner_strips = counts.inner_units > 0 ? (uint32_t)inner_strips : 0;
    counts.inner = counts.inner_units * counts.inner_strips;
    counts.edges = counts.units * counts.strips - counts.inner;
    counts.edge_blocks = (counts.edges + THREADS - 1) / THREADS;
    IMG_LAUNCH((median_nine_kernel<Sample, CHANNELS, STRIP>),
               counts.edge_blocks + (counts.inner + THREADS - 1) / THREADS, THREADS, 0, stream,
               task, counts);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

/* Chooses the height of strips and launches the kernel. Long strips read fewer rows twice. Short
 * strips give small pictures enough threads. */
template <typename Sample, int CHANNELS>
ImgStatus launch_strips(const MedianTask &task, void *stream, ImgError *err)
{
    const int64_t bytes = (int64_t)task.width * CHANNELS * (int64_t)sizeof(Sample) * task.height;
    return bytes < MANY_BYTES ? launch<Sample, CHANNELS, SHORT>(task, stream, err)
                              : launch<Sample, CHANNELS, LONG>(task, stream, err);
}

} // namespace

ImgStatus img_median_cuda_nine(const ImgCall *call, ImgError *err)
{
    const MedianTask task = median_task(call);
    return with_samples(call->src.format, [&](auto sample, auto channels) {
        return launch_strips<decltype(sample), decltype(channels)::VALUE>(task, call->stream, err);
    });
}
