/* Minima over any rectangle at a cost that hardly grows with it: along rows by doubling windows in
 * shared memory, then down columns by the method of van Herk and Gil and Werman. */
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

/* --- Down columns ----------------------------------------------------------------------------- */

constexpr int COLUMN_THREADS = 128,
              TOGETHER = 4; /* rows that are loaded before the first is used */

template <int WORDS> struct Words {
    uint32_t word[WORDS];
};

template <int WORDS> __device__ Words<WORDS> load_words(const uint8_t *from)
{
    Words<WORDS> words;
    if (WORDS == 4)
        take_piece(words.word, *reinterpret_cast<const uint4 *>(from));
    else
        words.word[0] = *reinterpret_cast<const uint32_t *>(from);
    return words;
}

template <typename Sample, int WORDS>
__device__ void lower(Words<WORDS> &best, const Words<WORDS> &more)
{
#pragma unroll
    for (int i = 0; i < WORDS; i++)
        best.word[i] = packed_minimum<Sample>(best.word[i], more.word[i]);
}

/* The words of one thread in every row, inverted for maxima. */
template <typename Sample, int WORDS> struct Column {
    const MorphologyTask &task;
    int64_t offset, row_bytes;
    uint32_t inverted;
    Words<WORDS> background;

    __device__ Column(const MorphologyTask &own, int64_t at)
        : task(own), offset(at), row_bytes((int64_t)own.width * own.pixel),
          inverted(inversion(own.step)), background()
    {
        for (int i = 0; i < WORDS && own.step.border == IMG_BORDER_CONSTANT; i++)
            background.word[i] = edge_word<Sample>(own, -1, at + i * WORD) ^ inverted;
    }
    __device__ Words<WORDS> load(int64_t y) const
    {
        const int32_t row = img_border_place(y, task.height, task.step.border);
        if (row < 0)
            return background;
        Words<WORDS> words = load_words<WORDS>(task.src + (size_t)row * task.src_stride + offset);
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            words.word[i] ^= inverted;
        return words;
    }
    __device__ uint8_t *result(int64_t y) const
    {
        return task.dst + (size_t)y * task.dst_stride;
    }
    __device__ void store(int64_t y, Words<WORDS> words) const
    {
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            words.word[i] ^= inverted;
        if (WORDS == 4)
            store_wide(result(y), offset, row_bytes,
                       make_uint4(words.word[0], words.word[WORDS / 2 - WORDS / 4],
                                  words.word[WORDS / 2], words.word[WORDS - 1]));
        else
            store_word(result(y), offset, row_bytes, words.word[0]);
    }
    /* What this thread stored, as it was given. */
    __device__ Words<WORDS> stored(int64_t y) const
    {
        Words<WORDS> words = load_words<WORDS>(result(y) + offset);
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            words.word[i] ^= inverted;
        return words;
    }
};

/* Rows `top` to before `bottom` have rectangles that begin in one segment of rows, as many as the
 * rectangle has, and end in the next. Upwards through the first: minima to its end, which wait in
 * the result. */
template <typename Sample, int WORDS>
__device__ Words<WORDS> go_up(const Column<Sample, WORDS> &column, int64_t top, int64_t bottom,
                              int32_t rows)
{
    const int64_t up = column.task.step.up;
    Words<WORDS> best = column.load(top + rows - 1 - up);
    for (int64_t y = top + rows - 1; y >= top; y -= TOGETHER) {
        Words<WORDS> next[TOGETHER];
#pragma unroll
        for (int k = 0; k < TOGETHER; k++)
            next[k] = column.load((y - k < top ? top : y - k) - up);
#pragma unroll
        for (int k = 0; k < TOGETHER; k++) {
            if (y - k < top)
                break;
            lower<Sample>(best, next[k]);
            if (y - k < bottom)
                column.store(y - k, best);
        }
    }
    return best;
}

/* Downwards through the second: minima from its top, each with what waits. */
template <typename Sample, int WORDS>
__device__ void go_down(const Column<Sample, WORDS> &column, int64_t top, int64_t bottom,
                        int32_t rows)
{
    const int64_t ahead = rows - 1 - column.task.step.up;
    Words<WORDS> best = column.load(top + 1 + ahead);
    for (int64_t y = top + 1; y < bottom; y += TOGETHER) {
        Words<WORDS> next[TOGETHER], waiting[TOGETHER];
#pragma unroll
        for (int k = 0; k < TOGETHER; k++) {
            const int64_t row = y + k < bottom ? y + k : bottom - 1;
            next[k] = column.load(row + ahead);
            waiting[k] = column.stored(row);
        }
#pragma unroll
        for (int k = 0; k < TOGETHER; k++) {
            if (y + k >= bottom)
                break;
            lower<Sample>(best, next[k]);
            lower<Sample>(waiting[k], best);
            column.store(y + k, waiting[k]);
        }
    }
}

/* A thread has a column of 16 bytes, or of 4 where there are few, and one segment of rows: memory
 * limits, two reads of the source and two writes and a read of the result. */
template <typename Sample, int WORDS>
__global__ void __launch_bounds__(COLUMN_THREADS) morphology_columns_kernel(MorphologyTask task)
{
    const int64_t offset = ((int64_t)blockIdx.x * COLUMN_THREADS + threadIdx.x) * WORDS * WORD;
    const int32_t rows = img_morphology_height(&task.step);
    if (offset >= (int64_t)task.width * task.pixel)
        return;
    const Column<Sample, WORDS> column(task, offset);
    for (int64_t top = (int64_t)blockIdx.y * rows; top < task.height;
         top += (int64_t)gridDim.y * rows) {
        const int64_t bottom = top + rows < task.height ? top + rows : task.height;
        go_up<Sample, WORDS>(column, top, bottom, rows);
        go_down<Sample, WORDS>(column, top, bottom, rows);
    }
}

constexpr int64_t THREADS_ENOUGH = 1 << 16;

template <typename Sample>
ImgStatus down_columns(const MorphologyTask &task, void *stream, ImgError *err)
{
    const int64_t row_bytes = (int64_t)task.width * task.pixel;
    const int32_t rows = img_morphology_height(&task.step);
    const int64_t segments = ((int64_t)task.height + rows - 1) / rows;
    const bool many = row_bytes / WIDE_BYTES * segments >= THREADS_ENOUGH;
    const int64_t each = COLUMN_THREADS * (many ? WIDE_BYTES : WORD);
    const dim3 grid((unsigned)((row_bytes + each - 1) / each),
                    (unsigned)(segments < MORPHOLOGY_GRID_ROWS ? segments : MORPHOLOGY_GRID_ROWS));
    auto *kernel =
        many ? morphology_columns_kernel<Sample, 4> : morphology_columns_kernel<Sample, 1>;
    IMG_LAUNCH(kernel, grid, COLUMN_THREADS, 0, stream, task);
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
        status = down_columns<Sample>(morphology_task(step, is_narrow ? src : between, dst),
                                      call->stream, err);
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
