/* The inner loops of the turn family on the CPU, compiled once for each instruction set. */
#ifndef IMGTOOL_KERNELS_TURN_BLOCKS_H
#define IMGTOOL_KERNELS_TURN_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Functions for pixels of 1, 2, 3, 4, 6 and 8 bytes, in this order. */
enum { IMG_PIXEL_SIZES = 6, IMG_CACHE_LINE = 64 };

/* A tile of a transpose: dst(x, y) = src(y, x) for `width` x `height` source pixels. Strides are in
 * bytes and may be negative. `readable` pixels of every source row may be read, counted from the
 * left edge of the tile. That is at least `width`, and more if the tile is not the last of the
 * row. */
typedef struct ImgTile {
    const uint8_t *src;
    uint8_t *dst;
    ptrdiff_t src_stride, dst_stride;
    int32_t width, height;
    int64_t readable;
    /* The tile that follows, of the same width and stride, which will be prefetched; 0 rows if
     * there is none. */
    const uint8_t *next;
    int32_t next_rows;
    /* Use non-temporal stores. In this case dst and dst_stride must be multiples of
     * IMG_CACHE_LINE. */
    bool streamed;
} ImgTile;

typedef struct ImgTurnBlocks {
    void (*transpose[IMG_PIXEL_SIZES])(const ImgTile *tile);
    /* Mirrors a run of pixels: dst[i] = src[count - 1 - i]. Accesses nothing outside the two
     * runs. */
    void (*mirror[IMG_PIXEL_SIZES])(uint8_t *dst, const uint8_t *src, size_t count);
} ImgTurnBlocks;

extern const ImgTurnBlocks img_turn_blocks_portable;
extern const ImgTurnBlocks img_turn_blocks_neon;
extern const ImgTurnBlocks img_turn_blocks_avx2;
extern const ImgTurnBlocks img_turn_blocks_avx512;

#endif
