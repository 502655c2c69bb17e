/* erode, dilate, open and close on CUDA, for rectangles of any size. The cost hardly depends on the
 * size. The first pass computes minima along rows, by widening windows in shared memory. The second
 * pass computes minima down columns (morphology_columns.cu). */
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/morphology/cuda/morphology_cuda.cuh"

/* --- Quads ------------------------------------------------------------------------------------ */

/* Four neighbouring samples of a row, called a quad, some of which may be beyond the row. Two
 * quads are combined to words of two samples. */

constexpr int QUAD = 4;

/* The part of a row that a block processes. Positions count samples from sample number `start` of
 * the row. The picture's row has the positions `first` to `end` - 1. The result is stored up to
 * position `past` - 1, which may be beyond the block's part. */
template <typename Sample, int CHANNELS> struct MorphologyRow {
    static constexpr int64_t FAR = 1 << 30;
    const MorphologyTask &task;
    int64_t start;
    const Sample *source; /* sample number `start` of the row */
    Sample *result;
    int32_t first, end, past, y;
    uint32_t inverted;

    __device__ MorphologyRow(const MorphologyTask &own, int32_t row, int64_t begin)
        : task(own), start(begin), y(row), inverted(inversion(own.step))
    {
        const int64_t samples = (int64_t)task.width * CHANNELS;
        source = reinterpret_cast<const Sample *>(task.src + (size_t)row * task.src_stride) + begin;
        result = reinterpret_cast<Sample *>(task.dst + (size_t)row * task.dst_stride) + begin;
        first = (int32_t)(begin < FAR ? -begin : -FAR);
        end = limited(samples - begin);
        past = limited(task.written / (int64_t)sizeof(Sample) - begin);
    }
    static __device__ int32_t limited(int64_t place)
    {
        return (int32_t)(place < FAR ? place : FAR);
    }
    /* Returns the sample at position `at`. Beyond the row, the border defines it. */
    __device__ uint32_t sample(int32_t at) const
    {
        const int64_t shifted = start + at + (IMG_MORPHOLOGY_SIDE_MAX + 1) * CHANNELS;
        const int32_t c = (int32_t)(shifted % CHANNELS);
        const int32_t place = img_border_place(shifted / CHANNELS - (IMG_MORPHOLOGY_SIDE_MAX + 1),
                                               task.width, task.step.border);
        return place < 0 ? morphology_background(task, c)
                         : source[(int64_t)place * CHANNELS + c - start];
    }
};

/* Four neighbouring samples of a row. */
template <typename Sample> struct MorphologyQuad {
    static constexpr int WORDS = (int)sizeof(Sample), EACH = QUAD / WORDS, BITS = 32 / EACH;
    uint32_t word[WORDS];

    __device__ void load(const Sample *from, uint32_t inverted)
    {
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            word[i] = __ldg(reinterpret_cast<const uint32_t *>(from) + i) ^ inverted;
    }
    /* Loads four samples from position `at` on, some of which may be beyond the row. */
    template <int CHANNELS>
    __device__ void load_any(const MorphologyRow<Sample, CHANNELS> &row, int32_t at)
    {
        if (at >= row.first && at + QUAD <= row.end) {
            load(row.source + at, row.inverted);
            return;
        }
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            word[i] = row.inverted;
#pragma unroll 1
        for (int i = 0; i < QUAD; i++) {
            const uint32_t shifted = row.sample(at + i) << i % EACH * BITS;
            word[0] ^= i < EACH ? shifted : 0;
            word[WORDS - 1] ^= i >= EACH ? shifted : 0;
        }
    }
    __device__ void store(Sample *to, uint32_t inverted) const
    {
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            reinterpret_cast<uint32_t *>(to)[i] = word[i] ^ inverted;
    }
    /* Stores the four samples at positions `at` to `at` + 3, except samples outside the result. */
    template <int CHANNELS>
    __device__ void store_some(const MorphologyRow<Sample, CHANNELS> &row, int32_t at) const
    {
        if (at + QUAD <= row.past) {
            store(row.result + at, row.inverted);
            return;
        }
#pragma unroll 1
        for (int i = 0; i < QUAD && at + i < row.past; i++)
            row.result[at + i] =
                (Sample)((word[i < EACH ? 0 : WORDS - 1] ^ row.inverted) >> i % EACH * BITS);
    }
};

/* Combines two quads to four words. The lower half of a word has a sample of `lower`, the upper
 * half a sample of `upper`. A byte is stored twice in its half, which does not change the order of
 * values. */
template <typename Sample>
__device__ inline uint4 paired(const MorphologyQuad<Sample> &lower,
                               const MorphologyQuad<Sample> &upper)
{
    const uint32_t *low = lower.word, *high = upper.word;
    if constexpr (sizeof(Sample) == 1)
        return make_uint4(
            __byte_perm(low[0], high[0], 0x4400), __byte_perm(low[0], high[0], 0x5511),
            __byte_perm(low[0], high[0], 0x6622), __byte_perm(low[0], high[0], 0x7733));
    else
        return make_uint4(
            __byte_perm(low[0], high[0], 0x5410), __byte_perm(low[0], high[0], 0x7632),
            __byte_perm(low[1], high[1], 0x5410), __byte_perm(low[1], high[1], 0x7632));
}

template <typename Sample>
__device__ inline void separated(uint4 pairs, MorphologyQuad<Sample> &lower,
                                 MorphologyQuad<Sample> &upper)
{
    if constexpr (sizeof(Sample) == 1) {
        const uint32_t first = __byte_perm(pairs.x, pairs.y, 0x6240);
        const uint32_t second = __byte_perm(pairs.z, pairs.w, 0x6240);
        lower.word[0] = __byte_perm(first, second, 0x5410);
        upper.word[0] = __byte_perm(first, second, 0x7632);
    } else {
        lower.word[0] = __byte_perm(pairs.x, pairs.y, 0x5410);
        lower.word[1] = __byte_perm(pairs.z, pairs.w, 0x5410);
        upper.word[0] = __byte_perm(pairs.x, pairs.y, 0x7632);
        upper.word[1] = __byte_perm(pairs.z, pairs.w, 0x7632);
    }
}

/* --- The passes ------------------------------------------------------------------------------- */

namespace
{

/* --- Windows ---------------------------------------------------------------------------------- */

/* The functions of this section compute minima over windows of any width along a part of a row, in
 * shared memory. Each step computes wider windows from narrower ones. */

constexpr int THREADS = 256;
constexpr int NINE = 9; /* width of the windows after the first step, in pixels */
/* number of words after the last used one that may be read and written: two windows of NINE pixels
 * with up to 4 samples each */
constexpr int SLACK = 2 * NINE * 4;
constexpr int TERMS_MOST = 5; /* largest number of windows that one step combines */

/* Layout of a block's samples of a row. A word has one sample in its lower half, and the sample
 * `half` positions later in its upper half. So neighbouring pixels are in different words for any
 * number of channels, and one instruction compares two pairs of samples. `before` is the number of
 * samples before the first result, and `all` the number of words. All three numbers are multiples
 * of QUAD. */
struct Span {
    int32_t before, half, all;
};

/* Computes for each pixel the minimum over the nine pixels that begin with it. A thread computes
 * nine adjacent minima of a channel. Each combines three minima over three pixels. */
template <int CHANNELS>
__device__ void first_windows(const uint32_t *from, uint32_t *to, int32_t count)
{
    for (int32_t i = (int32_t)threadIdx.x;; i += THREADS) {
        const int32_t first = i / CHANNELS * (NINE * CHANNELS) + i % CHANNELS;
        if (first >= count)
            return;
        uint32_t sample[2 * NINE - 1], three[2 * NINE - 3];
#pragma unroll
        for (int k = 0; k < 2 * NINE - 1; k++)
            sample[k] = from[first + k * CHANNELS];
#pragma unroll
        for (int k = 0; k < 2 * NINE - 3; k++)
            three[k] = __vimin3_u16x2(sample[k], sample[k + 1], sample[k + 2]);
#pragma unroll
        for (int k = 0; k < NINE; k++)
            to[first + k * CHANNELS] = __vimin3_u16x2(three[k], three[k + 3], three[k + 6]);
    }
}

__device__ inline void swap_arrays(uint32_t *&from, uint32_t *&other)
{
    uint32_t *made = other;
    other = from;
    from = made;
}

/* Computes, for each of `count` words, the minimum over the wider window that begins at the word.
 * It combines the minima in `from` over TERMS windows. These begin `apart` words after each other,
 * except that the last one begins `reach` words after the first one. */
template <int TERMS>
__device__ void widen(const uint32_t *from, uint32_t *to, int32_t count, int32_t apart,
                      int32_t reach)
{
    for (int32_t i = (int32_t)threadIdx.x; i < count; i += THREADS) {
        uint32_t term[TERMS + 1];
#pragma unroll
        for (int k = 0; k < TERMS; k++)
            term[k] = from[i + (k + 1 < TERMS ? k * apart : reach)];
        term[TERMS] = term[TERMS - 1];
#pragma unroll
        for (int k = 1; k < TERMS; k += 2)
            term[0] = __vimin3_u16x2(term[0], term[k], term[k + 1]);
        to[i] = term[0];
    }
}

/* The steps that widen windows to the requested width. After the first step, `thirds` steps each
 * triple the width. The last step combines `terms` windows to one of the requested width. These
 * windows begin `apart` words after each other, except that the last one begins `reach` words after
 * the first one. */
struct Widening {
    int32_t width; /* width after the first step, 1 or NINE pixels */
    int32_t thirds, terms, apart, reach;
};

/* Computes the minima over windows of the requested width by the steps of `widening`. The steps
 * read and write the arrays `from` and `other` in turn. Result number i is the minimum over the
 * window that begins at word `first` + i. Returns the array with the results. */
template <int CHANNELS>
__device__ const uint32_t *minima_of(const Widening &widening, Span span, int32_t first,
                                     uint32_t *from, uint32_t *other)
{
    int32_t apart = widening.width * CHANNELS;
    if (widening.width == NINE) {
        first_windows<CHANNELS>(from, other, span.all - (NINE - 1) * CHANNELS);
        __syncthreads();
        swap_arrays(from, other);
    }
    for (int32_t i = 0; i < widening.thirds; i++) {
        apart *= 3;
        widen<3>(from, other, span.all - apart + CHANNELS, apart / 3, apart / 3 * 2);
        __syncthreads();
        swap_arrays(from, other);
    }
    from += first;
    if (widening.terms == 1)
        widen<1>(from, other, span.half, widening.apart, widening.reach);
    else if (widening.terms == 2)
        widen<2>(from, other, span.half, widening.apart, widening.reach);
    else if (widening.terms == 3)
        widen<3>(from, other, span.half, widening.apart, widening.reach);
    else if (widening.terms == 4)
        widen<4>(from, other, span.half, widening.apart, widening.reach);
    else
        widen<TERMS_MOST>(from, other, span.half, widening.apart, widening.reach);
    __syncthreads();
    return other;
}

/* --- Along rows ------------------------------------------------------------------------------- */

/* largest number of words of an array in shared memory; a block has two such arrays */
constexpr int WORDS_MOST = 48 * 1024 / 8;
constexpr int HALF_LEAST = 2048, HALO_SHARE = 4;

/* Loads a part of a row to shared memory. It tests first whether all samples are inside the row,
 * because that is the most frequent and the fastest case. */
template <typename Sample, int CHANNELS>
__device__ void load_span(const MorphologyRow<Sample, CHANNELS> &row, Span span, uint4 *words)
{
    for (int32_t i = (int32_t)threadIdx.x; i < span.all / QUAD; i += THREADS) {
        const int32_t at = i * QUAD - span.before;
        MorphologyQuad<Sample> lower, upper;
        if (at >= row.first && at + span.half + QUAD <= row.end) {
            lower.load(row.source + at, row.inverted);
            upper.load(row.source + at + span.half, row.inverted);
        } else {
            lower.load_any(row, at);
            upper.load_any(row, at + span.half);
        }
        words[i] = paired(lower, upper);
    }
    /* first_windows reads these words, but its results from them are not used */
    if (threadIdx.x < SLACK / QUAD)
        words[span.all / QUAD + (int32_t)threadIdx.x] = make_uint4(0, 0, 0, 0);
}

template <typename Sample, int CHANNELS>
__device__ void store_run(const MorphologyRow<Sample, CHANNELS> &row, Span span,
                          const uint4 *minima)
{
    for (int32_t i = (int32_t)threadIdx.x; i < span.half / QUAD; i += THREADS) {
        const int32_t at = i * QUAD;
        MorphologyQuad<Sample> lower, upper;
        separated(minima[i], lower, upper);
        if (at + span.half + QUAD <= row.past) {
            lower.store(row.result + at, row.inverted);
            upper.store(row.result + at + span.half, row.inverted);
        } else {
            lower.store_some(row, at);
            upper.store_some(row, at + span.half);
        }
    }
}

/* Computes minima along rows; each block processes a part of a row. The grid has at most
 * MORPHOLOGY_GRID_ROWS rows of blocks, so a loop processes the remaining rows of the picture. */
template <typename Sample, int CHANNELS>
__global__ void __launch_bounds__(THREADS)
    morphology_rows_kernel(MorphologyTask task, Span span, Widening widening)
{
    IMG_SHARED_DYNAMIC(uint4, memory);
    uint32_t *words = reinterpret_cast<uint32_t *>(memory);
    const int64_t start = (int64_t)blockIdx.x * 2 * span.half;
    const int32_t first = span.before - task.step.left * CHANNELS;
    for (int64_t y = blockIdx.y; y < task.height; y += gridDim.y) {
        const MorphologyRow<Sample, CHANNELS> row(task, y, start);
        load_span(row, span, memory);
        __syncthreads();
        const uint32_t *minima =
            minima_of<CHANNELS>(widening, span, first, words, words + span.all + SLACK);
        store_run(row, span, reinterpret_cast<const uint4 *>(minima));
        __syncthreads();
    }
}

Widening widening_of(int32_t window, int32_t channels)
{
    Widening widening = {window >= NINE ? NINE : 1, 0, 0, 0, 0};
    int32_t width = widening.width;
    for (; (window + width - 1) / width > TERMS_MOST; width *= 3)
        widening.thirds++;
    widening.terms = (window + width - 1) / width;
    widening.apart = width * channels;
    widening.reach = (window - width) * channels;
    return widening;
}

int32_t up_to_quads(int64_t count)
{
    return (int32_t)((count + QUAD - 1) / QUAD * QUAD);
}

/* Divides a row of `samples` samples into parts of about equal length, one per block, and returns
 * the layout of a part. A part is several times as long as its margins, so that little is computed
 * twice. */
Span span_of(const MorphologyTask &task, int32_t channels, int64_t samples)
{
    const int32_t before = up_to_quads((int64_t)task.step.left * channels);
    const int32_t beside = before + up_to_quads((int64_t)task.step.right * channels);
    const int32_t wanted = HALO_SHARE * beside > HALF_LEAST ? HALO_SHARE * beside : HALF_LEAST;
    const int32_t room = WORDS_MOST - SLACK - beside - QUAD;
    const int64_t run = 2 * (int64_t)(wanted < room ? wanted : room);
    const int64_t runs = (samples + run - 1) / run;
    const int32_t half = up_to_quads((samples + 2 * runs - 1) / (2 * runs));
    return Span{before, half, beside + half};
}

template <typename Sample>
ImgStatus along_rows(const MorphologyTask &task, ImgFormat format, void *stream, ImgError *err)
{
    return with_channels(format, [&](auto channels) {
        constexpr int CHANNELS = decltype(channels)::VALUE;
        const int64_t samples = task.written / (int64_t)sizeof(Sample);
        const Span span = span_of(task, CHANNELS, samples);
        const int64_t run = 2 * (int64_t)span.half;
        const dim3 grid((unsigned)((samples + run - 1) / run),
                        (unsigned)task.height < MORPHOLOGY_GRID_ROWS ? (unsigned)task.height
                                                                     : MORPHOLOGY_GRID_ROWS);
        IMG_LAUNCH((morphology_rows_kernel<Sample, CHANNELS>), grid, THREADS,
                   2 * sizeof(uint32_t) * (size_t)(span.all + SLACK), stream, task, span,
                   widening_of(img_morphology_width(&task.step), CHANNELS));
        CUDA_TRY(cudaGetLastError(), err);
        return IMG_OK;
    });
}

/* Returns the parameters of the kernels for one step. Rows in the workspace are written in whole
 * units of 16 bytes, because later kernels read them in such units. */
MorphologyTask task_of(const ImgMorphologyStep &step, const ImgView &src, const ImgView &dst,
                       const ImgCall *call)
{
    MorphologyTask task = morphology_task(step, src, dst);
    if (dst.data != call->dst.data)
        task.written = (task.written + WIDE_BYTES - 1) / WIDE_BYTES * WIDE_BYTES;
    return task;
}

template <typename Sample>
ImgStatus both(const ImgCall *call, const ImgMorphologyStep &step, const ImgView &src,
               const ImgView &dst, const ImgView &between, ImgError *err)
{
    const bool is_low = img_morphology_height(&step) == 1;
    const bool is_narrow = img_morphology_width(&step) == 1 && !is_low;
    ImgStatus status = IMG_OK;
    if (!is_narrow)
        status = along_rows<Sample>(task_of(step, src, is_low ? dst : between, call), src.format,
                                    call->stream, err);
    if (status == IMG_OK && !is_low)
        status = morphology_down_columns(task_of(step, is_narrow ? src : between, dst, call),
                                         src.format, call->stream, err);
    return status;
}

} // namespace

ImgStatus morphology_two_passes(const ImgCall *call, const ImgMorphologyStep &step,
                                const ImgView &src, const ImgView &dst, uint8_t *between,
                                ImgError *err)
{
    const ImgShape shape = img_view_shape(&src);
    const ImgView rows = img_view_make(between, img_device_pitch(shape), shape);
    return src.format.bits == 16 ? both<uint16_t>(call, step, src, dst, rows, err)
                                 : both<uint8_t>(call, step, src, dst, rows, err);
}

ImgStatus img_morphology_cuda_passes(const ImgCall *call, ImgError *err)
{
    uint8_t *between = morphology_step_memory(call);
    return morphology_steps(
        call,
        [&](const ImgMorphologyStep &step, const ImgView &src, const ImgView &dst) {
            return morphology_two_passes(call, step, src, dst, between, err);
        },
        err);
}
