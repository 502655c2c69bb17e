/* Computes the size of the result, the part of the scaled picture that is kept, and the margins
 * around it. */
#include "kernels/core/geometry/gravity.h"
#include "kernels/resize/resize.h"

typedef struct Size {
    int64_t width, height;
} Size;

/* Returns side * numerator / denominator, rounded to nearest, ties up, and at least 1. All
 * arguments are below 2^31. */
static int64_t scaled(int64_t side, int64_t numerator, int64_t denominator)
{
    const int64_t result = (side * numerator + denominator / 2) / denominator;
    return result > 0 ? result : 1;
}

/* Returns the size of the scaled picture in pixels. It has the aspect ratio of the source, except
 * with `--fit fill`. */
static Size fitted(const ImgResizeParams *params, Size src)
{
    const int64_t width = params->size.width, height = params->size.height;
    const bool larger = params->fit == IMG_FIT_COVER || params->fit == IMG_FIT_OUTSIDE;
    if (params->size.share > 0)
        return (Size){scaled(src.width, params->size.share, 100000),
                      scaled(src.height, params->size.share, 100000)};
    if (width > 0 && height > 0 && params->fit == IMG_FIT_FILL)
        return (Size){width, height};
    const bool width_decides =
        height == 0 || (width > 0 && (width * src.height <= height * src.width) != larger);
    return width_decides ? (Size){width, scaled(src.height, width, src.width)}
                         : (Size){scaled(src.width, height, src.height), height};
}

static bool is_wanted(int32_t only, int64_t before, int64_t after)
{
    return only == IMG_ONLY_ANY || (only == IMG_ONLY_SHRINK ? after <= before : after >= before);
}

/* Returns `wanted`, or the size of the source where the option `only` forbids the change. The
 * option applies to both sides together; with `--fit fill` it applies to each side. */
static Size limited(const ImgResizeParams *params, Size src, Size wanted)
{
    const bool width = is_wanted(params->only, src.width, wanted.width);
    const bool height = is_wanted(params->only, src.height, wanted.height);
    if (params->fit == IMG_FIT_FILL)
        return (Size){width ? wanted.width : src.width, height ? wanted.height : src.height};
    return width && height ? wanted : src;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Returns the geometry along one axis. `corner` is the position of the first pixel of the scaled
 * picture in the result. If `corner` is negative, the pixels at negative positions are cut off. */
static ImgResizeSpan span_of(int64_t src, int64_t full, int64_t side, int32_t corner)
{
    const int32_t skip = corner < 0 ? -corner : 0;
    return (ImgResizeSpan){(int32_t)src, (int32_t)full, skip, (int32_t)smaller(full, side),
                           corner > 0 ? corner : 0};
}

/* Rounds the number of scaled rows, `full`, down. Estimates of memory multiply by src / full; with
 * a quotient that is too small they would be too low. */
ImgResizeSpan img_resize_part_span(ImgResizeSpan down, const ImgResizeRange *part, int32_t height)
{
    const int32_t full = (int32_t)((int64_t)down.full * height / down.src);
    return (ImgResizeSpan){height, full > 0 ? full : 1, down.skip + part->first, part->count,
                           part->above};
}

bool img_resize_geometry(const ImgResizeParams *params, int32_t width, int32_t height,
                         ImgResizeGeometry *geometry)
{
    const ImgResizeRange *part = &params->part;
    if (!img_resize_whole_geometry(params, width, height, geometry))
        return false;
    if (part->height > 0) {
        geometry->down = img_resize_part_span(geometry->down, part, height);
        geometry->height = part->above + part->count + part->below;
    }
    return true;
}

bool img_resize_whole_geometry(const ImgResizeParams *params, int32_t width, int32_t height,
                               ImgResizeGeometry *geometry)
{
    height = params->part.height > 0 ? params->part.height : height;
    const Size src = {width, height};
    const Size full = limited(params, src, fitted(params, src));
    Size box = full;
    if (params->size.width > 0 && params->size.height > 0 && params->fit == IMG_FIT_COVER)
        box = (Size){smaller(params->size.width, full.width),
                     smaller(params->size.height, full.height)};
    if (params->size.width > 0 && params->size.height > 0 && params->fit == IMG_FIT_CONTAIN)
        box = (Size){larger(params->size.width, full.width),
                     larger(params->size.height, full.height)};
    if (larger(full.width, full.height) > INT32_MAX)
        return false;
    geometry->width = (int32_t)box.width;
    geometry->height = (int32_t)box.height;
    const ImgPlace place = img_gravity_place(params->gravity, geometry->width, geometry->height,
                                             (int32_t)full.width, (int32_t)full.height);
    geometry->across = span_of(src.width, full.width, box.width, place.x);
    geometry->down = span_of(src.height, full.height, box.height, place.y);
    return true;
}
