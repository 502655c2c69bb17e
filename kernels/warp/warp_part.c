/* Parts of warps: tiles of the result, and the rectangles of the source that they show (warp.h). */
#include "kernels/warp/warp.h"

ImgShape img_warp_whole(ImgShape src, const ImgWarpPart *part)
{
    if (part->width > 0) {
        src.width = part->width;
        src.height = part->height;
    }
    return src;
}

void img_warp_cut(const ImgWarpPart *part, ImgShape *dst)
{
    if (part->width > 0) {
        dst->width = part->dst.width;
        dst->height = part->dst.height;
    }
}

static void move_slope(ImgWarpSlope *slope, int64_t column, int64_t row)
{
    slope->first = img_warp_slope(slope, column, row);
}

void img_warp_move(const ImgWarpPart *part, ImgWarpMap *map)
{
    const ImgWarpPlace first = {map->first.x + part->dst.x * map->across.x +
                                    part->dst.y * map->down.x - part->x * IMG_WARP_ONE,
                                map->first.y + part->dst.x * map->across.y +
                                    part->dst.y * map->down.y - part->y * IMG_WARP_ONE};
    const int64_t column = (int64_t)part->dst.x * map->grid_width;
    const int64_t row = (int64_t)part->dst.y * map->grid_height;
    if (!map->is_projective) {
        map->first = first;
        return;
    }
    move_slope(&map->projection.x, column, row);
    move_slope(&map->projection.y, column, row);
    move_slope(&map->projection.w, column, row);
}

/* A range of numbers, both ends included. */
typedef struct Range {
    int64_t low, high;
} Range;

static void include(Range *range, int64_t place)
{
    range->low = place < range->low ? place : range->low;
    range->high = place > range->high ? place : range->high;
}

/* Finds the smallest and largest coordinates of the positions of a rectangle of the result. They
 * are among its corners, because lines remain lines. */
static void find_ranges(const ImgWarpMap *map, ImgRect wanted, Range *across, Range *down)
{
    *across = *down = (Range){INT64_MAX, INT64_MIN};
    for (int32_t corner = 0; corner < 4; corner++) {
        const bool right = (corner & 1) != 0, lower = (corner & 2) != 0;
        const ImgWarpPlace place =
            img_warp_place(map, right ? wanted.x + wanted.width - 1 : wanted.x,
                           lower ? wanted.y + wanted.height - 1 : wanted.y,
                           right ? map->grid_width - 1 : 0, lower ? map->grid_height - 1 : 0);
        include(across, place.x);
        include(down, place.y);
    }
}

static int32_t clamp(int64_t place, int32_t size)
{
    return place < 0 ? 0 : place < size ? (int32_t)place : size - 1;
}

/* Converts positions along an axis to the first source sample that they need and the number of
 * samples. Windows reach at most 4 samples beyond the two samples next to a position. One more
 * sample is added on each side, because positions are rounded. `size` is the number of samples of
 * the source. If `moves` is false, as in perspective, the first sample is always 0. */
static void find_samples(Range places, int32_t size, int32_t border, bool moves, int32_t *first,
                         int32_t *count)
{
    enum { REACH = 5 };
    const int64_t low = (places.low >> IMG_WARP_PLACES) - REACH;
    const int64_t high = (places.high >> IMG_WARP_PLACES) + 1 + REACH;
    const bool repeats = border == IMG_BORDER_WRAP || border == IMG_BORDER_REFLECT;
    const bool all = repeats && (low < 0 || high >= size);
    *first = all || !moves ? 0 : clamp(low, size);
    *count = all ? size : clamp(high, size) + 1 - *first;
}

void img_warp_part(ImgShape src, const ImgWarpMap *map, int32_t border, ImgRect wanted,
                   ImgPart *part, ImgWarpPart *own)
{
    Range across, down;
    ImgRect *rect = &part->src;
    find_ranges(map, wanted, &across, &down);
    find_samples(across, src.width, border, !map->is_projective, &rect->x, &rect->width);
    find_samples(down, src.height, border, !map->is_projective, &rect->y, &rect->height);
    part->skip = 0;
    *own = (ImgWarpPart){src.width, src.height, rect->x, rect->y, wanted};
}

/* --- Positions that a result needs ------------------------------------------------------------ */

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
