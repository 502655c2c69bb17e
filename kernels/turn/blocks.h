/* Private to the turn family on the CPU: its inner loops, which are compiled once for each
 * instruction set. */
#ifndef IMGTOOL_KERNELS_TURN_BLOCKS_H
#define IMGTOOL_KERNELS_TURN_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Number of functions of each kind, one for each pixel size: 1, 2, 3, 4, 6 and 8 bytes, in this
 * order. */
enum { IMG_PIXEL_SIZES = 6, IMG_CACHE_LINE = 64 };

/* A tile of a transpose: dst(x, y) = src(y, x) for `width` x `height` source pixels. Strides are in
 * bytes and may be negative. `readable` is the number of pixels of every source row that may be
 * read, from the left edge of the tile on. It is at least `width`; it is larger if the row
 * continues after the tile. */
typedef struct ImgTile {
    const uint8_t *src;
    uint8_t *dst;
    ptrdiff_t src_stride, dst_stride;
    int32_t width, height;
    int64_t readable;
    /* The following tile, of the same width and stride, which will be prefetched. It has
     * `next_rows` rows; 0 means that there is none. */
    const uint8_t *next;
    int32_t next_rows;
    /* true: use non-temporal stores; then dst and dst_stride must be multiples of IMG_CACHE_LINE */
    bool streamed;
} ImgTile;

typedef struct ImgTurnBlocks {
    void (*transpose[IMG_PIXEL_SIZES])(const ImgTile *tile);
    /* Mirrors a run of pixels: dst[i] = src[count - 1 - i]. It accesses nothing outside the two
     * runs. */
    void (*mirror[IMG_PIXEL_SIZES])(uint8_t *dst, const uint8_t *src, size_t count);
} ImgTurnBlocks;

extern const ImgTurnBlocks img_turn_blocks_portable;
extern const ImgTurnBlocks img_turn_blocks_avx2;
extern const ImgTurnBlocks img_turn_blocks_avx512;

#endif
