/* Private: positions of result pixels in the source, computed in the same way on CPU and GPU. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_PLACE_H
#define IMGTOOL_KERNELS_WARP_WARP_PLACE_H

#include <stdint.h>

#include "kernels/core/cuda/host_device.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    IMG_WARP_PLACES = 30, /* number of fractional bits of a position */
    IMG_WARP_PHASE_PLACES = 10,
    IMG_WARP_PHASES = 1 << IMG_WARP_PHASE_PLACES,
};

#define IMG_WARP_ONE ((int64_t)1 << IMG_WARP_PLACES)

typedef struct ImgWarpPlace {
    int64_t x, y;
} ImgWarpPlace;

/* A number that is linear along rows and columns: its first value, and its steps from one position
 * to the next along a row and along a column. */
typedef struct ImgWarpSlope {
    int64_t first, across, down;
} ImgWarpSlope;

/* The map in perspective. A position is (x / w, y / w) times `unit`, which is a power of two. All
 * numbers are less than 2^52, so that doubles hold them exactly, and w is positive. */
typedef struct ImgWarpProjection {
    ImgWarpSlope x, y, w;
    double unit;
} ImgWarpProjection;

/* Positions of result pixels in the source. If the picture shrinks, a pixel is the average of a
 * grid of positions. */
typedef struct ImgWarpMap {
    ImgWarpPlace first; /* first position of the first pixel of the result */
    /* steps from a pixel to the next pixel in its row, and to the next pixel in its column */
    ImgWarpPlace across, down;
    /* steps from a position of a pixel's grid to the next position in its row, and in its column */
    ImgWarpPlace sub_across, sub_down;
    int32_t grid_width, grid_height; /* columns and rows of positions per pixel */
    int32_t is_whole;                /* not 0: every position is the centre of a source pixel */
    int32_t is_projective; /* not 0: positions come from `projection` instead of the steps */
    ImgWarpProjection projection;
} ImgWarpMap;

IMG_HOST_DEVICE int64_t img_warp_slope(const ImgWarpSlope *slope, int64_t column, int64_t row)
{
    return slope->first + column * slope->across + row * slope->down;
}

/* Returns value / w * unit, a position below 2^51, computed in double precision. Adding and
 * subtracting 3 * 2^51 rounds it to an integer. IEEE 754 defines the rounding of these operations
 * and of the division, so the result is the same on every processor. The product is exact, so the
 * compiler may fuse it with the addition. */
IMG_HOST_DEVICE double img_warp_quotient(double value, double w, double unit)
{
    const double whole = 6755399441055744.0; /* 3 * 2^51 */
    return value / w * unit + whole - whole;
}

IMG_HOST_DEVICE ImgWarpPlace img_warp_project(const ImgWarpProjection *projection, int64_t column,
                                              int64_t row)
{
    const double w = (double)img_warp_slope(&projection->w, column, row);
    const double x = (double)img_warp_slope(&projection->x, column, row);
    const double y = (double)img_warp_slope(&projection->y, column, row);
    ImgWarpPlace place;
    place.x = (int64_t)img_warp_quotient(x, w, projection->unit);
    place.y = (int64_t)img_warp_quotient(y, w, projection->unit);
    return place;
}

IMG_HOST_DEVICE ImgWarpPlace img_warp_place(const ImgWarpMap *map, int32_t x, int32_t y,
                                            int32_t grid_x, int32_t grid_y)
{
    ImgWarpPlace place;
    if (map->is_projective)
        return img_warp_project(&map->projection, (int64_t)x * map->grid_width + grid_x,
                                (int64_t)y * map->grid_height + grid_y);
    place.x = map->first.x + x * map->across.x + y * map->down.x + grid_x * map->sub_across.x +
              grid_y * map->sub_down.x;
    place.y = map->first.y + x * map->across.y + y * map->down.y + grid_x * map->sub_across.y +
              grid_y * map->sub_down.y;
    return place;
}

/* Returns a position rounded to phases (1/1024 of a pixel). */
IMG_HOST_DEVICE int64_t img_warp_phases(int64_t place)
{
    const int32_t drop = IMG_WARP_PLACES - IMG_WARP_PHASE_PLACES;
    return (place + ((int64_t)1 << (drop - 1))) >> drop;
}

#ifdef __cplusplus
}
#endif
#endif
