/* Converts a matrix to a map from result pixels to source positions (warp_maps.h). */
#include "kernels/warp/warp_maps.h"

__extension__ typedef __int128 Wide;

static Wide magnitude(Wide value)
{
    return value < 0 ? -value : value;
}

/* Returns value / by in units of positions (2^-30), rounded to nearest, ties away from 0. */
static Wide places(Wide value, Wide by)
{
    const Wide doubled = 2 * magnitude(value) * IMG_WARP_ONE, divisor = magnitude(by);
    const Wide result = (doubled + divisor) / (2 * divisor);
    return (value < 0) != (by < 0) ? -result : result;
}

int32_t img_warp_grid_side(int64_t x, int64_t y)
{
    const int64_t far = INT64_C(1) << 42;
    if (magnitude(x) > far || magnitude(y) > far)
        return IMG_WARP_SHRINK_MOST + 1;
    const Wide square = 256 * ((Wide)x * x + (Wide)y * y);
    int32_t side = 1;
    while (side <= IMG_WARP_SHRINK_MOST &&
           (Wide)(16 * side + 1) * (16 * side + 1) * IMG_WARP_ONE * IMG_WARP_ONE < square)
        side++;
    return side;
}

static bool is_far(Wide first, Wide across, Wide down, ImgShape dst)
{
    const Wide most = (Wide)IMG_WARP_ONE * IMG_WARP_ONE;
    return magnitude(first) + magnitude(across) * dst.width + magnitude(down) * dst.height >= most;
}

/* Returns the coordinate of the first position of a pixel's grid, half a step of the grid from the
 * edges of the pixel. `first` is the coordinate of the pixel's corner and counts from the edge of
 * the source. The result counts from the centre of the first source pixel. */
static int64_t start(int64_t first, int64_t sub_across, int64_t sub_down)
{
    return first + (sub_across + sub_down) / 2 - IMG_WARP_ONE / 2;
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

bool img_warp_steps(ImgWarpPlace corner, ImgWarpPlace across, ImgWarpPlace down,
                    ImgWarpFilter filter, ImgWarpMap *map)
{
    const bool is_one = filter == IMG_WARP_NEAREST;
    const int32_t width = is_one ? 1 : img_warp_grid_side(across.x, across.y);
    const int32_t height = is_one ? 1 : img_warp_grid_side(down.x, down.y);
    *map = (ImgWarpMap){.across = across, .down = down, .grid_width = width, .grid_height = height};
    map->sub_across = (ImgWarpPlace){across.x / width, across.y / width};
    map->sub_down = (ImgWarpPlace){down.x / height, down.y / height};
    map->first = (ImgWarpPlace){start(corner.x, map->sub_across.x, map->sub_down.x),
                                start(corner.y, map->sub_across.y, map->sub_down.y)};
    map->is_whole = are_whole(map);
    return width <= IMG_WARP_SHRINK_MOST && height <= IMG_WARP_SHRINK_MOST;
}

ImgStatus img_warp_affine(const int64_t m[6], ImgWarpFilter filter, ImgShape dst, ImgWarpMap *map,
                          ImgError *err)
{
    const Wide million = 1000000;
    const Wide determinant = (Wide)m[0] * m[4] - (Wide)m[1] * m[3];
    if (determinant == 0)
        return img_fail(err, IMG_E_USAGE,
                        "affine: the matrix maps the picture to a line or a point; use first two "
                        "columns that are not multiples of each other");
    const Wide across_x = places(m[4] * million, determinant);
    const Wide across_y = places(-m[3] * million, determinant);
    const Wide down_x = places(-m[1] * million, determinant);
    const Wide down_y = places(m[0] * million, determinant);
    const Wide x = places((Wide)m[1] * m[5] - (Wide)m[2] * m[4], determinant);
    const Wide y = places((Wide)m[2] * m[3] - (Wide)m[0] * m[5], determinant);
    if (is_far(x, across_x, down_x, dst) || is_far(y, across_y, down_y, dst))
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "affine: parts of the result lie 2^30 pixels or more outside the picture; "
                        "use a smaller size or offset");
    if (!img_warp_steps((ImgWarpPlace){(int64_t)x, (int64_t)y},
                        (ImgWarpPlace){(int64_t)across_x, (int64_t)across_y},
                        (ImgWarpPlace){(int64_t)down_x, (int64_t)down_y}, filter, map))
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "affine: the matrix shrinks by more than %d; resize the picture first",
                        (int)IMG_WARP_SHRINK_MOST);
    return IMG_OK;
}
