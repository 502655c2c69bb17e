/* Enlarges the reduced picture along both axes at once. Sums of four samples are products of
 * matrices of bytes.
 *
 * A block moves down a strip, 64 rows per step, and each of its warps computes BAND of these rows.
 * A warp first sums 8 columns of the reduced picture vertically. Together with the 8 columns
 * before, these cover 8 groups: the pixels between the centres of neighbouring columns. The 8 *
 * factor columns of results are then summed horizontally, BAND at a time. */
#include "kernels/blur/cuda/gaussian/gaussian_pyramid.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/shared_memory.cuh"

namespace
{

constexpr int WARPS = 4, THREADS = 32 * WARPS, STEP = WARPS * BAND;
constexpr int TILE = 8; /* columns of the reduced picture per tile */
constexpr unsigned BLOCKS_WANTED = 2112, STEPS_MOST = 16;

/* Returns the tiles per strip: as many as give 128 columns of results, but at least one. */
IMG_HOST_DEVICE constexpr int tiles_of(int factor)
{
    return factor < 16 ? 16 / factor : 1;
}

/* The part of the reduced picture that a block needs. FACTOR is 2, 4, or 8; 8 stands for all larger
 * factors too. */
template <int CHANNELS, int FACTOR>
using Small = Tile<uint16_t, CHANNELS, (STEP - BAND) / FACTOR + CHUNK, tiles_of(FACTOR) + 1>;

/* Returns bytes `at` and `at` + 1 of `four`; bytes outside it are 0. */
__device__ uint32_t two_of(uint32_t four, int at)
{
    const uint64_t behind_zero = (uint64_t)four << 8;
    return at >= -1 && at < IMG_SPLINE_TAPS ? (uint32_t)(behind_zero >> 8 * (at + 1)) & 0xffff : 0;
}

/* Returns the weights of samples 2 q, 2 q + 1, 2 q + 8 and 2 q + 9 as bytes, for the result at
 * position `place` of a group. Sample 0 is two before the group's own sample. */
__device__ uint32_t weight_word(const ImgGaussian &gaussian, int place, bool low)
{
    const int factor = gaussian.factor, in_group = place & (factor - 1);
    const int first =
        (place >> (__ffs(factor) - 1)) + 2 + img_gaussian_enlarge_first(&gaussian, in_group);
    const uint32_t *weights = reinterpret_cast<const uint32_t *>(gaussian.enlarge[in_group]);
    const uint32_t left = low ? weights[0] << 1 & 0xfe00fe : weights[0] >> 7 & 0xff00ff;
    const uint32_t right = low ? weights[1] << 1 & 0xfe00fe : weights[1] >> 7 & 0xff00ff;
    const uint32_t four = __byte_perm(left, right, 0x6420);
    const int at = (int)threadIdx.x % 4 * 2 - first;
    return two_of(four, at) | two_of(four, at + 8) << 16;
}

/* Fills the words of all lanes for each BAND columns of results, in the order h, h, 2 l, 2 l
 * (gaussian_bands.cuh). */
__device__ void make_across(const ImgGaussian &gaussian, uint4 *table)
{
    for (int i = (int)threadIdx.x; i < gaussian.factor / 2 * 32; i += THREADS) {
        const int g = i % 32 / 4, place = i / 32 * BAND + g / 2 * 4 + g % 2;
        table[i] =
            make_uint4(weight_word(gaussian, place, false), weight_word(gaussian, place + 2, false),
                       weight_word(gaussian, place, true), weight_word(gaussian, place + 2, true));
    }
}

/* Computes vertical sums of TILE columns as pairs of 16 bits. Sums of lifted 8-bit samples have 14
 * bits: they are multiplied by 4 and include the part that rounds horizontal sums (HALVES). */
template <typename Sample>
__device__ void weigh_tile(const Down<1> &down, const Start &half, const uint8_t *rows, int pitch,
                           uint32_t (&words)[2])
{
    uint32_t pair[2], upper[1], lower[1], sum[4];
    load_pairs<1>(pair, rows, pitch);
    lower[0] = __byte_perm(pair[0], pair[1], 0x6420);
    upper[0] = __byte_perm(pair[0], pair[1], 0x7531);
    weigh_down_words<1>(down, half, upper, lower, sum);
#pragma unroll
    for (int row = 0; row < 2; row++) {
        const uint32_t pair_of_row = __byte_perm(sum[2 * row], sum[2 * row + 1], 0x7632);
        words[row] = sizeof(Sample) == 2 ? pair_of_row : pair_of_row << 2 | 0x00020002;
    }
}

template <typename Sample, int CHANNELS>
__device__ void sharpen(const EnlargeTask &task, int64_t x, int64_t y, Results<CHANNELS> &results)
{
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const int64_t line = y + i / 4 * 8, column = x + i % 4;
        if (line >= task.src.height || column >= task.src.width)
            continue;
        const Sample *own =
            reinterpret_cast<const Sample *>(task.src.data + (size_t)line * task.src.stride) +
            column * CHANNELS;
#pragma unroll
        for (int c = 0; c < CHANNELS; c++) {
            uint32_t &sum = results.at(c, i / 4, i % 4);
            const uint32_t sample = own[c] * task.src.scale;
            sum = task.mask.threshold == 0 ? sharpened_all<Sample>(task.mask, sum, sample)
                                           : sharpened<Sample>(task.mask, sum, sample);
        }
    }
}

/* Computes the warp's rows of a step, from row y on. `own` is the part of the tile in shared memory
 * that the warp reads. */
template <typename Sample, int CHANNELS, int FACTOR>
__device__ void enlarge_rows(const EnlargeTask &task, const Down<1> &down, const uint4 *table,
                             const uint8_t *own, uint8_t *out, int64_t x, int64_t y)
{
    typedef Small<CHANNELS, FACTOR> Source;
    typedef Rows<Sample, CHANNELS> Out;
    const int lane = (int)threadIdx.x % 32, factor = task.picture.factor;
    const int bands = factor / 2, tiles = tiles_of(factor);
    Start none = {0, 0, 0, 0};
    Start half; /* the reduced picture always has 16 bits per sample */
    make_start(sizeof(Sample) == 2 || task.sharpens ? 1 << 15 : (1 << 15) + (32 << 16), half);
    uint32_t words[CHANNELS][2];
    int group = 0;
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        weigh_tile<Sample>(down, half, own + c * Source::PLANE, Source::PITCH, words[c]);
#pragma unroll 1
    for (int tile = 1; tile <= tiles; tile++) {
        Weighed window[CHANNELS][1];
#pragma unroll
        for (int c = 0; c < CHANNELS; c++) {
            const uint32_t before[2] = {words[c][0], words[c][1]};
            weigh_tile<Sample>(down, half, own + c * Source::PLANE + tile * WIDE_BYTES,
                               Source::PITCH, words[c]);
#pragma unroll
            for (int row = 0; row < 2; row++) {
                window[c][0].low[row] = __byte_perm(before[row], words[c][row], 0x6420);
                window[c][0].high[row] = __byte_perm(before[row], words[c][row], 0x7531);
            }
        }
#pragma unroll 1
        for (int band = 0; band < bands; band++, x += BAND) {
            const uint4 weights = table[band * 32 + lane];
            const Across<1> across = {{{weights.x}, {weights.y}}, {{weights.z}, {weights.w}}};
            Results<CHANNELS> results;
#pragma unroll
            for (int c = 0; c < CHANNELS; c++)
                weigh_across<1>(across, window[c], sizeof(Sample) == 2 ? half : none,
                                results.sum[c]);
            if (task.sharpens)
                sharpen<Sample>(task, x + lane % 4 * 4, y + lane / 4, results);
            put_row<Sample, CHANNELS>(results, 0, out + Out::place(group));
            put_row<Sample, CHANNELS>(results, 1, out + Out::place(group) + 8 * Out::PITCH);
            group = (group + 1) % Out::GROUPS;
            if (group == 0) {
                __syncwarp();
                write_out<Out, uint4>(task.dst, out, y,
                                      (x - (Out::GROUPS - 1) * BAND) * Out::PIXEL);
                __syncwarp();
            }
        }
    }
}

template <typename Sample, int CHANNELS, int FACTOR>
__global__ void __launch_bounds__(THREADS, 4) enlarge_kernel(EnlargeTask task)
{
    typedef Small<CHANNELS, FACTOR> Source;
    typedef Rows<Sample, CHANNELS> Out;
    IMG_SHARED_DYNAMIC(uint4, memory);
    uint8_t *tile = reinterpret_cast<uint8_t *>(memory);
    const ImgGaussian &gaussian = task.end->gaussian;
    const int factor = task.picture.factor, warp = (int)threadIdx.x / 32;
    const int places = __ffs(factor) - 1; /* log2 of the factor, which is a power of two */
    const int g = (int)threadIdx.x % 32 / 4;
    uint8_t *out = tile + Source::BYTES + warp * BAND * Out::PITCH;
    uint4 *table = memory + (Source::BYTES + WARPS * BAND * Out::PITCH) / WIDE_BYTES;
    const int tiles = tiles_of(factor);
    const int64_t strip = blockIdx.x % task.strips;
    int64_t y = (int64_t)(blockIdx.x / task.strips) * task.steps * STEP;
    make_across(gaussian, table);
    IMG_AWAIT_PREVIOUS();
    for (uint32_t step = 0; step < task.steps && y < task.dst.height; step++, y += STEP) {
        __syncthreads();
        Source::template load<THREADS>(task.small, tile,
                                       {strip * tiles * TILE + task.picture.left - 2,
                                        (y >> places) - 2 + task.picture.margin});
        __syncthreads();
        const int64_t own_y = y + warp * BAND;
        const int place = (int)own_y & (factor - 1), row = (int)((own_y >> places) - (y >> places));
        const Down<1> down = {
            {{weight_word(gaussian, place + g, false),
              weight_word(gaussian, place + g + 8, false)}},
            {{weight_word(gaussian, place + g, true), weight_word(gaussian, place + g + 8, true)}}};
        enlarge_rows<Sample, CHANNELS, FACTOR>(task, down, table, tile + row * Source::PITCH, out,
                                               strip * tiles * TILE * factor, own_y);
    }
}

template <typename Sample, int CHANNELS, int FACTOR>
ImgStatus launch(EnlargeTask &task, void *stream, ImgError *err)
{
    typedef Rows<Sample, CHANNELS> Out;
    const int factor = task.picture.factor;
    const int bytes =
        Small<CHANNELS, FACTOR>::BYTES + WARPS * BAND * Out::PITCH + factor / 2 * 32 * WIDE_BYTES;
    const uint32_t rows = (uint32_t)((task.dst.height - 1) / STEP + 1);
    task.strips = (uint32_t)((task.dst.width - 1) / (tiles_of(factor) * TILE * factor) + 1);
    task.steps = (uint32_t)(task.strips * (uint64_t)rows / BLOCKS_WANTED + 1);
    task.steps = task.steps > STEPS_MOST ? STEPS_MOST : task.steps;
    const uint32_t blocks = task.strips * ((rows - 1) / task.steps + 1);
    auto *kernel = enlarge_kernel<Sample, CHANNELS, FACTOR>;
    CUDA_TRY(allow_shared_memory(kernel), err);
    IMG_LAUNCH_EARLY(kernel, blocks, THREADS, (size_t)bytes, stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

template <typename Sample, int CHANNELS>
ImgStatus launch_for(EnlargeTask &task, void *stream, ImgError *err)
{
    switch (task.picture.factor) {
    case 2:
        return launch<Sample, CHANNELS, 2>(task, stream, err);
    case 4:
        return launch<Sample, CHANNELS, 4>(task, stream, err);
    default:
        return launch<Sample, CHANNELS, 8>(task, stream, err);
    }
}

} // namespace

ImgStatus gaussian_enlarge(EnlargeTask task, bool wide, void *stream, ImgError *err)
{
    if (wide)
        return task.picture.channels == 3 ? launch_for<uint16_t, 3>(task, stream, err)
                                          : launch_for<uint16_t, 1>(task, stream, err);
    return task.picture.channels == 3 ? launch_for<uint8_t, 3>(task, stream, err)
                                      : launch_for<uint8_t, 1>(task, stream, err);
}
