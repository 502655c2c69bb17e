/* Private: where a tile of the result lies in the source, and what its windows reach there. */
#ifndef IMGTOOL_KERNELS_WARP_CPU_WARP_SITE_H
#define IMGTOOL_KERNELS_WARP_CPU_WARP_SITE_H

#include "kernels/warp/cpu/warp_rows.h"

enum {
    IMG_WARP_TILE = 128,         /* pixels of a side, at most */
    IMG_WARP_BOX_MOST = 1 << 16, /* pixels of the source that a tile may reach */
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

/* A rectangle of the source, its last column and row included. */
typedef struct ImgWarpBox {
    int64_t left, top, right, bottom;
} ImgWarpBox;

typedef struct ImgWarpSite {
    ImgWarpTile tile;
    ImgWarpBox box; /* in pixels, with what windows reach */
    size_t pitch;   /* of the lifted box, in samples */
    bool is_shown;  /* not all of it is the background */
    bool is_inside; /* nowhere is the background */
} ImgWarpSite;

ImgWarpSite img_warp_site(const ImgWarpWork *work, const ImgWarpTile *tile);

/* Pixels of the box; where they are more than IMG_WARP_BOX_MOST, some such number. */
int64_t img_warp_site_pixels(const ImgWarpSite *site);

/* The same, of all that the windows of a tile reach by a filter, be it the background. */
int64_t img_warp_tile_pixels(const ImgWarpMap *map, int32_t filter, const ImgWarpTile *tile);

/* The box as lifted pixels, edges continued. */
void img_warp_lift_box(const ImgWarpWork *work, const ImgWarpSite *site, int16_t *to);

#endif
