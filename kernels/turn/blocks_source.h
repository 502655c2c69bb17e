/* Source of the inner loops, included once by every file that compiles it for an instruction level.
 *
 * Transposing in registers: with n rows of n elements, interleaving row i with row i + n/2 rotates
 * the bits of the index (row, column) by one; log2(n) rounds exchange rows and columns. */
#include <string.h>

#include "kernels/turn/blocks.h"

typedef uint8_t U8x16 __attribute__((vector_size(16)));
typedef uint16_t U16x8 __attribute__((vector_size(16)));
typedef uint32_t U32x4 __attribute__((vector_size(16)));
typedef uint64_t U64x2 __attribute__((vector_size(16)));

/* Pixels in memory: no alignment is promised, and any type may lie there. */
typedef uint16_t Pixel2 __attribute__((aligned(1), may_alias));
typedef uint32_t Pixel4 __attribute__((aligned(1), may_alias));
typedef uint64_t Pixel8 __attribute__((aligned(1), may_alias));
typedef struct Pixel3 {
    uint8_t byte[3];
} Pixel3;
typedef struct Pixel6 {
    uint8_t byte[6];
} Pixel6;

/* Without arbitrary byte shuffles in hardware the compiler would take them apart byte by byte. */
#if defined(__SSSE3__) || defined(__ARM_NEON)
#define HAVE_BYTE_SHUFFLE 1
#else
#define HAVE_BYTE_SHUFFLE 0
#endif

static inline U8x16 load(const uint8_t *p)
{
    U8x16 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void store(uint8_t *p, U8x16 v)
{
    memcpy(p, &v, sizeof v);
}

static inline U8x16 zip_low8(U8x16 a, U8x16 b)
{
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

static inline U8x16 zip_high8(U8x16 a, U8x16 b)
{
    return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                   31);
}

static inline U8x16 zip_low16(U8x16 a, U8x16 b)
{
    return (U8x16)__builtin_shufflevector((U16x8)a, (U16x8)b, 0, 8, 1, 9, 2, 10, 3, 11);
}

static inline U8x16 zip_high16(U8x16 a, U8x16 b)
{
    return (U8x16)__builtin_shufflevector((U16x8)a, (U16x8)b, 4, 12, 5, 13, 6, 14, 7, 15);
}

static inline U8x16 zip_low32(U8x16 a, U8x16 b)
{
    return (U8x16)__builtin_shufflevector((U32x4)a, (U32x4)b, 0, 4, 1, 5);
}

static inline U8x16 zip_high32(U8x16 a, U8x16 b)
{
    return (U8x16)__builtin_shufflevector((U32x4)a, (U32x4)b, 2, 6, 3, 7);
}

static inline U8x16 zip_low64(U8x16 a, U8x16 b)
{
    return (U8x16)__builtin_shufflevector((U64x2)a, (U64x2)b, 0, 2);
}

static inline U8x16 zip_high64(U8x16 a, U8x16 b)
{
    return (U8x16)__builtin_shufflevector((U64x2)a, (U64x2)b, 1, 3);
}

/* Whatever the vector loop of a tile leaves: its right columns and its last rows. */
#define DEFINE_REST(SIZE, TYPE)                                                                    \
    static void transpose_rest##SIZE(const ImgTile *tile, int32_t from_x, int32_t from_y)          \
    {                                                                                              \
        for (int32_t x = from_x; x < tile->width; x++) {                                           \
            TYPE *dst = (TYPE *)(tile->dst + x * tile->dst_stride);                                \
            for (int32_t y = from_y; y < tile->height; y++)                                        \
                dst[y] = *(const TYPE *)(tile->src + y * tile->src_stride + x * (ptrdiff_t)SIZE);  \
        }                                                                                          \
    }

DEFINE_REST(1, uint8_t)
DEFINE_REST(2, Pixel2)
DEFINE_REST(3, Pixel3)
DEFINE_REST(4, Pixel4)
DEFINE_REST(6, Pixel6)
DEFINE_REST(8, Pixel8)

/* Pixels of 2^k bytes: blocks of n x n pixels with n = 16 / SIZE, transposed in n registers. */
#define DEFINE_TRANSPOSE(SIZE, BITS, ROUNDS)                                                       \
    static inline void transpose_block##SIZE(uint8_t *dst, ptrdiff_t dst_stride,                   \
                                             const uint8_t *src, ptrdiff_t src_stride)             \
    {                                                                                              \
        enum { n = 16 / SIZE };                                                                    \
        U8x16 row[n], zipped[n];                                                                   \
        _Pragma("GCC unroll 16") for (int i = 0; i < n; i++) row[i] = load(src + i * src_stride);  \
        _Pragma("GCC unroll 4") for (int round = 0; round < ROUNDS; round++)                       \
        {                                                                                          \
            _Pragma("GCC unroll 8") for (int i = 0; i < n / 2; i++)                                \
            {                                                                                      \
                zipped[2 * i] = zip_low##BITS(row[i], row[i + n / 2]);                             \
                zipped[2 * i + 1] = zip_high##BITS(row[i], row[i + n / 2]);                        \
            }                                                                                      \
            memcpy(row, zipped, sizeof row);                                                       \
        }                                                                                          \
        _Pragma("GCC unroll 16") for (int i = 0; i < n; i++) store(dst + i * dst_stride, row[i]);  \
    }                                                                                              \
                                                                                                   \
    static void transpose##SIZE(const ImgTile *tile)                                               \
    {                                                                                              \
        enum { n = 16 / SIZE };                                                                    \
        int32_t full_x = tile->width / n * n, full_y = tile->height / n * n;                       \
        for (int32_t x = 0; x < full_x; x += n)                                                    \
            for (int32_t y = 0; y < full_y; y += n)                                                \
                transpose_block##SIZE(                                                             \
                    tile->dst + x * tile->dst_stride + y * (ptrdiff_t)SIZE, tile->dst_stride,      \
                    tile->src + y * tile->src_stride + x * (ptrdiff_t)SIZE, tile->src_stride);     \
        transpose_rest##SIZE(tile, full_x, 0);                                                     \
        ImgTile left = *tile;                                                                      \
        left.width = full_x;                                                                       \
        transpose_rest##SIZE(&left, 0, full_y);                                                    \
    }

DEFINE_TRANSPOSE(1, 8, 4)
DEFINE_TRANSPOSE(2, 16, 3)
DEFINE_TRANSPOSE(4, 32, 2)
DEFINE_TRANSPOSE(8, 64, 1)

#if HAVE_BYTE_SHUFFLE

enum { Z = 16 }; /* a lane of zeros: the first of the second operand below */

/* Four pieces of 12 bytes, each in the low end of a vector, side by side. */
static inline void store_four_pieces(uint8_t *dst, const U8x16 p[4])
{
    store(dst, __builtin_shufflevector(p[0], p[1], 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18,
                                       19));
    store(dst + 16, __builtin_shufflevector(p[1], p[2], 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19,
                                            20, 21, 22, 23));
    store(dst + 32, __builtin_shufflevector(p[2], p[3], 8, 9, 10, 11, 16, 17, 18, 19, 20, 21, 22,
                                            23, 24, 25, 26, 27));
}

static inline U8x16 widen3(U8x16 v)
{
    return __builtin_shufflevector(v, (U8x16){0}, 0, 1, 2, Z, 3, 4, 5, Z, 6, 7, 8, Z, 9, 10, 11, Z);
}

static inline U8x16 narrow3(U8x16 v)
{
    return __builtin_shufflevector(v, (U8x16){0}, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, Z, Z, Z,
                                   Z);
}

static inline U8x16 widen6(U8x16 v)
{
    return __builtin_shufflevector(v, (U8x16){0}, 0, 1, 2, 3, 4, 5, Z, Z, 6, 7, 8, 9, 10, 11, Z, Z);
}

static inline U8x16 narrow6(U8x16 v)
{
    return __builtin_shufflevector(v, (U8x16){0}, 0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, Z, Z, Z,
                                   Z);
}

/* 4 columns of 16 rows, through pixels widened to 4 bytes. */
static inline void transpose_block3(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src,
                                    ptrdiff_t src_stride)
{
    U8x16 piece[4][4]; /* destination row, group of four source rows */
    _Pragma("GCC unroll 4") for (int g = 0; g < 4; g++)
    {
        U8x16 a = widen3(load(src + (4 * g + 0) * src_stride));
        U8x16 b = widen3(load(src + (4 * g + 1) * src_stride));
        U8x16 c = widen3(load(src + (4 * g + 2) * src_stride));
        U8x16 d = widen3(load(src + (4 * g + 3) * src_stride));
        U8x16 ac_low = zip_low32(a, c), ac_high = zip_high32(a, c);
        U8x16 bd_low = zip_low32(b, d), bd_high = zip_high32(b, d);
        piece[0][g] = narrow3(zip_low32(ac_low, bd_low));
        piece[1][g] = narrow3(zip_high32(ac_low, bd_low));
        piece[2][g] = narrow3(zip_low32(ac_high, bd_high));
        piece[3][g] = narrow3(zip_high32(ac_high, bd_high));
    }
    _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++)
        store_four_pieces(dst + i * dst_stride, piece[i]);
}

/* 2 columns of 8 rows, through pixels widened to 8 bytes. */
static inline void transpose_block6(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src,
                                    ptrdiff_t src_stride)
{
    U8x16 piece[2][4];
    _Pragma("GCC unroll 4") for (int g = 0; g < 4; g++)
    {
        U8x16 a = widen6(load(src + (2 * g + 0) * src_stride));
        U8x16 b = widen6(load(src + (2 * g + 1) * src_stride));
        piece[0][g] = narrow6(zip_low64(a, b));
        piece[1][g] = narrow6(zip_high64(a, b));
    }
    store_four_pieces(dst, piece[0]);
    store_four_pieces(dst + dst_stride, piece[1]);
}

/* A block of COLUMNS pixels is read with 16 bytes, 4 more than it holds: REACH pixels from its left
 * edge must be readable, which the last columns of an image are not. */
#define DEFINE_TRANSPOSE_TRIPLE(SIZE, COLUMNS, ROWS, REACH)                                        \
    static void transpose##SIZE(const ImgTile *tile)                                               \
    {                                                                                              \
        int32_t x = 0, full_y = tile->height / ROWS * ROWS;                                        \
        for (; x + COLUMNS <= tile->width && x + REACH <= tile->readable; x += COLUMNS)            \
            for (int32_t y = 0; y < full_y; y += ROWS)                                             \
                transpose_block##SIZE(                                                             \
                    tile->dst + x * tile->dst_stride + y * (ptrdiff_t)SIZE, tile->dst_stride,      \
                    tile->src + y * tile->src_stride + x * (ptrdiff_t)SIZE, tile->src_stride);     \
        transpose_rest##SIZE(tile, x, 0);                                                          \
        ImgTile left = *tile;                                                                      \
        left.width = x;                                                                            \
        transpose_rest##SIZE(&left, 0, full_y);                                                    \
    }

DEFINE_TRANSPOSE_TRIPLE(3, 4, 16, 6)
DEFINE_TRANSPOSE_TRIPLE(6, 2, 8, 3)

#else

static void transpose3(const ImgTile *tile)
{
    transpose_rest3(tile, 0, 0);
}

static void transpose6(const ImgTile *tile)
{
    transpose_rest6(tile, 0, 0);
}

#endif

/* Plain loops: the compiler makes the reversing shuffles of each instruction level out of them. */
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

/* Five pixels of 3 bytes, or two of 6, fill a vector but for 1 or 4 bytes. The load starts that
 * many bytes early, the store runs that many bytes over, onto what the next one writes; so the
 * vector loop stops one pixel before the end. */
#define DEFINE_MIRROR_TRIPLE(SIZE, TYPE, PIXELS, ...)                                              \
    static void mirror##SIZE(uint8_t *restrict dst, const uint8_t *restrict src, size_t count)     \
    {                                                                                              \
        size_t i = 0;                                                                              \
        enum { spare = 16 - SIZE * PIXELS };                                                       \
        for (; HAVE_BYTE_SHUFFLE && i + PIXELS + 1 <= count; i += PIXELS) {                        \
            U8x16 v = load(src + (count - i - PIXELS) * SIZE - spare);                             \
            store(dst + i * SIZE, __builtin_shufflevector(v, v, __VA_ARGS__));                     \
        }                                                                                          \
        for (; i < count; i++)                                                                     \
            ((TYPE *)dst)[i] = ((const TYPE *)src)[count - 1 - i];                                 \
    }

DEFINE_MIRROR_TRIPLE(3, Pixel3, 5, 13, 14, 15, 10, 11, 12, 7, 8, 9, 4, 5, 6, 1, 2, 3, 0)
DEFINE_MIRROR_TRIPLE(6, Pixel6, 2, 10, 11, 12, 13, 14, 15, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3)

const ImgTurnBlocks BLOCKS_TABLE = {
    .transpose = {transpose1, transpose2, transpose3, transpose4, transpose6, transpose8},
    .mirror = {mirror1, mirror2, mirror3, mirror4, mirror6, mirror8},
};
