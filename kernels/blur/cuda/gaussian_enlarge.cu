/* Enlarges the reduced picture of the fast Gaussian on CUDA along both axes at once. Sums of four
 * samples are products of matrices of bytes (gaussian_rows.cuh).
 *
 * A block moves down a strip of columns, 64 rows per iteration, and each of its warps computes BAND
 * of these rows. A warp first computes the vertical sums of 8 columns of the reduced picture.
 * Together with the 8 columns before, these cover 8 groups; a group is the pixels between the
 * centres of adjacent reduced columns. Then the warp computes the 8 * factor columns of results by
 * horizontal sums, BAND at a time. */
#include "kernels/blur/cuda/gaussian_pyramid.cuh"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

constexpr int WARPS = 4, THREADS = 32 * WARPS, STEP = WARPS * BAND;
constexpr int TILE = 8; /* columns of the reduced picture in a tile */
constexpr unsigned BLOCKS_WANTED = 2112, STEPS_MOST = 16;

/* Returns the number of tiles in a strip: enough for 128 columns of results, but at least one. */
IMG_HOST_DEVICE constexpr int tiles_of(int factor)
{
    return factor < 16 ? 16 / factor : 1;
}

/* Tile for the part of the reduced picture that a block needs. FACTOR is the factor of enlarging,
 * or 8 for all larger factors. */
template <int CHANNELS, int FACTOR>
using Small = Tile<uint16_t, CHANNELS, (STEP - BAND) / FACTOR + CHUNK, tiles_of(FACTOR) + 1>;

/* Returns bytes `at` and `at` + 1 of the word `four`; a byte outside 0 to 3 is returned as 0. */
__device__ uint32_t two_of(uint32_t four, int at)
{
    const uint64_t behind_zero = (uint64_t)four << 8;
    return at >= -1 && at < IMG_SPLINE_TAPS ? (uint32_t)(behind_zero >> 8 * (at + 1)) & 0xffff : 0;
}

/* Returns a word of weights for the result at position `place`: their high bytes h, or their low
 * bytes 2 l if `low` is true (gaussian_rows.cuh). With q = lane % 4, they belong to the samples 2
 * q, 2 q + 1, 2 q + 8 and 2 q + 9. Sample 0 is two samples before the sample at which the first
 * group begins. */
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

/* Fills `table` with the weights of horizontal sums. A weight is split as 128 h + l and stored as
 * the bytes h and 2 l (gaussian_rows.cuh). For every BAND columns of results, `table` has an entry
 * for each lane: two words of bytes h, then two words of bytes 2 l. */
__device__ void make_across(const ImgGaussian &gaussian, uint4 *table)
{
    for (int i = (int)threadIdx.x; i < gaussian.factor / 2 * 32; i += THREADS) {
        const int g = i % 32 / 4, place = i / 32 * BAND + g / 2 * 4 + g % 2;
        table[i] =
            make_uint4(weight_word(gaussian, place, false), weight_word(gaussian, place + 2, false),
                       weight_word(gaussian, place, true), weight_word(gaussian, place + 2, true));
    }
}

/* Computes the vertical sums of TILE columns, two sums of 16 bits per word. For 8-bit pictures a
 * sum has 14 bits; it is multiplied by 4 and includes the value that rounds horizontal sums
 * (HALVES). */
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

/* Computes the results of a warp for one iteration: BAND rows of the strip, from row y on. `own` is
 * the part of the tile in shared memory that the warp reads. */
template <typename Sample, int CHANNELS, int FACTOR>
__device__ void enlarge_rows(const EnlargeTask &task, const Down<1> &down, const uint4 *table,
                             const uint8_t *own, uint8_t *out, int64_t x, int64_t y)
{
    typedef Small<CHANNELS, FACTOR> Source;
    typedef Rows<Sample, CHANNELS> Out;
    const int lane = (int)threadIdx.x % 32, factor = task.picture.factor;
    const int bands = factor / 2, tiles = tiles_of(factor);
    Start none = {0, 0, 0, 0};
    /* initial value that makes vertical sums round to nearest; samples of the reduced picture
     * always have 16 bits. For results of 8 bits that are not sharpened, it also adds 32 to each
     * sample, half of the 64 that one step of the result is worth. */
    Start half;
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
