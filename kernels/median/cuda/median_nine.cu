/* median on CUDA for 3 x 3 windows. A thread has 16 bytes of a row and moves down a strip of
 * rows. */
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/median/cuda/median_cuda.cuh"
#include "kernels/median/cuda/median_tile.cuh"

/* --- Units ------------------------------------------------------------------------------------ */

/* A unit, which is 16 bytes of a row, and the pixels to its left and right. Samples are used in
 * pairs. One half of pair k is sample k of the unit, and the other half is sample k + HALF.
 * Neighbours, which are CHANNELS samples away, thus form pairs too. An 8-bit sample is stored twice
 * in its half of the word, which does not change the order of values. */
template <typename Sample, int CHANNELS> struct MedianLine {
    static constexpr int EACH = 4 / (int)sizeof(Sample), SAMPLES = 4 * EACH, HALF = SAMPLES / 2;
    /* number of words of neighbours on each side */
    static constexpr int BESIDE = (CHANNELS + EACH - 1) / EACH;
    /* number of pairs, beginning with pair -CHANNELS */
    static constexpr int PAIRS = HALF + 2 * CHANNELS;
    uint32_t word[4 + 2 * BESIDE];

    /* Loads a unit and its neighbours on both sides. All of them must be inside the picture. */
    __device__ void load_inside(const uint8_t *at)
    {
        take_piece(word + BESIDE, __ldg(reinterpret_cast<const uint4 *>(at)));
#pragma unroll
        for (int i = 0; i < BESIDE; i++) {
            word[i] = __ldg(reinterpret_cast<const uint32_t *>(at) + i - BESIDE);
            word[BESIDE + 4 + i] = __ldg(reinterpret_cast<const uint32_t *>(at) + 4 + i);
        }
    }
    /* Loads unit number `unit` of a row, which may be partly outside the picture. `row` must be a
     * result of img_border_place. */
    __device__ void load(const MedianTask &task, int64_t unit, int32_t row)
    {
        if (row < 0) {
            fill(task, unit);
            return;
        }
        const uint8_t *at = task.src + (size_t)row * task.src_stride + (size_t)unit * WIDE_BYTES;
        const int64_t row_bytes = (int64_t)task.width * CHANNELS * (int64_t)sizeof(Sample);
        const int64_t left = row_bytes - unit * WIDE_BYTES;
        take_piece(word + BESIDE, __ldg(reinterpret_cast<const uint4 *>(at)));
#pragma unroll
        for (int i = 0; i < BESIDE; i++) {
            word[i] = unit > 0 ? __ldg(reinterpret_cast<const uint32_t *>(at) + i - BESIDE) : 0;
            word[BESIDE + 4 + i] =
                left > WIDE_BYTES ? __ldg(reinterpret_cast<const uint32_t *>(at) + 4 + i) : 0;
        }
        if (unit == 0)
            mend(task, -CHANNELS, img_border_place(-1, task.width, task.border), row);
        if (left < 2 * WIDE_BYTES)
            mend(task, (int)(left / (int)sizeof(Sample)),
                 img_border_place(task.width, task.width, task.border), row);
    }

    __device__ uint32_t pair(int k) const
    {
        const int low = BESIDE * EACH + k, high = low + HALF;
        if (sizeof(Sample) == 1)
            return __byte_perm(word[low / EACH], word[high / EACH],
                               (unsigned)(low % EACH * 0x0011 + (4 + high % EACH) * 0x1100));
        return __byte_perm(word[low / EACH], word[high / EACH],
                           (low % EACH != 0 ? 0x32u : 0x10u) |
                               (high % EACH != 0 ? 0x7600 : 0x5400));
    }

  private:
    __device__ void put(int place, uint32_t sample)
    {
        const int byte = (BESIDE * EACH + place) * (int)sizeof(Sample);
        const uint32_t mask = (uint32_t)(Sample)-1 << byte % 4 * 8;
#pragma unroll
        for (int i = 0; i < 4 + 2 * BESIDE; i++)
            word[i] = byte / 4 == i ? (word[i] & ~mask) | sample << byte % 4 * 8 : word[i];
    }
    /* Replaces the pixel at sample number `place` of the unit by the pixel at `column` and `row` of
     * the picture. */
    __device__ void mend(const MedianTask &task, int place, int32_t column, int32_t row)
    {
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            if (place + c < SAMPLES + CHANNELS)
                put(place + c, task.sample<Sample>(column, row, c));
    }
    /* Fills a unit with the background. This is rare, so the loop is not unrolled, which needs
     * fewer registers. */
    __device__ void fill(const MedianTask &task, int64_t unit)
    {
#pragma unroll
        for (int i = 0; i < 4 + 2 * BESIDE; i++)
            word[i] = 0;
#pragma unroll 1
        for (int i = -CHANNELS; i < SAMPLES + CHANNELS; i++)
            put(i, task.background_of((int32_t)((unit * SAMPLES + i + CHANNELS) % CHANNELS)));
    }
};

/* Converts pairs of resulting samples to the 16 bytes of a unit, in the order of the picture. */
template <typename Sample> __device__ inline uint4 median_unit(const uint32_t *pair)
{
    uint32_t words[4];
    if constexpr (sizeof(Sample) == 2) {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            words[i] = __byte_perm(pair[2 * i], pair[2 * i + 1], 0x5410);
            words[i + 2] = __byte_perm(pair[2 * i], pair[2 * i + 1], 0x7632);
        }
    } else {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const uint32_t first = __byte_perm(pair[4 * i], pair[4 * i + 1], 0x6240);
            const uint32_t second = __byte_perm(pair[4 * i + 2], pair[4 * i + 3], 0x6240);
            words[i] = __byte_perm(first, second, 0x5410);
            words[i + 2] = __byte_perm(first, second, 0x7632);
        }
    }
    return make_uint4(words[0], words[1], words[2], words[3]);
}

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

/* `units` is the number of units per row, and `strips` the number of strips. The inner units and
 * strips are those for which all pixels that they read are inside the picture; they begin at unit 1
 * of a row and at strip 1. A launch has up to 2^32 threads, enough for any picture that fits in
 * memory. */
struct StripCounts {
    uint32_t units, inner_units, strips, inner_strips;
    uint32_t inner, edges, edge_blocks;
};

/* Computes medians. The first blocks process the strips at edges, which are slower and would
 * otherwise finish last. Neighbouring threads have neighbouring units, so the words beside a unit
 * are usually in the cache. A thread keeps the pairs of a row in registers for the next two rows.
 * Instructions, not memory, limit the kernel. */
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
