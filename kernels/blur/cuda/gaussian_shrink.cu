/* First half of reducing a picture on CUDA by 8 or more: reduces it vertically, with cubic
 * B-splines as weights. Weighted sums are products of matrices of bytes (gaussian_rows.cuh). */
#include "kernels/blur/cuda/gaussian_pyramid.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

/* A block computes BAND rows of results from 128 bytes of each source row. It treats all channels
 * alike. It loads rows tile by tile and keeps the sums in registers. */
constexpr int WARPS = 4, THREADS = 32 * WARPS, ROW_BYTES = 128;

struct DownTask {
    TileSource src; /* the source; its `width` counts samples instead of pixels */
    const ImgBlurEnd *end;
    uint8_t *lower;
    size_t stride;
    int32_t factor, half_places; /* `half_places`: log2 of half the factor */
    int32_t margin, rows;
    uint32_t strips, steps;
};

/* Source rows per tile. A block loads as many tiles as BAND results need. They need (15 + 4) *
 * factor source rows: results are `factor` rows apart, and each has 4 * factor weights. */
constexpr int TILE_ROWS = 80;

/* Number of words in a table of weights. A factor of 64 needs the most: 1,120 words, and 136 more
 * for gaps (table_place). Word i is for the rows 2 i, 2 i + 1, 2 i + 8 and 2 i + 9. One table has
 * the high bytes h of the weights, the other the low bytes 2 l. The index of a row in the table is
 * source row - factor * result row + 15 * factor. */
constexpr int TABLE_WORDS = 1280;
typedef uint32_t Table[2][TABLE_WORDS];

/* Returns the position of word `i` in the table. Gaps put words that are half the factor apart,
 * which adjacent lanes read, in different banks. */
__device__ int table_place(int half_places, int i)
{
    return half_places <= 2 ? i : i + (i >> half_places) * 4;
}

__device__ uint32_t table_weight(const DownTask &task, int i)
{
    const int tap = i - 15 * task.factor;
    return tap >= 0 && tap < IMG_SPLINE_TAPS * task.factor
               ? (uint32_t)task.end->gaussian.shrink[tap]
               : 0;
}

__device__ void make_words(const DownTask &task, Table &table)
{
    const int count = (15 * task.factor + (int)task.steps * TILE_ROWS) / 2;
    for (int i = (int)threadIdx.x; i < count; i += THREADS) {
        uint32_t high = 0, low = 0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const uint32_t weight = table_weight(task, 2 * i + k % 2 + k / 2 * 8);
            high |= weight >> 7 << 8 * k;
            low |= (weight << 1 & 0xfe) << 8 * k;
        }
        table[0][table_place(task.half_places, i)] = high;
        table[1][table_place(task.half_places, i)] = low;
    }
}

/* Partial sums of a lane in 8 columns (gaussian_rows.cuh). Only 16-bit samples use `middle`. */
struct Sums {
    int32_t high[4], middle[4], low[4];
};

template <int CHUNKS>
__device__ void load_down(const DownTask &task, const Table &table, int first, Down<CHUNKS> &down)
{
    const int lane = (int)threadIdx.x % 32, g = lane / 4, q = lane % 4, factor = task.factor;
#pragma unroll
    for (int chunk = 0; chunk < CHUNKS; chunk++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const int row = 15 * factor + first + chunk * CHUNK - (g + 8 * half) * factor;
            const int place = table_place(task.half_places, row / 2 + q);
            down[0][chunk][half] = table[0][place];
            down[1][chunk][half] = table[1][place];
        }
}

/* Adds the weighted bytes of 16 columns to `sums`, for CHUNKS chunks of rows from `rows` on. */
template <typename Sample, int CHUNKS>
__device__ void add_rows(const Down<CHUNKS> &down, const uint8_t *rows, int pitch, Sums (&sums)[2])
{
    uint32_t pair[2 * CHUNKS], even[CHUNKS], odd[CHUNKS];
    load_pairs<CHUNKS>(pair, rows, pitch);
#pragma unroll
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
        even[chunk] = __byte_perm(pair[2 * chunk], pair[2 * chunk + 1], 0x6420);
        odd[chunk] = __byte_perm(pair[2 * chunk], pair[2 * chunk + 1], 0x7531);
    }
    if (sizeof(Sample) == 2) {
        multiply_bytes<CHUNKS>(sums[0].high, sums[0].high, down[0], odd);
        multiply_bytes<CHUNKS>(sums[0].middle, sums[0].middle, down[0], even);
        multiply_bytes<CHUNKS>(sums[0].middle, sums[0].middle, down[1], odd);
        multiply_bytes<CHUNKS>(sums[0].low, sums[0].low, down[1], even);
    } else {
        multiply_bytes<CHUNKS>(sums[0].high, sums[0].high, down[0], even);
        multiply_bytes<CHUNKS>(sums[0].low, sums[0].low, down[1], even);
        multiply_bytes<CHUNKS>(sums[1].high, sums[1].high, down[0], odd);
        multiply_bytes<CHUNKS>(sums[1].low, sums[1].low, down[1], odd);
    }
}

/* Stores the sums of 16 columns of bytes in row y, from sample x on. A lane stores four sums of
 * 8-bit samples, or two sums of 16-bit samples. `half` selects the upper or lower row of the
 * lane. */
template <typename Sample>
__device__ void put_lower(const DownTask &task, const Sums (&sums)[2], int half, int64_t x,
                          int32_t y)
{
    uint16_t *to = reinterpret_cast<uint16_t *>(task.lower + (size_t)y * task.stride) + x;
    uint32_t word[2];
    if (y >= task.rows || x >= task.src.width)
        return;
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const int at = 2 * half + i;
        if (sizeof(Sample) == 2)
            word[i] =
                joined((int32_t)joined(sums[0].high[at], sums[0].middle[at]), sums[0].low[at]) >>
                16;
        else
            word[i] = joined(sums[0].high[at], sums[0].low[at]) >> 10 |
                      joined(sums[1].high[at], sums[1].low[at]) >> 10 << 16;
    }
    if (sizeof(Sample) == 2)
        *reinterpret_cast<uint32_t *>(to) = word[0] | word[1] << 16;
    else
        *reinterpret_cast<uint2 *>(to) = make_uint2(word[0], word[1]);
}

template <typename Sample> __global__ void __launch_bounds__(THREADS) down_kernel(DownTask task)
{
    typedef Tile<Sample, 1, TILE_ROWS, ROW_BYTES / WIDE_BYTES> Source;
    constexpr int PIECES = ROW_BYTES / WARPS / WIDE_BYTES;
    IMG_SHARED(uint4, memory, [Source::BYTES / WIDE_BYTES]);
    IMG_SHARED(Table, table, [1]);
    uint8_t *tile = reinterpret_cast<uint8_t *>(&memory[0]);
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
    const int64_t left = (int64_t)(blockIdx.x % task.strips) * (ROW_BYTES / (int)sizeof(Sample));
    const int32_t y = (int32_t)(blockIdx.x / task.strips) * BAND;
    const int64_t top = ((int64_t)y - task.margin) * task.factor - 3 * task.factor / 2;
    constexpr int32_t HALF = sizeof(Sample) == 2 ? 1 << 15 : 512;
    Sums sums[PIECES][2];
#pragma unroll
    for (int i = 0; i < PIECES * 2 * 4; i++) {
        Sums &all = sums[i / 8][i / 4 % 2];
        all.high[i % 4] = all.middle[i % 4] = 0;
        all.low[i % 4] = HALF;
    }
    make_words(task, table[0]);
    for (int step = 0; step < (int)task.steps; step++) {
        Down<TILE_ROWS / CHUNK> down;
        if (step > 0)
            __syncthreads();
        Source::template load<THREADS>(task.src, tile, {left, top + step * TILE_ROWS});
        __syncthreads();
        load_down<TILE_ROWS / CHUNK>(task, table[0], step * TILE_ROWS, down);
#pragma unroll
        for (int i = 0; i < PIECES; i++)
            add_rows<Sample, TILE_ROWS / CHUNK>(down, tile + (warp * PIECES + i) * WIDE_BYTES,
                                                Source::PITCH, sums[i]);
    }
#pragma unroll
    for (int i = 0; i < 2 * PIECES; i++)
        put_lower<Sample>(task, sums[i / 2], i % 2,
                          left + ((warp * PIECES + i / 2) * WIDE_BYTES + lane % 4 * 4) /
                                     (int)sizeof(Sample),
                          y + lane / 4 + 8 * (i % 2));
}

template <typename Sample> ImgStatus shrink_down(DownTask &task, void *stream, ImgError *err)
{
    constexpr int COLUMNS = ROW_BYTES / (int)sizeof(Sample);
    task.strips = (uint32_t)((task.src.width - 1) / COLUMNS + 1);
    task.steps = (uint32_t)((19 * task.factor - 1) / TILE_ROWS + 1);
    const uint32_t blocks = task.strips * (uint32_t)((task.rows - 1) / BAND + 1);
    IMG_LAUNCH(down_kernel<Sample>, blocks, THREADS, 0, stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus gaussian_shrink(const TileSource &src, bool wide, const ImgBlurEnd *end,
                          const SmallPicture &picture, uint8_t *lower, uint8_t *small, void *stream,
                          ImgError *err)
{
    DownTask down = {};
    down.src = src;
    down.end = end;
    down.lower = lower;
    down.stride = picture.lower_stride;
    down.factor = picture.factor;
    while (2 << down.half_places < picture.factor)
        down.half_places++;
    down.margin = picture.margin;
    down.rows = picture.rows;
    down.src.width = src.width * picture.channels;
    down.src.period = picture.channels;
    const ImgStatus status =
        wide ? shrink_down<uint16_t>(down, stream, err) : shrink_down<uint8_t>(down, stream, err);
    return status == IMG_OK
               ? gaussian_shrink_across(src, wide, end, picture, lower, small, stream, err)
               : status;
}
