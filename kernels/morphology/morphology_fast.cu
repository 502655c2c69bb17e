/* Minima over rectangles of 3 x 3 and 5 x 5 in one pass over memory, without shared memory; other
 * rectangles in two passes (morphology_passes.cu). */
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/morphology/morphology_words.cuh"

namespace
{

constexpr int THREADS = 128, WORDS = WIDE_BYTES / WORD;
constexpr int TOGETHER = 4, ROWS = 16; /* loaded before the first is used; of a thread, in all */

/* Bytes as words of 1, 2 or 4, which one load gets. */
constexpr int loaded_words(int bytes)
{
    return bytes <= WORD ? 1 : bytes <= 2 * WORD ? 2 : WORDS;
}

/* What windows of SIDE pixels take of the row around 16 bytes. The even bytes of a word are to lie
 * where odd ones do (packed_minimum), for which one more byte before them is needed. */
template <typename Sample, int CHANNELS, int SIDE> struct Window {
    static constexpr int PIXEL = CHANNELS * (int)sizeof(Sample);
    static constexpr int REACH = SIDE / 2;
    static constexpr int LANES = sizeof(Sample) == 1 ? 2 : 1; /* odd bytes, even bytes */
    static constexpr int BEFORE = loaded_words(REACH * PIXEL + LANES - 1);
    static constexpr int AFTER = loaded_words(REACH * PIXEL);
    static constexpr int ALL = BEFORE + WORDS + AFTER;
};

template <int COUNT> __device__ void load_some(uint32_t *words, const uint8_t *from)
{
    if (COUNT == 4) {
        take_piece(words, __ldg(reinterpret_cast<const uint4 *>(from)));
    } else if (COUNT == 2) {
        const uint2 pair = __ldg(reinterpret_cast<const uint2 *>(from));
        words[0] = pair.x;
        words[COUNT - 1] = pair.y;
    } else {
        words[0] = __ldg(reinterpret_cast<const uint32_t *>(from));
    }
}

/* Rows from y on around byte `offset`. Neighbours load the same bytes: they come from the
 * first-level cache. No branch between the loads, so that all are under way together. */
template <typename Sample, typename W>
__device__ void load_rows(const MorphologyTask &task, int64_t offset, int64_t y, bool is_inside,
                          uint32_t (&words)[TOGETHER][W::ALL])
{
    int32_t rows[TOGETHER];
    const uint8_t *at = task.src + offset;
#pragma unroll
    for (int k = 0; k < TOGETHER; k++) {
        rows[k] = img_border_place(y + k, task.height, task.step.border);
        is_inside = is_inside && rows[k] >= 0;
    }
    if (is_inside) {
#pragma unroll
        for (int k = 0; k < TOGETHER; k++) {
            const uint8_t *own = at + (size_t)rows[k] * task.src_stride;
            load_some<W::BEFORE>(words[k], own - W::BEFORE * WORD);
            load_some<WORDS>(words[k] + W::BEFORE, own);
            load_some<W::AFTER>(words[k] + W::BEFORE + WORDS, own + WIDE_BYTES);
        }
    } else {
#pragma unroll 1
        for (int i = 0; i < TOGETHER * W::ALL; i++) {
            const int row = i / W::ALL;
            const int64_t from = offset + (int64_t)(i % W::ALL - W::BEFORE) * WORD;
            const uint32_t word = edge_word<Sample>(
                task, img_border_place(y + row, task.height, task.step.border), from);
#pragma unroll
            for (int k = 0; k < TOGETHER * W::ALL; k++)
                words[k / W::ALL][k % W::ALL] = k == i ? word : words[k / W::ALL][k % W::ALL];
        }
    }
}

template <typename W> struct Row {
    uint32_t lane[W::LANES][WORDS];
};

/* The word whose bytes begin at `at`, which is known when loops are unrolled. */
__device__ uint32_t word_from(const uint32_t *words, int at)
{
    return at % WORD == 0
               ? words[at / WORD]
               : __funnelshift_r(words[at / WORD], words[at / WORD + 1], 8 * (at % WORD));
}

/* Minima of the windows along the row. */
template <typename W>
__device__ void slide(uint32_t (&words)[W::ALL], uint32_t inverted, Row<W> &row)
{
#pragma unroll
    for (int i = 0; i < W::ALL; i++)
        words[i] ^= inverted;
#pragma unroll
    for (int lane = 0; lane < W::LANES; lane++)
#pragma unroll
        for (int i = 0; i < WORDS; i++) {
            const int at = (W::BEFORE + i) * WORD - lane;
            uint32_t best = word_from(words, at);
#pragma unroll
            for (int k = 1; k <= W::REACH; k++) {
                best = __vminu2(best, word_from(words, at - k * W::PIXEL));
                best = __vminu2(best, word_from(words, at + k * W::PIXEL));
            }
            row.lane[lane][i] = best;
        }
}

template <typename W> __device__ void lower(Row<W> &best, const Row<W> &more)
{
#pragma unroll
    for (int lane = 0; lane < W::LANES; lane++)
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            best.lane[lane][i] = __vminu2(best.lane[lane][i], more.lane[lane][i]);
}

template <typename W> __device__ uint4 packed(const Row<W> &row, uint32_t inverted)
{
    uint32_t word[WORDS];
#pragma unroll
    for (int i = 0; i < WORDS; i++)
        word[i] = inverted ^
                  (W::LANES == 1 ? row.lane[0][i]
                                 : __byte_perm(row.lane[W::LANES - 1][i], row.lane[0][i], 0x7351));
    return make_uint4(word[0], word[1], word[2], word[3]);
}

/* A thread has 16 bytes of each row of a strip and goes down, the minima of the last rows in
 * registers. Strips beyond a grid's height are taken in turns. */
template <typename Sample, int CHANNELS, int SIDE>
__global__ void __launch_bounds__(THREADS) morphology_fast_kernel(MorphologyTask task)
{
    using W = Window<Sample, CHANNELS, SIDE>;
    constexpr int RESULTS = ROWS - SIDE + 1;
    const int64_t offset = ((int64_t)blockIdx.x * THREADS + threadIdx.x) * WIDE_BYTES;
    const int64_t row_bytes = (int64_t)task.width * W::PIXEL;
    if (offset >= row_bytes)
        return;
    const bool is_inside =
        offset >= W::BEFORE * WORD && offset + WIDE_BYTES + W::AFTER * WORD <= row_bytes;
    const uint32_t inverted = inversion(task.step);
    for (int64_t top = (int64_t)blockIdx.y * RESULTS; top < task.height;
         top += (int64_t)gridDim.y * RESULTS) {
        const int64_t bottom = top + RESULTS < task.height ? top + RESULTS : task.height;
        Row<W> last[SIDE - 1] = {}; /* the newest first */
        for (int64_t y = top - W::REACH; y < bottom + W::REACH; y += TOGETHER) {
            uint32_t words[TOGETHER][W::ALL] = {};
            load_rows<Sample, W>(task, offset, y, is_inside, words);
#pragma unroll
            for (int k = 0; k < TOGETHER; k++) {
                Row<W> row;
                slide<W>(words[k], inverted, row);
                Row<W> best = row;
#pragma unroll
                for (int i = 0; i < SIDE - 1; i++)
                    lower<W>(best, last[i]);
                const int64_t result = y + k - W::REACH;
                if (result >= top && result < bottom)
                    store_wide(task.dst + (size_t)result * task.dst_stride, offset, row_bytes,
                               packed<W>(best, inverted));
#pragma unroll
                for (int i = SIDE - 2; i > 0; i--)
                    last[i] = last[i - 1];
                last[0] = row;
            }
        }
    }
}

template <int SIDE>
ImgStatus launch(const MorphologyTask &task, ImgFormat format, void *stream, ImgError *err)
{
    constexpr int64_t BLOCK_BYTES = THREADS * WIDE_BYTES, RESULTS = ROWS - SIDE + 1;
    const int64_t row_bytes = (int64_t)task.width * task.pixel;
    const int64_t strips = (task.height + RESULTS - 1) / RESULTS;
    const dim3 grid((unsigned)((row_bytes + BLOCK_BYTES - 1) / BLOCK_BYTES),
                    (unsigned)(strips < MORPHOLOGY_GRID_ROWS ? strips : MORPHOLOGY_GRID_ROWS));
    return with_samples(format, [&](auto sample, auto channels) {
        IMG_LAUNCH((morphology_fast_kernel<decltype(sample), decltype(channels)::VALUE, SIDE>),
                   grid, THREADS, 0, stream, task);
        CUDA_TRY(cudaGetLastError(), err);
        return IMG_OK;
    });
}

bool is_square(const ImgMorphologyStep &step, int32_t side)
{
    return img_morphology_width(&step) == side && img_morphology_height(&step) == side;
}

} // namespace

ImgStatus img_morphology_cuda_fast(const ImgCall *call, ImgError *err)
{
    uint8_t *between = static_cast<uint8_t *>(call->workspace) +
                       img_morphology_cuda_between(call->op, img_view_shape(&call->src), NULL);
    return morphology_steps(
        call, [&](const ImgMorphologyStep &step, const ImgView &src, const ImgView &dst) {
            const MorphologyTask task = morphology_task(step, src, dst);
            if (is_square(step, 3))
                return launch<3>(task, src.format, call->stream, err);
            if (is_square(step, 5))
                return launch<5>(task, src.format, call->stream, err);
            return morphology_two_passes(call, step, src, dst, between, err);
        });
}
