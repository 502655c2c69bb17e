/* Private: computes a tile of the result on the CPU. The source pixels that its windows use are
 * lifted once (window/lift.h). They include pixels beyond the edges, as the border mode
 * defines them, so that filters need not check positions. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_TILE_H
#define IMGTOOL_KERNELS_WARP_WARP_TILE_H

#include "kernels/warp/warp_rows.h"

enum {
    IMG_WARP_TILE = 128,         /* largest side of a tile, in pixels of the result */
    IMG_WARP_BOX_MOST = 1 << 16, /* largest number of source pixels that a tile may use */
};

typedef struct ImgWarpWork {
    const ImgCall *call;
    const ImgWarp *warp;
    const ImgWarpMap *map;
    const ImgWarpRows *rows;
} ImgWarpWork;

typedef struct ImgWarpTile {
    int32_t x, y, width, height;
} ImgWarpTile;

/* A rectangle of source pixels. `right` and `bottom` are its last column and its last row. */
typedef struct ImgWarpBox {
    int64_t left, top, right, bottom;
} ImgWarpBox;

typedef struct ImgWarpSite {
    ImgWarpTile tile;
    ImgWarpBox box; /* source pixels that the windows of the tile use */
    size_t pitch;   /* samples per row of the box, with 4 samples per pixel */
    bool is_shown;  /* true: a part of the tile shows the picture; false: it is only background */
    bool is_inside; /* true: no part of the tile shows the background */
} ImgWarpSite;

/* Returns the number of source pixels that the windows of a tile use, including pixels beyond the
 * edges. Numbers above IMG_WARP_BOX_MOST are not exact. */
int64_t img_warp_tile_pixels(const ImgWarpMap *map, int32_t filter, const ImgWarpTile *tile);

/* Memory that a thread needs to compute tiles. */
typedef struct ImgWarpScratch {
    int16_t *box; /* source pixels of a tile, lifted (window/lift.h) */
    int16_t *row; /* pixels of a row of the result, lifted (window/lift.h) */
    /* for each sample of a row of the result: sum over the positions of its pixel */
    uint64_t *sums;
    ImgWarpPoint *points;
    int32_t *covers;
} ImgWarpScratch;

/* Returns the number of bytes that img_warp_scratch_start allocates. */
size_t img_warp_scratch_bytes(void);

/* Allocates the memory of `own`; release it with img_warp_scratch_end. Returns false when memory is
 * short; then there is nothing to release. */
bool img_warp_scratch_start(ImgWarpScratch *own);
void img_warp_scratch_end(ImgWarpScratch *own);

/* Computes a tile with any filter except IMG_WARP_NEAREST. Returns false and does nothing if the
 * tile uses more than IMG_WARP_BOX_MOST source pixels. */
bool img_warp_make_tile(const ImgWarpWork *work, const ImgWarpTile *tile, ImgWarpScratch *own);

/* Computes a tile with IMG_WARP_NEAREST: copies the nearest source pixels (warp_nearest.c). The
 * tile must be at most IMG_WARP_TILE pixels wide. */
void img_warp_make_nearest(const ImgWarpWork *work, const ImgWarpTile *tile);

#endif
