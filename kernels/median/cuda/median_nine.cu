/* Medians of 3 x 3: a thread has 16 bytes of a row and goes down a strip. */
#include "kernels/median/cuda/median_line.cuh"
#include "kernels/median/cuda/median_network.cuh"

namespace
{

constexpr int THREADS = 128, STRIP = 12;

/* A column of three, sorted, of two windows. */
struct Column {
    uint32_t low, mid, high;
};

__device__ Column sorted(uint32_t above, uint32_t here, uint32_t below)
{
    const uint32_t low = __vimin3_u16x2(above, here, below);
    const uint32_t high = __vimax3_u16x2(above, here, below);
    return {low, middle_of_three(above, here, below, low, high), high};
}

/* The median of nine is that of the largest least, the middle middle and the least largest. */
__device__ uint32_t median(const Column &left, const Column &own, const Column &right)
{
    return middle_of_three(__vimax3_u16x2(left.low, own.low, right.low),
                           middle_of_three(left.mid, own.mid, right.mid),
                           __vimin3_u16x2(left.high, own.high, right.high));
}

/* Rows [first, end) of a unit. INSIDE: a whole strip, and all that it looks at is in the picture.
 */
template <bool INSIDE, typename Sample, int CHANNELS>
__device__ void filter_strip(const MedianTask &task, int64_t unit, int64_t first, int64_t end)
{
    using Line = MedianLine<Sample, CHANNELS>;
    constexpr int PAIRS = Line::PAIRS, HALF = Line::HALF;
    const int64_t row_bytes = (int64_t)task.width * CHANNELS * (int64_t)sizeof(Sample);
    const int rows = INSIDE ? STRIP : (int)(end - first);
    const uint8_t *at =
        task.src + (size_t)(first - (INSIDE ? 1 : 0)) * task.src_stride + unit * WIDE_BYTES;
    uint8_t *to = task.dst + (size_t)first * task.dst_stride;
    uint32_t row[3][PAIRS];
    Line line;
    const auto load =
        [&](int i) { /* row `first` + i */
                     if (INSIDE)
                         line.load_inside(at + (size_t)(i + 1) * task.src_stride);
                     else
                         line.load(task, unit,
                                   img_border_place(first + i, task.height, task.border));
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

/* Neighbouring threads have neighbouring units. A row's pairs stay in registers for the two rows
 * below; the words beside a unit come from the cache. Instructions limit it. */
template <typename Sample, int CHANNELS>
__global__ void __launch_bounds__(THREADS, 6) median_nine_kernel(MedianTask task, uint32_t units)
{
    const uint64_t strip = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    const int64_t unit = (int64_t)(strip % units), first = (int64_t)(strip / units) * STRIP;
    const int64_t row_bytes = (int64_t)task.width * CHANNELS * (int64_t)sizeof(Sample);
    if (first >= task.height)
        return;
    if (unit > 0 && (unit + 2) * WIDE_BYTES <= row_bytes && first > 0 &&
        first + STRIP < task.height)
        filter_strip<true, Sample, CHANNELS>(task, unit, first, first + STRIP);
    else
        filter_strip<false, Sample, CHANNELS>(
            task, unit, first, first + STRIP < task.height ? first + STRIP : task.height);
}

template <typename Sample, int CHANNELS>
ImgStatus launch(const MedianTask &task, void *stream, ImgError *err)
{
    const int64_t row_bytes = (int64_t)task.width * CHANNELS * (int64_t)sizeof(Sample);
    const uint32_t units = (uint32_t)((row_bytes - 1) / WIDE_BYTES + 1);
    const uint64_t strips = (uint64_t)units * (uint64_t)((task.height - 1) / STRIP + 1);
    IMG_LAUNCH((median_nine_kernel<Sample, CHANNELS>), (unsigned)((strips - 1) / THREADS + 1),
               THREADS, 0, stream, task, units);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus img_median_cuda_nine(const ImgCall *call, ImgError *err)
{
    const MedianTask task = median_task(call);
    return with_samples(call->src.format, [&](auto sample, auto channels) {
        return launch<decltype(sample), decltype(channels)::VALUE>(task, call->stream, err);
    });
}
