/* Minima over any rectangle at a cost that hardly grows with it: along rows by windows that widen
 * in shared memory, then down columns (morphology_columns.cu). */
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/morphology/cuda/morphology_quads.cuh"

namespace
{

/* --- Along rows ------------------------------------------------------------------------------- */

constexpr int THREADS = 256;
constexpr int NINE = 9;                   /* pixels of the first windows */
constexpr int SLACK = 2 * NINE * 4;       /* words that are read and written past the last in use */
constexpr int WORDS_MOST = 48 * 1024 / 8; /* of two arrays in shared memory */
constexpr int HALF_LEAST = 2048, HALO_SHARE = 4;
constexpr int TERMS_MOST = 5; /* windows that make a wider one */

/* How a block's samples of a row lie: a word has one in its lower half and the one `half` further
 * on in its upper half, so that neighbours are whole words whatever the channels, and one
 * instruction compares two. `before` are left of the first; all numbers are multiples of QUAD. */
struct Span {
    int32_t before, half, all;
};

/* Minima of nine pixels from each on: a thread has nine windows of a channel beside each other, of
 * which three threes make one. */
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

/* Minima of TERMS windows, each `apart` after the one before but the last, which ends `reach` after
 * the first. */
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

/* How windows widen: from nine to three times as many pixels, and so on, until `terms` make the
 * whole one; the last begins `reach` words after the first. */
struct Widening {
    int32_t width; /* of the first step, 1 or NINE */
    int32_t thirds, terms, apart, reach;
};

/* Swaps the arrays' roles until `other` has minima of whole windows, in the order of the run, whose
 * first begins at word `first`. */
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

/* Most samples are in the row. */
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
    if (threadIdx.x < SLACK / QUAD) /* read by first_windows, for nothing */
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
        if (at + span.half + QUAD <= row.end) {
            lower.store(row.result + at, row.inverted);
            upper.store(row.result + at + span.half, row.inverted);
        } else {
            lower.store_some(row, at);
            upper.store_some(row, at + span.half);
        }
    }
}

/* Blocks lie along a row; rows beyond a grid's height are taken in turns. */
template <typename Sample, int CHANNELS>
__global__ void __launch_bounds__(THREADS)
    morphology_rows_kernel(MorphologyTask task, Span span, Widening widening)
{
    IMG_SHARED_DYNAMIC(uint4, memory);
    uint32_t *words = reinterpret_cast<uint32_t *>(memory);
    const int64_t start = (int64_t)blockIdx.x * 2 * span.half;
    const int32_t first = span.before - task.step.left * CHANNELS;
    for (int32_t y = (int32_t)blockIdx.y; y < task.height; y += (int32_t)gridDim.y) {
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

/* A row is divided evenly, in runs that are some times what lies beside them. */
Span span_of(const MorphologyTask &task, int32_t channels)
{
    const int64_t samples = (int64_t)task.width * channels;
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
        const Span span = span_of(task, CHANNELS);
        const int64_t run = 2 * (int64_t)span.half;
        const dim3 grid((unsigned)(((int64_t)task.width * CHANNELS + run - 1) / run),
                        (unsigned)task.height < MORPHOLOGY_GRID_ROWS ? (unsigned)task.height
                                                                     : MORPHOLOGY_GRID_ROWS);
        IMG_LAUNCH((morphology_rows_kernel<Sample, CHANNELS>), grid, THREADS,
                   2 * sizeof(uint32_t) * (size_t)(span.all + SLACK), stream, task, span,
                   widening_of(img_morphology_width(&task.step), CHANNELS));
        CUDA_TRY(cudaGetLastError(), err);
        return IMG_OK;
    });
}

template <typename Sample>
ImgStatus both(const ImgCall *call, const ImgMorphologyStep &step, const ImgView &src,
               const ImgView &dst, const ImgView &between, ImgError *err)
{
    const bool is_low = img_morphology_height(&step) == 1;
    const bool is_narrow = img_morphology_width(&step) == 1 && !is_low;
    ImgStatus status = IMG_OK;
    if (!is_narrow)
        status = along_rows<Sample>(morphology_task(step, src, is_low ? dst : between), src.format,
                                    call->stream, err);
    if (status == IMG_OK && !is_low)
        status = morphology_down_columns(morphology_task(step, is_narrow ? src : between, dst),
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
    uint8_t *between = static_cast<uint8_t *>(call->workspace) +
                       img_morphology_cuda_between(call->op, img_view_shape(&call->src), NULL);
    return morphology_steps(
        call, [&](const ImgMorphologyStep &step, const ImgView &src, const ImgView &dst) {
            return morphology_two_passes(call, step, src, dst, between, err);
        });
}
