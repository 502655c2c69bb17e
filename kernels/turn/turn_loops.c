/* The inner loops of turns, compiled once for each instruction set (core/parallel/cpu.h), with its
 * vectors.
 *
 * Transposing in registers works on n rows of n elements in a lane of 16 bytes. A round interleaves
 * row i with row i + n/2, which rotates the bits of the index (row, column) by one. So log2(n)
 * rounds exchange rows and columns. Each lane of a vector transposes n other rows, farther down the
 * picture. So afterwards a vector is a piece of one transposed row, and adjacent vectors form whole
 * cache lines. These can be written without being read from memory first. */
#include <stdbool.h>
#include <string.h>

#include "kernels/core/parallel/cpu.h"
#include "kernels/simd/simd.h"
#include "kernels/turn/blocks.h"

/* PER_LINE is the number of vectors per cache line of 64 bytes. A transposed row of 3-byte or
 * 6-byte pixels consists of 12 bytes per lane. 16 of these fill three cache lines, which are
 * PER_TRIPLE vectors. */
enum { LINE = 64, PER_LINE = 4 / V_LANES, PER_TRIPLE = 3 * PER_LINE };

/* Types for pixels in memory, of any alignment and any declared type. */
typedef uint16_t Pixel2 __attribute__((aligned(1), may_alias));
typedef uint32_t Pixel4 __attribute__((aligned(1), may_alias));
typedef uint64_t Pixel8 __attribute__((aligned(1), may_alias));
typedef struct Pixel3 {
    uint8_t byte[3];
} Pixel3;
typedef struct Pixel6 {
    uint8_t byte[6];
} Pixel6;

/* Defines a function that transposes pixel by pixel, for areas that are too small for vectors. */
#define DEFINE_TRANSPOSE_PLAIN(SIZE, TYPE)                                                         \
    static void transpose_plain##SIZE(const ImgTile *tile)                                         \
    {                                                                                              \
        for (int32_t x = 0; x < tile->width; x++) {                                                \
            TYPE *dst = (TYPE *)(tile->dst + x * tile->dst_stride);                                \
            for (int32_t y = 0; y < tile->height; y++)                                             \
                dst[y] = *(const TYPE *)(tile->src + y * tile->src_stride + x * (ptrdiff_t)SIZE);  \
        }                                                                                          \
    }

DEFINE_TRANSPOSE_PLAIN(1, uint8_t)
DEFINE_TRANSPOSE_PLAIN(2, Pixel2)
DEFINE_TRANSPOSE_PLAIN(3, Pixel3)
DEFINE_TRANSPOSE_PLAIN(4, Pixel4)
DEFINE_TRANSPOSE_PLAIN(6, Pixel6)
DEFINE_TRANSPOSE_PLAIN(8, Pixel8)

/* Defines a function that transposes a block of pixels of SIZE bytes, a power of two. n = 16 / SIZE
 * pixels fill a lane. n columns of the source become n transposed rows of one cache line each. */
#define DEFINE_TURN_BLOCK(SIZE, ROUNDS)                                                            \
    static inline void turn_block##SIZE(vu8 turned[16 / SIZE][PER_LINE], const uint8_t *src,       \
                                        ptrdiff_t stride)                                          \
    {                                                                                              \
        enum { n = 16 / SIZE };                                                                    \
        _Pragma("GCC unroll 4") for (int v = 0; v < PER_LINE; v++)                                 \
        {                                                                                          \
            vu8 row[n], zipped[n];                                                                 \
            const uint8_t *from = src + (ptrdiff_t)v * V_LANES * n * stride;                       \
            _Pragma("GCC unroll 16") for (int i = 0; i < n; i++) row[i] =                          \
                load_lanes(from + i * stride, n * stride);                                         \
            _Pragma("GCC unroll 4") for (int round = 0; round < ROUNDS; round++)                   \
            {                                                                                      \
                _Pragma("GCC unroll 8") for (int i = 0; i < n / 2; i++)                            \
                {                                                                                  \
                    zipped[2 * i] = zip_low(row[i], row[i + n / 2], SIZE);                         \
                    zipped[2 * i + 1] = zip_high(row[i], row[i + n / 2], SIZE);                    \
                }                                                                                  \
                _Pragma("GCC unroll 16") for (int i = 0; i < n; i++) row[i] = zipped[i];           \
            }                                                                                      \
            _Pragma("GCC unroll 16") for (int i = 0; i < n; i++) turned[i][v] = row[i];            \
        }                                                                                          \
    }

DEFINE_TURN_BLOCK(1, 4)
DEFINE_TURN_BLOCK(2, 3)
DEFINE_TURN_BLOCK(4, 2)
DEFINE_TURN_BLOCK(8, 1)

/* Transposes 4 columns of 64 rows of 3-byte pixels, which are widened to 4 bytes. A lane has 4
 * rows. */
static inline void turn_block3(vu8 turned[4][PER_TRIPLE], const uint8_t *src, ptrdiff_t stride)
{
    vu8 twelves[4][4 * PER_LINE]; /* indices: transposed row, then group of source rows */
    _Pragma("GCC unroll 16") for (int g = 0; g < 4 * PER_LINE; g++)
    {
        const uint8_t *from = src + (ptrdiff_t)g * V_LANES * 4 * stride;
        vu8 a = spread_pixels(load_lanes(from, 4 * stride), 3);
        vu8 b = spread_pixels(load_lanes(from + stride, 4 * stride), 3);
        vu8 c = spread_pixels(load_lanes(from + 2 * stride, 4 * stride), 3);
        vu8 d = spread_pixels(load_lanes(from + 3 * stride, 4 * stride), 3);
        vu8 ac_low = zip_low(a, c, 4), ac_high = zip_high(a, c, 4);
        vu8 bd_low = zip_low(b, d, 4), bd_high = zip_high(b, d, 4);
        twelves[0][g] = join_pixels(zip_low(ac_low, bd_low, 4), 3);
        twelves[1][g] = join_pixels(zip_high(ac_low, bd_low, 4), 3);
        twelves[2][g] = join_pixels(zip_low(ac_high, bd_high, 4), 3);
        twelves[3][g] = join_pixels(zip_high(ac_high, bd_high, 4), 3);
    }
    _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++)
        _Pragma("GCC unroll 4") for (int v = 0; v < PER_LINE; v++)
            join_twelves(twelves[i] + 4 * v, turned[i] + 3 * v);
}

/* Transposes 2 columns of 32 rows of 6-byte pixels, which are widened to 8 bytes. A lane has 2
 * rows. */
static inline void turn_block6(vu8 turned[2][PER_TRIPLE], const uint8_t *src, ptrdiff_t stride)
{
    vu8 twelves[2][4 * PER_LINE];
    _Pragma("GCC unroll 16") for (int g = 0; g < 4 * PER_LINE; g++)
    {
        const uint8_t *from = src + (ptrdiff_t)g * V_LANES * 2 * stride;
        vu8 a = spread_pixels(load_lanes(from, 2 * stride), 6);
        vu8 b = spread_pixels(load_lanes(from + stride, 2 * stride), 6);
        twelves[0][g] = join_pixels(zip_low(a, b, 8), 6);
        twelves[1][g] = join_pixels(zip_high(a, b, 8), 6);
    }
    _Pragma("GCC unroll 2") for (int i = 0; i < 2; i++)
        _Pragma("GCC unroll 4") for (int v = 0; v < PER_LINE; v++)
            join_twelves(twelves[i] + 4 * v, turned[i] + 3 * v);
}

static inline void put_vectors(uint8_t *dst, const vu8 *v, int count, bool streamed)
{
    _Pragma("GCC unroll 12") for (int i = 0; i < count; i++)
    {
        if (streamed)
            stream_u8(dst + (size_t)i * sizeof(vu8), v[i]);
        else
            store_u8(dst + (size_t)i * sizeof(vu8), v[i]);
    }
}

/* State of prefetching the next tile into the second-level cache, row by row. At least 256 bytes of
 * a row are read at once. This is twice as fast as reading cache lines in the order of their use,
 * down the rows. */
typedef struct Fetch {
    const uint8_t *row;
    ptrdiff_t stride;
    /* remaining rows, cache lines per row, and next cache line of the current row */
    int32_t rows, lines, line;
} Fetch;

static inline __attribute__((always_inline)) void fetch_lines(Fetch *fetch, int count)
{
    enum { READ = 0, SECOND_LEVEL = 2 };
    for (int i = 0; i < count && fetch->rows > 0; i++) {
        __builtin_prefetch(fetch->row + (ptrdiff_t)fetch->line * LINE, READ, SECOND_LEVEL);
        if (++fetch->line == fetch->lines) {
            fetch->line = 0;
            if (--fetch->rows > 0)
                fetch->row += fetch->stride;
        }
    }
}

/* Order of blocks in a tile. DOWN_FIRST writes each transposed row completely before the next one.
 * ACROSS_FIRST is better for blocks of three cache lines, which should be read along the rows. */
enum { DOWN_FIRST, ACROSS_FIRST };

/* Defines a function that transposes a tile, block by block. A block has COLUMNS transposed rows,
 * which are LINES cache lines long. REACH pixels from the left edge of a block must be readable: a
 * lane of 3- or 6-byte pixels reads 4 bytes more than it uses. A block that extends beyond the tile
 * works on copies that are large enough. */
#define DEFINE_TRANSPOSE(SIZE, COLUMNS, LINES, REACH, ORDER)                                       \
    static void transpose_edge##SIZE(const ImgTile *block)                                         \
    {                                                                                              \
        enum { rows = LINES * LINE / SIZE };                                                       \
        if (block->width * block->height <= LINE) {                                                \
            transpose_plain##SIZE(block);                                                          \
            return;                                                                                \
        }                                                                                          \
        uint8_t in[rows][16] = {{0}};                                                              \
        vu8 turned[COLUMNS][LINES * PER_LINE];                                                     \
        for (int32_t y = 0; y < block->height; y++)                                                \
            memcpy(in[y], block->src + y * block->src_stride, (size_t)block->width * SIZE);        \
        turn_block##SIZE(turned, in[0], sizeof in[0]);                                             \
        for (int32_t x = 0; x < block->width; x++)                                                 \
            memcpy(block->dst + x * block->dst_stride, turned[x], (size_t)block->height * SIZE);   \
    }                                                                                              \
                                                                                                   \
    static inline __attribute__((always_inline)) void transpose_block##SIZE(                       \
        const ImgTile *tile, int32_t x, int32_t y, bool streamed)                                  \
    {                                                                                              \
        enum { rows = LINES * LINE / SIZE };                                                       \
        ImgTile block = {                                                                          \
            .src = tile->src + y * tile->src_stride + x * (ptrdiff_t)SIZE,                         \
            .dst = tile->dst + x * tile->dst_stride + y * (ptrdiff_t)SIZE,                         \
            .src_stride = tile->src_stride,                                                        \
            .dst_stride = tile->dst_stride,                                                        \
            .width = tile->width - x < COLUMNS ? tile->width - x : COLUMNS,                        \
            .height = tile->height - y < rows ? tile->height - y : rows,                           \
        };                                                                                         \
        if (block.width < COLUMNS || block.height < rows || x + REACH > tile->readable) {          \
            transpose_edge##SIZE(&block);                                                          \
            return;                                                                                \
        }                                                                                          \
        vu8 turned[COLUMNS][LINES * PER_LINE];                                                     \
        turn_block##SIZE(turned, block.src, block.src_stride);                                     \
        _Pragma("GCC unroll 16") for (int i = 0; i < COLUMNS; i++)                                 \
            put_vectors(block.dst + i * block.dst_stride, turned[i], LINES * PER_LINE, streamed);  \
    }                                                                                              \
                                                                                                   \
    static inline __attribute__((always_inline)) void transpose_blocks##SIZE(const ImgTile *tile,  \
                                                                             bool streamed)        \
    {                                                                                              \
        enum { rows = LINES * LINE / SIZE, lines_read = COLUMNS * SIZE * rows / LINE };            \
        int32_t across = (tile->width + COLUMNS - 1) / COLUMNS;                                    \
        int32_t down = (tile->height + rows - 1) / rows;                                           \
        int32_t outer = ORDER == DOWN_FIRST ? across : down;                                       \
        int32_t inner = ORDER == DOWN_FIRST ? down : across;                                       \
        Fetch fetch = {tile->next, tile->src_stride, tile->next_rows,                              \
                       (tile->width * SIZE + LINE - 1) / LINE, 0};                                 \
        for (int32_t i = 0; i < outer; i++) {                                                      \
            for (int32_t j = 0; j < inner; j++) {                                                  \
                fetch_lines(&fetch, lines_read);                                                   \
                if (ORDER == DOWN_FIRST)                                                           \
                    transpose_block##SIZE(tile, i *COLUMNS, j *rows, streamed);                    \
                else                                                                               \
                    transpose_block##SIZE(tile, j *COLUMNS, i *rows, streamed);                    \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void transpose##SIZE(const ImgTile *tile)                                               \
    {                                                                                              \
        if (tile->streamed) {                                                                      \
            transpose_blocks##SIZE(tile, true);                                                    \
            stream_end();                                                                          \
        } else {                                                                                   \
            transpose_blocks##SIZE(tile, false);                                                   \
        }                                                                                          \
    }

DEFINE_TRANSPOSE(1, 16, 1, 16, DOWN_FIRST)
DEFINE_TRANSPOSE(2, 8, 1, 8, DOWN_FIRST)
DEFINE_TRANSPOSE(4, 4, 1, 4, DOWN_FIRST)
DEFINE_TRANSPOSE(8, 2, 1, 2, DOWN_FIRST)

DEFINE_TRANSPOSE(3, 4, 3, 6, ACROSS_FIRST)
DEFINE_TRANSPOSE(6, 2, 3, 3, ACROSS_FIRST)

/* Without an instruction that shuffles bytes, 3-byte pixels are faster one by one, and 6-byte
 * pixels are unless streaming stores write whole cache lines. */
static void transpose_3(const ImgTile *tile)
{
    (V_HAS_SHUFFLE ? transpose3 : transpose_plain3)(tile);
}

static void transpose_6(const ImgTile *tile)
{
    (V_HAS_SHUFFLE || tile->streamed ? transpose6 : transpose_plain6)(tile);
}

/* Defines a function that mirrors runs in a plain loop. The compiler generates the shuffles of each
 * instruction set from it. */
#define DEFINE_MIRROR(SIZE, TYPE)                                                                  \
    static void mirror##SIZE(uint8_t *restrict dst, const uint8_t *restrict src, size_t count)     \
    {                                                                                              \
        TYPE *to = (TYPE *)dst;                                                                    \
        const TYPE *from = (const TYPE *)src;                                                      \
        for (size_t i = 0; i < count; i++)                                                         \
            to[i] = from[count - 1 - i];                                                           \
    }

DEFINE_MIRROR(1, uint8_t)
DEFINE_MIRROR(2, Pixel2)
DEFINE_MIRROR(4, Pixel4)
DEFINE_MIRROR(8, Pixel8)

/* Defines a function that mirrors runs of 3- or 6-byte pixels. Five pixels of 3 bytes fill 15 bytes
 * of a vector, and two pixels of 6 bytes fill 12. A load starts 1 or 4 bytes early. A store writes
 * 1 or 4 bytes too many, which the next store overwrites. Therefore the loop over vectors stops one
 * pixel before the end. */
#define DEFINE_MIRROR_TRIPLE(SIZE, TYPE, PIXELS, ...)                                              \
    static void mirror##SIZE(uint8_t *restrict dst, const uint8_t *restrict src, size_t count)     \
    {                                                                                              \
        typedef uint8_t Bytes __attribute__((vector_size(16)));                                    \
        size_t i = 0;                                                                              \
        enum { spare = 16 - SIZE * PIXELS };                                                       \
        for (; V_HAS_SHUFFLE && i + PIXELS + 1 <= count; i += PIXELS) {                            \
            Bytes v;                                                                               \
            memcpy(&v, src + (count - i - PIXELS) * SIZE - spare, sizeof v);                       \
            v = __builtin_shufflevector(v, v, __VA_ARGS__);                                        \
            memcpy(dst + i * SIZE, &v, sizeof v);                                                  \
        }                                                                                          \
        for (; i < count; i++)                                                                     \
            ((TYPE *)dst)[i] = ((const TYPE *)src)[count - 1 - i];                                 \
    }

DEFINE_MIRROR_TRIPLE(3, Pixel3, 5, 13, 14, 15, 10, 11, 12, 7, 8, 9, 4, 5, 6, 1, 2, 3, 0)
DEFINE_MIRROR_TRIPLE(6, Pixel6, 2, 10, 11, 12, 13, 14, 15, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3)

const ImgTurnBlocks IMG_VARIANT(img_turn_blocks) = {
    .transpose = {transpose1, transpose2, transpose_3, transpose4, transpose_6, transpose8},
    .mirror = {mirror1, mirror2, mirror3, mirror4, mirror6, mirror8},
};
