/* Computes the number of positions that a result needs, and checks its limit (warp.h). */
#include "kernels/warp/warp.h"

__extension__ typedef __int128 Wide;

static Wide magnitude(Wide value)
{
    return value < 0 ? -value : value;
}

static Wide pixels_of(ImgShape shape)
{
    return (Wide)shape.width * shape.height;
}

/* Returns the number of result pixels that the picture touches. It is the area of the picture,
 * enlarged by the extent of one result pixel, divided by the area of a result pixel in the
 * source. */
static Wide touched(const ImgWarpMap *map, ImgShape src, ImgShape dst)
{
    const ImgWarpPlace across = map->across, down = map->down;
    const Wide area = magnitude((Wide)across.x * down.y - (Wide)across.y * down.x);
    const Wide width = src.width * IMG_WARP_ONE + magnitude(across.x) + magnitude(down.x);
    const Wide height = src.height * IMG_WARP_ONE + magnitude(across.y) + magnitude(down.y);
    if (area == 0)
        return pixels_of(dst);
    const Wide count = width * height / area + 1;
    return count < pixels_of(dst) ? count : pixels_of(dst);
}

/* Returns true if img_warp_places counts only the result pixels that the picture touches. In
 * perspective it counts all result pixels: the corners are seldom far outside the picture, so few
 * result pixels are only background. */
static bool is_beside(const ImgWarpMap *map, int32_t border)
{
    return border == IMG_BORDER_CONSTANT && !map->is_projective;
}

static Wide places_of(const ImgWarpMap *map, int32_t border, ImgShape src, ImgShape dst)
{
    const Wide grid = (Wide)map->grid_width * map->grid_height;
    return grid * (grid > 1 && is_beside(map, border) ? touched(map, src, dst) : pixels_of(dst));
}

double img_warp_places(const ImgWarpMap *map, int32_t border, ImgShape src, ImgShape dst)
{
    return (double)places_of(map, border, src, dst);
}

ImgStatus img_warp_check_places(const char *op, const ImgWarpMap *map, int32_t border, ImgShape src,
                                ImgShape dst, ImgError *err)
{
    const int32_t most = is_beside(map, border) ? IMG_WARP_PLACES_BESIDE : IMG_WARP_PLACES_MOST;
    if (places_of(map, border, src, dst) <=
        most * (pixels_of(src) + pixels_of(dst)) + IMG_WARP_PLACES_LEAST)
        return IMG_OK;
    return img_fail(err, IMG_E_UNSUPPORTED,
                    "%s: each pixel of the result needs %d x %d samples, in total more than %d per "
                    "pixel of picture and result; %s",
                    op, map->grid_width, map->grid_height, most,
                    map->is_projective ? "use corners that are further apart or a larger size"
                                       : "resize the picture first");
}
