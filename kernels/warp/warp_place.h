/* Private: where pixels of the result lie in the source, the same on CPU and GPU. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_PLACE_H
#define IMGTOOL_KERNELS_WARP_WARP_PLACE_H

#include <stdint.h>

#include "kernels/core/cuda/host_device.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    IMG_WARP_PLACES = 30, /* bits of a fraction of a place */
    IMG_WARP_PHASE_PLACES = 10,
    IMG_WARP_PHASES = 1 << IMG_WARP_PHASE_PLACES,
};

#define IMG_WARP_ONE ((int64_t)1 << IMG_WARP_PLACES)

typedef struct ImgWarpPlace {
    int64_t x, y;
} ImgWarpPlace;

/* A number that changes along rows and columns: from one place of the grid to the next. */
typedef struct ImgWarpSlope {
    int64_t first, across, down;
} ImgWarpSlope;

/* By perspective a place is (x / w, y / w) times `unit`, a power of two. All are less than 2^52, so
 * that double precision has them exactly, and w is above 0. */
typedef struct ImgWarpProjection {
    ImgWarpSlope x, y, w;
    double unit;
} ImgWarpProjection;

/* Where pixels of the result lie in the source. Of each, a grid of places is averaged where the
 * picture shrinks. */
typedef struct ImgWarpMap {
    ImgWarpPlace first;                /* of the first place of the first pixel */
    ImgWarpPlace across, down;         /* from a pixel to the next */
    ImgWarpPlace sub_across, sub_down; /* from a place to the next */
    int32_t grid_width, grid_height;   /* places of a pixel */
    int32_t is_whole;                  /* every place is a pixel's centre */
    int32_t is_projective;             /* places are those of `projection` instead */
    ImgWarpProjection projection;
} ImgWarpMap;

IMG_HOST_DEVICE int64_t img_warp_slope(const ImgWarpSlope *slope, int64_t column, int64_t row)
{
    return slope->first + column * slope->across + row * slope->down;
}

/* A place below 2^51 as double precision has it, a whole number: adding and subtracting 3 * 2^51
 * rounds to one. These and the division round as IEEE 754 demands, the same on every processor; the
 * product is exact, so that nothing depends on how instructions are put together. */
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

/* Rounded to phases. */
IMG_HOST_DEVICE int64_t img_warp_phases(int64_t place)
{
    const int32_t drop = IMG_WARP_PLACES - IMG_WARP_PHASE_PLACES;
    return (place + ((int64_t)1 << (drop - 1))) >> drop;
}

#ifdef __cplusplus
}
#endif
#endif
