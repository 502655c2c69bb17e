/* Private: position of a tile of the result in the source, and the source pixels that its windows
 * use. */
#ifndef IMGTOOL_KERNELS_WARP_CPU_WARP_SITE_H
#define IMGTOOL_KERNELS_WARP_CPU_WARP_SITE_H

#include "kernels/warp/cpu/warp_rows.h"

enum {
    IMG_WARP_TILE = 128,         /* largest side of a tile, in pixels */
    IMG_WARP_BOX_MOST = 1 << 16, /* most source pixels that a tile may use */
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

/* A rectangle of the source. `right` and `bottom` are its last column and row. */
typedef struct ImgWarpBox {
    int64_t left, top, right, bottom;
} ImgWarpBox;

typedef struct ImgWarpSite {
    ImgWarpTile tile;
    ImgWarpBox box; /* source pixels that the tile uses, including its windows */
    size_t pitch;   /* samples per row of the lifted box */
    bool is_shown;  /* true: some of the tile shows the picture, not only background */
    bool is_inside; /* true: no part of the tile is background */
} ImgWarpSite;

ImgWarpSite img_warp_site(const ImgWarpWork *work, const ImgWarpTile *tile);

/* Returns the number of pixels of the site's box. Any result above IMG_WARP_BOX_MOST means only
 * that there are more. */
int64_t img_warp_site_pixels(const ImgWarpSite *site);

/* Returns the number of source pixels that the windows of a tile use, including background, in the
 * same way. */
int64_t img_warp_tile_pixels(const ImgWarpMap *map, int32_t filter, const ImgWarpTile *tile);

/* Lifts the pixels of the site's box to `to`. Pixels beyond the edges of the picture are as the
 * border defines. */
void img_warp_lift_box(const ImgWarpWork *work, const ImgWarpSite *site, int16_t *to);

#endif
