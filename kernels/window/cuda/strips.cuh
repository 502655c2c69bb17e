/* The loop of filters over a picture on CUDA. Pixels away from the edges are processed in vertical
 * strips. A thread processes a unit, 16 bytes, of each row of its strip, and also reads the pixels
 * on both sides. It keeps the last rows in registers. Each row is loaded once per strip, FLIGHT
 * rows before it is used. Samples along the edges have separate blocks with one thread per sample.
 * So the border does not slow down the other pixels. */
#ifndef IMGTOOL_KERNELS_WINDOW_CUDA_STRIPS_CUH
#define IMGTOOL_KERNELS_WINDOW_CUDA_STRIPS_CUH

#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/window/border.h"

namespace strips
{

constexpr int WORD = 4, UNIT_WORDS = WIDE_BYTES / WORD, THREADS = 128, LANES = 32;
/* number of rows that are loaded in advance; must divide the number of rows that a filter keeps */
constexpr int FLIGHT = 2;

/* Numbers of rows per strip. Each strip loads at least two more rows than it has, so higher strips
 * repeat less work, but lower ones keep more threads busy. */
constexpr int32_t TALL = 24, MIDDLE = 12, LOW = 8;
/* Strips have TALL rows in pictures of at least MANY 16-byte units. In smaller pictures they have
 * MIDDLE rows if the filter is slow and there are at least SOME units, otherwise LOW rows. */
constexpr int64_t MANY = 1 << 22, SOME = 1 << 21;

/* Returns how many 4-byte words to load for `bytes` bytes: 1, 2 or 4, the numbers of words that one
 * load instruction can read. */
constexpr int loaded_words(int bytes)
{
    return bytes <= WORD ? 1 : bytes <= 2 * WORD ? 2 : UNIT_WORDS;
}

/* A unit of 16 bytes of a row, and the REACH pixels on each side of it. */
template <typename SampleType, int CHANNEL_COUNT, int REACH_PIXELS> struct Span {
    using Sample = SampleType;
    static constexpr int CHANNELS = CHANNEL_COUNT, REACH = REACH_PIXELS;
    static constexpr int PIXEL = CHANNELS * (int)sizeof(Sample);
    static constexpr int SIDE = loaded_words(REACH * PIXEL), ALL = UNIT_WORDS + 2 * SIDE;
    uint32_t word[ALL];
};

/* Division of a picture into blocks of three kinds. Some blocks process the rows along the upper
 * and lower edge. Others process both ends of the other rows, with a warp for each row. The rest
 * process strips. Blocks of the first two kinds mostly wait for memory, so they are spread among
 * the blocks that process strips. */
struct Layout {
    /* Pictures whose rows begin at multiples of 16 bytes. Rows may be read up to the next
     * multiple. */
    ImgView src, dst;
    /* number of rows along the upper edge, and also along the lower edge, that strips do not
     * process; the height of the picture if no rows remain between the two */
    int32_t reach;
    /* units of 16 bytes that strips process in each row, after the first unit */
    int32_t units;
    int32_t left; /* number of samples at the left end of a row that strips do not process */
    /* index of the first sample after the strips; they do not process the rest of the row */
    int32_t right;
    int32_t samples; /* samples per row */
    int32_t height;  /* rows per strip */
    uint32_t row_blocks, edge_blocks, end_blocks, blocks;
    /* the first of each `spread` consecutive blocks processes edges or row ends, until all blocks
     * of these two kinds are used */
    uint32_t spread;
};

/* Computes the layout for a filter that reads `reach` pixels around a pixel. `is_slow` means that a
 * row is expensive to process. */
inline Layout layout_of(const ImgView &src, const ImgView &dst, int32_t reach, bool is_slow = false)
{
    Layout layout = {};
    const int64_t size = src.format.bits == 16 ? 2 : 1, warps = THREADS / LANES;
    const int64_t pixel = (int64_t)img_format_pixel_size(src.format);
    /* bytes of a row that strips may process: without the first unit and the right edge */
    const int64_t inner = src.width * pixel - WIDE_BYTES - reach * pixel;
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

/* Returns the same as img_border_place, without a division. `at` must be at most one position
 * beyond an edge. */
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

/* Loads sample `at` of row `y` and the eight samples around it, row by row. All nine loads run at
 * the same time. `background` replaces samples beyond the edges if the border is constant. */
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

/* Loads the unit at `at` and the words on both sides. Neighbouring threads load these words too, so
 * they come from the first-level cache. */
template <typename S> __device__ inline void load(const uint8_t *at, S &span)
{
    take_piece(span.word + S::SIDE, load_wide(at));
    load_some<S::SIDE>(span.word, at - S::SIDE * WORD);
    load_some<S::SIDE>(span.word + S::SIDE + UNIT_WORDS, at + WIDE_BYTES);
}

/* Processes one unit (16 bytes) in each row of a strip, from top to bottom. `number` is the index
 * of this column of units among the columns of all strips. */
template <typename Work>
__device__ inline void go_down(const Layout &layout, uint32_t number, const Work &work)
{
    /* a filter reads REACH rows above and REACH rows below the row that it computes: BEFORE rows in
     * total */
    constexpr int REACH = Work::Span::REACH, BEFORE = 2 * REACH;
    const uint32_t strip = number / (uint32_t)layout.units;
    const size_t offset = (size_t)(number - strip * (uint32_t)layout.units + 1) * WIDE_BYTES;
    const int32_t bottom = layout.src.height - REACH; /* row after the last row of all strips */
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

/* Processes a whole picture. `Work` must have two types and three functions:
 *   Span                    the type strips::Span, for the format of the source
 *   Row                     what the filter keeps of a row while the row is in its window
 *   row(span)               converts a Span to a Row
 *   result(rows, k, span)   returns 16 bytes of the result
 *   edge(sample, y)         computes one sample of the result, which may be near an edge
 *
 * In result(), rows[(k + i) % count] is row i from the top of the filter's window, where `count` is
 * the number of elements of `rows`. `span` is the lowest row of the window, and is not in `rows`.
 * result() converts it to a Row and stores it at rows[k], in place of the top row. */
template <typename Work> __device__ inline void run(const Layout &layout, const Work &work)
{
    /* index of this block among those that do not process strips */
    const uint32_t block = blockIdx.x / layout.spread;
    if (block >= layout.end_blocks || blockIdx.x % layout.spread != 0) {
        /* number of blocks with lower indices than this one that do not process strips */
        const uint32_t others = min(block + 1, layout.end_blocks);
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
