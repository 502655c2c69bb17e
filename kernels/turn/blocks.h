/* The inner loops of the turn family on the CPU, one set per instruction set. */
#ifndef IMGTOOL_KERNELS_TURN_BLOCKS_H
#define IMGTOOL_KERNELS_TURN_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pixel sizes 1, 2, 3, 4, 6 and 8 in this order. */
enum { IMG_PIXEL_SIZES = 6, IMG_CACHE_LINE = 64 };

/* A tile of a transpose: dst(x, y) = src(y, x) for `width` x `height` source pixels. Strides are
 * bytes and may be negative. `readable` pixels of every source row, counted from the tile's left
 * edge, may be read; it is at least `width`, and more where the tile is not the last of the row. */
typedef struct ImgTile {
    const uint8_t *src;
    uint8_t *dst;
    ptrdiff_t src_stride, dst_stride;
    int32_t width, height;
    int64_t readable;
    /* The tile that follows, as wide and with the same stride: worth fetching. 0 rows if none. */
    const uint8_t *next;
    int32_t next_rows;
    /* Past the caches; dst and dst_stride are then multiples of IMG_CACHE_LINE. */
    bool streamed;
} ImgTile;

typedef struct ImgTurnBlocks {
    void (*transpose[IMG_PIXEL_SIZES])(const ImgTile *tile);
    /* dst[i] = src[count - 1 - i], in pixels; touches nothing outside the two runs. */
    void (*mirror[IMG_PIXEL_SIZES])(uint8_t *dst, const uint8_t *src, size_t count);
} ImgTurnBlocks;

extern const ImgTurnBlocks img_turn_blocks_portable;
extern const ImgTurnBlocks img_turn_blocks_neon;
extern const ImgTurnBlocks img_turn_blocks_avx2;
extern const ImgTurnBlocks img_turn_blocks_avx512;

#endif
