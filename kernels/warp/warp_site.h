/* Private: where a tile of the result lies in the source, and the source pixels that its windows
 * use. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_SITE_H
#define IMGTOOL_KERNELS_WARP_WARP_SITE_H

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

ImgWarpSite img_warp_site(const ImgWarpWork *work, const ImgWarpTile *tile);

/* Returns the number of source pixels in the box of `site`. Numbers above IMG_WARP_BOX_MOST are not
 * exact. */
int64_t img_warp_site_pixels(const ImgWarpSite *site);

/* Returns the number of source pixels that the windows of a tile use, including pixels beyond the
 * edges. Numbers above IMG_WARP_BOX_MOST are not exact. */
int64_t img_warp_tile_pixels(const ImgWarpMap *map, int32_t filter, const ImgWarpTile *tile);

/* Lifts the source pixels in the box of `site` to `to` (window/lift.h). Pixels beyond the
 * edges of the picture are as the border mode defines. */
void img_warp_lift_box(const ImgWarpWork *work, const ImgWarpSite *site, int16_t *to);

#endif
