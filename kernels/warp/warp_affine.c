/* See warp_affine.h. */
#include "kernels/warp/warp_affine.h"

__extension__ typedef __int128 Wide;

enum { SHRINK_MOST = 1024 };

static Wide magnitude(Wide value)
{
    return value < 0 ? -value : value;
}

/* value * 2^30 / by, to the nearest, away from 0 where there are two. */
static Wide places(Wide value, Wide by)
{
    const Wide doubled = 2 * magnitude(value) * IMG_WARP_ONE, divisor = magnitude(by);
    const Wide result = (doubled + divisor) / (2 * divisor);
    return (value < 0) != (by < 0) ? -result : result;
}

/* The least grid whose places are at most 17/16 of a pixel apart: its side along (x, y). */
static int32_t grid_side(Wide x, Wide y)
{
    const Wide square = 256 * (x * x + y * y);
    int32_t side = 1;
    while (side <= SHRINK_MOST &&
           (Wide)(16 * side + 1) * (16 * side + 1) * IMG_WARP_ONE * IMG_WARP_ONE < square)
        side++;
    return side;
}

static bool is_far(Wide first, Wide across, Wide down, ImgShape dst)
{
    const Wide most = (Wide)IMG_WARP_ONE * IMG_WARP_ONE;
    return magnitude(first) + magnitude(across) * dst.width + magnitude(down) * dst.height >= most;
}

/* Of the first place of a grid in a pixel: half a step of it, from the middle of a pixel. */
static int64_t start(Wide first, int64_t sub_across, int64_t sub_down)
{
    return (int64_t)first + (sub_across + sub_down) / 2 - IMG_WARP_ONE / 2;
}

static bool is_whole(int64_t place)
{
    return place % IMG_WARP_ONE == 0;
}

static bool are_whole(const ImgWarpMap *map)
{
    return map->grid_width == 1 && map->grid_height == 1 && is_whole(map->first.x) &&
           is_whole(map->first.y) && is_whole(map->across.x) && is_whole(map->across.y) &&
           is_whole(map->down.x) && is_whole(map->down.y);
}

ImgStatus img_warp_affine(const int64_t m[6], ImgWarpFilter filter, ImgShape dst, ImgWarpMap *map,
                          ImgError *err)
{
    const Wide million = 1000000;
    const Wide determinant = (Wide)m[0] * m[4] - (Wide)m[1] * m[3];
    if (determinant == 0)
        return img_fail(err, IMG_E_USAGE,
                        "affine: the matrix brings the picture to a line or a point; its first two "
                        "columns must not be multiples of each other");
    const ImgWarpPlace none = {0, 0};
    const Wide across_x = places(m[4] * million, determinant);
    const Wide across_y = places(-m[3] * million, determinant);
    const Wide down_x = places(-m[1] * million, determinant);
    const Wide down_y = places(m[0] * million, determinant);
    const Wide x = places((Wide)m[1] * m[5] - (Wide)m[2] * m[4], determinant);
    const Wide y = places((Wide)m[2] * m[3] - (Wide)m[0] * m[5], determinant);
    if (is_far(x, across_x, down_x, dst) || is_far(y, across_y, down_y, dst))
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "affine: parts of the result would lie 2^30 pixels or more beside the "
                        "picture; use a smaller size or offset");
    const bool is_one = filter == IMG_WARP_NEAREST;
    const int32_t width = is_one ? 1 : grid_side(across_x, across_y);
    const int32_t height = is_one ? 1 : grid_side(down_x, down_y);
    if (width > SHRINK_MOST || height > SHRINK_MOST)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "affine: the matrix shrinks by more than %d; resize the picture before",
                        (int)SHRINK_MOST);
    *map = (ImgWarpMap){.first = none,
                        .across = {(int64_t)across_x, (int64_t)across_y},
                        .down = {(int64_t)down_x, (int64_t)down_y},
                        .grid_width = width,
                        .grid_height = height};
    map->sub_across = (ImgWarpPlace){map->across.x / width, map->across.y / width};
    map->sub_down = (ImgWarpPlace){map->down.x / height, map->down.y / height};
    map->first = (ImgWarpPlace){start(x, map->sub_across.x, map->sub_down.x),
                                start(y, map->sub_across.y, map->sub_down.y)};
    map->is_whole = are_whole(map);
    return IMG_OK;
}
