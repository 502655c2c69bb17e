/* Minima over any rectangle at a cost that hardly grows with it: along rows by doubling windows in
 * shared memory, then down columns (morphology_columns.cu). */
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/morphology/morphology_words.cuh"

namespace
{

constexpr int THREADS = 256, RUN_WORDS = 1024; /* of a row, which a block makes */
constexpr int SLACK = 12; /* words that passes lose where distances are no whole words */

/* --- Along rows ------------------------------------------------------------------------------- */

/* How a block's words lie: `before` of them are left of the run. */
struct Span {
    int32_t before, all;
};

/* Bytes from `offset` on of an array of words. */
__device__ uint32_t word_at(const uint32_t *words, int32_t offset)
{
    const int32_t shift = offset % WORD * 8;
    const uint32_t low = words[offset / WORD];
    return shift == 0 ? low : __funnelshift_r(low, words[offset / WORD + 1], shift);
}

template <typename Sample>
__device__ void load_span(const MorphologyTask &task, Span span, int32_t y, int64_t start,
                          uint32_t *words)
{
    const int64_t row_bytes = (int64_t)task.width * task.pixel;
    const uint8_t *row = task.src + (size_t)y * task.src_stride;
    const uint32_t inverted = inversion(task.step);
    for (int32_t i = (int32_t)threadIdx.x; i < span.all; i += THREADS) {
        const int64_t offset = start + (int64_t)(i - span.before) * WORD;
        const bool inside = offset >= 0 && offset + WORD <= row_bytes;
        words[i] = (inside ? *reinterpret_cast<const uint32_t *>(row + offset)
                           : edge_word<Sample>(task, y, offset)) ^
                   inverted;
    }
}

/* Minima of windows that begin at each sample: of 1, 2, 4 and so on. Returns where they are. */
template <typename Sample>
__device__ const uint32_t *widen(const MorphologyTask &task, Span span, uint32_t *from,
                                 uint32_t *other)
{
    const int32_t window = img_morphology_width(&task.step);
    int32_t known = span.all;
    for (int32_t width = 1; width < window;) {
        const int32_t further = min(width, window - width), distance = further * task.pixel;
        known -= (distance + WORD - 1) / WORD;
        __syncthreads();
        for (int32_t i = (int32_t)threadIdx.x; i < known; i += THREADS)
            other[i] = packed_minimum<Sample>(from[i], word_at(from, i * WORD + distance));
        uint32_t *result = other;
        other = from;
        from = result;
        width += further;
    }
    __syncthreads();
    return from;
}

/* Blocks lie along a row, neighbouring threads on neighbouring words; rows beyond a grid's height
 * are taken in turns. Shared memory limits: three passes over a word of it for every doubling. */
template <typename Sample>
__global__ void __launch_bounds__(THREADS) morphology_rows_kernel(MorphologyTask task, Span span)
{
    IMG_SHARED_DYNAMIC(uint32_t, memory);
    const int64_t row_bytes = (int64_t)task.width * task.pixel;
    const int64_t start = (int64_t)blockIdx.x * RUN_WORDS * WORD;
    const int32_t first = span.before * WORD - task.step.left * task.pixel;
    for (int32_t y = (int32_t)blockIdx.y; y < task.height; y += (int32_t)gridDim.y) {
        load_span<Sample>(task, span, y, start, memory);
        const uint32_t *minima = widen<Sample>(task, span, memory, memory + span.all);
        uint8_t *row = task.dst + (size_t)y * task.dst_stride;
        for (int32_t i = (int32_t)threadIdx.x; i < RUN_WORDS; i += THREADS)
            if (start + (int64_t)i * WORD < row_bytes)
                store_word(row, start + (int64_t)i * WORD, row_bytes,
                           word_at(minima, i * WORD + first) ^ inversion(task.step));
        __syncthreads();
    }
}

template <typename Sample>
ImgStatus along_rows(const MorphologyTask &task, void *stream, ImgError *err)
{
    const int64_t row_words = ((int64_t)task.width * task.pixel + WORD - 1) / WORD;
    const int64_t run = row_words < RUN_WORDS ? row_words : RUN_WORDS;
    Span span;
    span.before = (task.step.left * task.pixel + WORD - 1) / WORD;
    span.all = span.before + (int32_t)run + task.step.right * task.pixel / WORD + SLACK;
    const dim3 grid((unsigned)((row_words + RUN_WORDS - 1) / RUN_WORDS),
                    (unsigned)task.height < MORPHOLOGY_GRID_ROWS ? (unsigned)task.height
                                                                 : MORPHOLOGY_GRID_ROWS);
    IMG_LAUNCH(morphology_rows_kernel<Sample>, grid, THREADS, 2 * sizeof(uint32_t) * span.all,
               stream, task, span);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

template <typename Sample>
ImgStatus both(const ImgCall *call, const ImgMorphologyStep &step, const ImgView &src,
               const ImgView &dst, const ImgView &between, ImgError *err)
{
    const bool is_low = img_morphology_height(&step) == 1;
    const bool is_narrow = img_morphology_width(&step) == 1 && !is_low;
    ImgStatus status = IMG_OK;
    if (!is_narrow)
        status = along_rows<Sample>(morphology_task(step, src, is_low ? dst : between),
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
