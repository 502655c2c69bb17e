/* Private: position of a tile of the result in the source, and the pixels that its windows use. */
#ifndef IMGTOOL_KERNELS_WARP_CPU_WARP_SITE_H
#define IMGTOOL_KERNELS_WARP_CPU_WARP_SITE_H

#include "kernels/warp/cpu/warp_rows.h"

enum {
    IMG_WARP_TILE = 128,         /* largest side in pixels */
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

/* A rectangle of the source, including its last column and row. */
typedef struct ImgWarpBox {
    int64_t left, top, right, bottom;
} ImgWarpBox;

typedef struct ImgWarpSite {
    ImgWarpTile tile;
    ImgWarpBox box; /* in pixels, including the reach of windows */
    size_t pitch;   /* samples per row of the lifted box */
    bool is_shown;  /* not all of it is background */
    bool is_inside; /* none of it is background */
} ImgWarpSite;

ImgWarpSite img_warp_site(const ImgWarpWork *work, const ImgWarpTile *tile);

/* Returns the pixels of the box. If they exceed IMG_WARP_BOX_MOST, it returns any number above
 * that. */
int64_t img_warp_site_pixels(const ImgWarpSite *site);

/* The same, for all pixels that the windows of a tile use with a filter, including background. */
int64_t img_warp_tile_pixels(const ImgWarpMap *map, int32_t filter, const ImgWarpTile *tile);

/* Lifts the pixels of the box, with edges continued. */
void img_warp_lift_box(const ImgWarpWork *work, const ImgWarpSite *site, int16_t *to);

#endif
