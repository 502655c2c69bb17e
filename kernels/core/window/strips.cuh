/* The loop of filters over a picture on CUDA. Pixels away from the edges are processed in vertical
 * strips. A thread has 16 bytes of each row with the pixels on either side, and keeps the last rows
 * in registers. Each row is loaded once per strip, some rows before its use. Samples along the
 * edges have their own blocks with one thread each, so border handling does not slow down the
 * rest. */
#ifndef IMGTOOL_KERNELS_CORE_WINDOW_STRIPS_CUH
#define IMGTOOL_KERNELS_CORE_WINDOW_STRIPS_CUH

#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/core/window/border.h"

namespace strips
{

constexpr int WORD = 4, UNIT_WORDS = WIDE_BYTES / WORD, THREADS = 128, LANES = 32;
constexpr int FLIGHT = 2; /* rows that are loaded ahead; a divisor of the rows of every window */

/* Rows per strip. Each strip loads two more rows, but more strips keep more threads busy. If rows
 * are expensive, strips of MIDDLE rows repeat less work. */
constexpr int32_t TALL = 24, MIDDLE = 12, LOW = 8;
constexpr int64_t MANY = 1 << 22, SOME = 1 << 21; /* in units of a picture */

/* Returns the words of 4 bytes that hold `bytes`, rounded up to 1, 2 or 4 so that one load gets
 * them. */
constexpr int loaded_words(int bytes)
{
    return bytes <= WORD ? 1 : bytes <= 2 * WORD ? 2 : UNIT_WORDS;
}

/* 16 bytes with REACH pixels on either side. */
template <typename SampleType, int CHANNEL_COUNT, int REACH_PIXELS> struct Span {
    using Sample = SampleType;
    static constexpr int CHANNELS = CHANNEL_COUNT, REACH = REACH_PIXELS;
    static constexpr int PIXEL = CHANNELS * (int)sizeof(Sample);
    static constexpr int SIDE = loaded_words(REACH * PIXEL), ALL = UNIT_WORDS + 2 * SIDE;
    uint32_t word[ALL];
};

/* Division of a picture into blocks of three kinds: whole rows along the upper and lower edge; the
 * ends of the other rows, a warp for each; and strips. The first two kinds mostly wait for memory,
 * so they are spread among the strips. */
struct Layout {
    ImgView src, dst; /* rows begin at multiples of 16 bytes and may be read up to the next one */
    int32_t reach;    /* rows along an edge; all rows if there are few */
    int32_t units;    /* units of 16 bytes per strip row: those after the first */
    int32_t left;     /* samples at the left end of a row */
    int32_t right;    /* the first sample at its right end */
    int32_t samples;  /* samples per row */
    int32_t height;   /* rows per strip */
    uint32_t row_blocks, edge_blocks, end_blocks, blocks;
    uint32_t spread; /* one of this many blocks is not a strip, until all such blocks are used up */
};

/* `is_slow`: rows are expensive. */
inline Layout layout_of(const ImgView &src, const ImgView &dst, int32_t reach, bool is_slow = false)
{
    Layout layout = {};
    const int64_t size = src.format.bits == 16 ? 2 : 1, warps = THREADS / LANES;
    const int64_t pixel = (int64_t)img_format_pixel_size(src.format);
    const int64_t inner = src.width * pixel - WIDE_BYTES - reach * pixel; /* bytes */
    const int64_t rows = src.height > 2 * reach ? src.height - 2 * reach : 0;
    layout.src = src;
    layout.dst = dst;
    layout.reach = rows > 0 ? reach : src.height;
    layout.samples = (int32_t)(src.width * pixel / size);
    layout.units = inner > 0 && reach * pixel <= WIDE_BYTES ? (int32_t)(inner / WIDE_BYTES) : 0;
    layout.left = layout.units > 0 ? (int32_t)(WIDE_BYTES / size) : layout.samples;
    layout.right = (int32_t)(layout.left + layout.units * (WIDE_BYTES / size));
    layout.height = layout.units * rows >= MANY              ? TALL
                    : is_slow && layout.units * rows >= SOME ? MIDDLE
                                                             : LOW;
    layout.row_blocks = (uint32_t)((layout.samples - 1) / THREADS + 1);
    layout.edge_blocks = layout.row_blocks * (uint32_t)(rows > 0 ? 2 * reach : src.height);
    layout.end_blocks = layout.edge_blocks + (uint32_t)((rows + warps - 1) / warps);
    const int64_t strips = (rows + layout.height - 1) / layout.height;
    layout.blocks = layout.end_blocks + (uint32_t)((layout.units * strips + THREADS - 1) / THREADS);
    layout.spread = layout.blocks / layout.end_blocks;
    return layout;
}

/* As img_border_place, for a position at most one beyond an edge: without a division. */
__device__ inline int32_t place_beside(int32_t at, int32_t size, int32_t border)
{
    const bool is_before = at < 0;
    if (!is_before && at < size)
        return at;
    if (border == IMG_BORDER_CONSTANT)
        return -1;
    if (border == IMG_BORDER_WRAP)
        return is_before ? size - 1 : 0;
    const int32_t inward = border == IMG_BORDER_REFLECT && size > 1 ? 1 : 0;
    return is_before ? inward : size - 1 - inward;
}

/* Loads sample `at` of row y and the eight around it, row by row, with all nine loads under way
 * together. `background` replaces samples beyond the edges of a constant border. */
template <typename Sample, int CHANNELS>
__device__ inline void load_nine(const ImgView &src, int32_t border, uint32_t background,
                                 int32_t at, int32_t y, int32_t (&samples)[9])
{
    const int32_t x = at / CHANNELS, c = at % CHANNELS;
#pragma unroll
    for (int i = 0; i < 9; i++) {
        const int32_t column = place_beside(x + i % 3 - 1, src.width, border);
        const int32_t line = place_beside(y + i / 3 - 1, src.height, border);
        samples[i] = (int32_t)background;
        if (column >= 0 && line >= 0)
            samples[i] = reinterpret_cast<const Sample *>(
                src.data + (size_t)line * src.stride)[(size_t)column * CHANNELS + c];
    }
}

template <int COUNT> __device__ inline void load_some(uint32_t *words, const uint8_t *from)
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

/* Neighbouring threads load the words on either side too, so these come from the first-level
 * cache. */
template <typename S> __device__ inline void load(const uint8_t *at, S &span)
{
    take_piece(span.word + S::SIDE, load_wide(at));
    load_some<S::SIDE>(span.word, at - S::SIDE * WORD);
    load_some<S::SIDE>(span.word + S::SIDE + UNIT_WORDS, at + WIDE_BYTES);
}

/* Processes one strip. */
template <typename Work>
__device__ inline void go_down(const Layout &layout, uint32_t number, const Work &work)
{
    /* rows of a window before its last */
    constexpr int REACH = Work::Span::REACH, BEFORE = 2 * REACH;
    const uint32_t strip = number / (uint32_t)layout.units;
    const size_t offset = (size_t)(number - strip * (uint32_t)layout.units + 1) * WIDE_BYTES;
    const int32_t bottom = layout.src.height - REACH; /* below the last row of strips */
    const int32_t first = REACH + (int32_t)strip * layout.height;
    const int32_t end = min(first + layout.height, bottom);
    if (first >= bottom)
        return;
    const size_t stride = layout.src.stride;
    const uint8_t *next = layout.src.data + (size_t)(first - REACH) * stride + offset;
    const uint8_t *past = layout.src.data + (size_t)(end + REACH) * stride + offset;
    uint8_t *result = layout.dst.data + (size_t)first * layout.dst.stride + offset;
    typename Work::Span spans[FLIGHT];
    typename Work::Row rows[BEFORE];
#pragma unroll
    for (int i = 0; i < FLIGHT; i++, next += stride)
        load(next, spans[i]);
#pragma unroll
    for (int i = 0; i < BEFORE; i++) {
        rows[i] = work.row(spans[i % FLIGHT]);
        if (next < past) {
            load(next, spans[i % FLIGHT]);
            next += stride;
        }
    }
    for (int32_t y = first; y < end; y += BEFORE) {
#pragma unroll
        for (int k = 0; k < BEFORE; k++) {
            if (y + k >= end)
                return;
            *reinterpret_cast<uint4 *>(result) = work.result(rows, k, spans[k % FLIGHT]);
            if (next < past) {
                load(next, spans[k % FLIGHT]);
                next += stride;
            }
            result += layout.dst.stride;
        }
    }
}

/* Processes a whole picture. `Work` has
 *     Span, and a Row that row(span) makes of one;
 *     result(rows, k, span): returns 16 bytes; rows[(k + i) % count] is row i from the top of the
 *         window and span the row below them all, which replaces the top one;
 *     edge(sample, y): processes one sample that may be near an edge. */
template <typename Work> __device__ inline void run(const Layout &layout, const Work &work)
{
    /* number among the blocks that are not strips */
    const uint32_t block = blockIdx.x / layout.spread;
    if (block >= layout.end_blocks || blockIdx.x % layout.spread != 0) {
        const uint32_t others = min(block + 1, layout.end_blocks); /* such blocks before this one */
        go_down(layout, (blockIdx.x - others) * THREADS + threadIdx.x, work);
        return;
    }
    int32_t first, last, step, y;
    if (block < layout.edge_blocks) {
        const int32_t row = (int32_t)(block / layout.row_blocks);
        y = row < layout.reach ? row : layout.src.height - 2 * layout.reach + row;
        first = (int32_t)(block % layout.row_blocks * THREADS + threadIdx.x);
        last = min(layout.samples, first + 1);
        step = THREADS;
    } else {
        const uint32_t warp = (block - layout.edge_blocks) * (THREADS / LANES);
        y = layout.reach + (int32_t)(warp + threadIdx.x / LANES);
        first = (int32_t)(threadIdx.x % LANES);
        last =
            y < layout.src.height - layout.reach ? layout.left + layout.samples - layout.right : 0;
        step = LANES;
    }
#pragma unroll 1
    for (int32_t i = first; i < last; i += step)
        work.edge(
            block < layout.edge_blocks || i < layout.left ? i : i - layout.left + layout.right, y);
}

} // namespace strips

#endif
