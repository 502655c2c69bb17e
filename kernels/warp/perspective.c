/* The operation `perspective`: maps a quadrilateral, given by its four corners, to the whole
 * result. */
#include "kernels/warp/warp_maps.h"

#define MOST INT64_C(1000000000000)

typedef struct Params {
    ImgNumbers corners; /* coordinates of the corners, in millionths of a pixel */
    ImgSize size;
    ImgWarpParams warp;
} Params;

static const ImgParam params[] = {
    {.name = "corners",
     .type = IMG_PARAM_NUMBERS,
     .offset = offsetof(Params, corners),
     .default_value = "",
     .min = -MOST,
     .max = MOST,
     .help = "eight numbers: x,y of the top left, top right, bottom right and bottom left "
             "corner. Default: the corners of the picture"},
    {.name = "size",
     .type = IMG_PARAM_SIZE,
     .offset = offsetof(Params, size),
     .default_value = "",
     .min = 1,
     .max = INT32_MAX,
     .help = "size of the result: WxH in pixels, one side (the other keeps the ratio), or a "
             "percentage of the default size. Default: the lengths of the area's longer sides"},
    {.name = "filter",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(Params, warp.filter),
     .default_value = "bicubic",
     .choices = img_warp_filters,
     .help = "interpolation filter"},
    {.name = "border",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(Params, warp.border.border),
     .default_value = "constant",
     .choices = img_border_choices,
     .help = "pixels outside the picture. replicate: repeat the edge; reflect: mirror, without "
             "repeating the edge; wrap: repeat the picture; constant: --background"},
    {.name = "background",
     .type = IMG_PARAM_COLOR,
     .offset = offsetof(Params, warp.border.background),
     .default_value = "transparent",
     .help = "colour for --border constant, such as white or '#336699'. Where it is visible, a "
             "colour that is not opaque gives the result an alpha channel. One that is not gray "
             "turns gray pictures into RGB"},
    {.name = NULL}};

/* --- Parameters ------------------------------------------------------------------------------- */

static void corners_of(const Params *own, ImgShape src, int64_t corners[IMG_WARP_CORNERS])
{
    const int64_t pixel = 1000000, right = src.width * pixel, bottom = src.height * pixel;
    const int64_t whole[IMG_WARP_CORNERS] = {0, 0, right, 0, right, bottom, 0, bottom};
    for (int i = 0; i < IMG_WARP_CORNERS; i++)
        corners[i] = own->corners.count > 0 ? own->corners.values[i] : whole[i];
}

/* Returns the filter and the border mode. If the corners are inside the picture, no background is
 * visible, so the edges are replicated and the result needs no alpha. */
static ImgWarpParams warp_of(const Params *own, ImgShape src)
{
    int64_t corners[IMG_WARP_CORNERS];
    ImgWarpParams warp = own->warp;
    bool is_inside = true;
    corners_of(own, src, corners);
    for (int i = 0; i < IMG_WARP_CORNERS; i++)
        is_inside = is_inside && corners[i] >= 0 &&
                    corners[i] <= (i % 2 == 0 ? src.width : src.height) * INT64_C(1000000);
    if (is_inside && warp.border.border == IMG_BORDER_CONSTANT)
        warp.border.border = IMG_BORDER_REPLICATE;
    return warp;
}

/* Returns true if the result can keep palette indices. Corners that the user gives count as outside
 * the picture, because its size is not known yet. The result then counts as having background. */
static bool keeps_palette(const void *params_of_call)
{
    const Params *own = params_of_call;
    const ImgShape any = {1, 1, {IMG_COLOR_PALETTE, 8}};
    const ImgWarpParams warp = own->corners.count > 0 ? own->warp : warp_of(own, any);
    return img_warp_keeps_samples(&warp);
}

/* Returns value * wanted / whole, rounded to nearest, but at least 1. */
static int64_t in_proportion(int64_t value, int64_t wanted, int64_t whole)
{
    const int64_t result = (value * wanted + whole / 2) / whole;
    return result > 0 ? result : 1;
}

static ImgStatus size_of(const Params *own, ImgShape src, ImgShape *dst, ImgError *err)
{
    /* `all`: 100 per cent, in thousandths of a per cent */
    const int64_t share = own->size.share, all = 100000;
    int64_t width = own->size.width, height = own->size.height;
    int32_t of_sides[2] = {src.width, src.height};
    if (own->corners.count > 0)
        img_warp_sides(own->corners.values, of_sides, of_sides + 1);
    if (width == 0 && height == 0) {
        width = share > 0 ? in_proportion(of_sides[0], share, all) : of_sides[0];
        height = share > 0 ? in_proportion(of_sides[1], share, all) : of_sides[1];
    } else if (width == 0) {
        width = in_proportion(of_sides[0], height, of_sides[1]);
    } else if (height == 0) {
        height = in_proportion(of_sides[1], width, of_sides[0]);
    }
    if (width > INT32_MAX || height > INT32_MAX)
        return img_fail(
            err, IMG_E_LIMIT,
            "perspective: the result of %lld x %lld pixels is too large; use a smaller size",
            (long long)width, (long long)height);
    dst->width = (int32_t)width;
    dst->height = (int32_t)height;
    return IMG_OK;
}

static ImgStatus map_of(const Params *own, ImgShape src, ImgShape dst, ImgWarpMap *map,
                        ImgError *err)
{
    int64_t corners[IMG_WARP_CORNERS];
    corners_of(own, src, corners);
    return img_warp_perspective(corners, (ImgWarpFilter)own->warp.filter, dst, map, err);
}

static bool bind_palette(void *params_of_call, ImgShape src, struct ImgPalette *palette)
{
    Params *own = params_of_call;
    const bool is_known = src.width > 0 || own->corners.count == 0;
    const bool shows = !is_known || warp_of(own, src).border.border == IMG_BORDER_CONSTANT;
    return img_warp_bind_palette(&own->warp, shows, palette);
}

static ImgStatus whole_shape(ImgShape src, const Params *own, ImgShape *dst, ImgError *err)
{
    const ImgWarpParams warp = warp_of(own, src);
    ImgWarpMap map;
    ImgStatus status = img_warp_format(src.format, &warp, &dst->format, err);
    if (status == IMG_OK && own->corners.count != 0 && own->corners.count != IMG_WARP_CORNERS)
        status = img_fail(err, IMG_E_USAGE,
                          "perspective: the corners have %d numbers; give eight, x and y of the "
                          "top left, top right, bottom right and bottom left",
                          own->corners.count);
    if (status == IMG_OK)
        status = size_of(own, src, dst, err);
    if (status == IMG_OK)
        status = map_of(own, src, *dst, &map, err);
    return status == IMG_OK
               ? img_warp_check_places("perspective", &map, warp.border.border, src, *dst, err)
               : status;
}

static ImgStatus prepare(const ImgOp *op, ImgShape src, const void *params_of_call,
                         ImgConstants *constants, ImgError *err)
{
    const Params *own = params_of_call;
    const ImgWarpParams warp = warp_of(own, img_warp_whole(src, &own->warp.part));
    (void)op;
    return img_warp_prepare(src.format, &warp, constants, err);
}

#include "kernels/warp/warp_map_source.h"

const ImgOp img_op_perspective = {
    .name = "perspective",
    .group = IMG_GROUP_GEOMETRY,
    .synopsis = "Correct perspective: map four corners to a rectangle",
    .help = "Maps the area between four corners to a rectangle. Use it for a page, a sign or a "
            "building that was photographed at an angle. The corners are points of the picture. "
            "Coordinates x and y are in pixels; x grows to the right and y downwards. (0, 0) is "
            "the top left corner of the picture, so the centre of the first pixel is (0.5, 0.5). "
            "Give the corners clockwise, beginning with the one that becomes the top left corner "
            "of the result.\n\n"
            "Corners may lie outside the picture. --border then fills the missing parts, by "
            "default with a transparent background. If all corners lie inside, no alpha is "
            "added.\n\n"
            "Of the area's top and bottom sides, the longer one gives the width of the result. Of "
            "its left and right sides, the longer one gives the height. --size WxH sets another "
            "width and height; W or xH sets one of them and keeps their ratio.\n\n"
            "Where the picture shrinks, each pixel of the result is the mean of a grid of "
            "interpolated samples, so that no pixel of the area is skipped. Corners are rejected "
            "if the picture shrinks by a factor above 1024 somewhere, or if they need more "
            "interpolated samples than 2 million plus 256 for each pixel of the picture and of the "
            "result.\n\n"
            "--filter nearest copies pixels and keeps palettes with their indices. Use it for "
            "label masks. The background is added to the palette if it is missing. If the palette "
            "is full, the result is RGB or RGBA.",
    .example = "--corners 60,40,590,70,620,440,25,400",
    .params = params,
    .params_size = sizeof(Params),
    .needs_param = true,
    .shape = shape,
    .palette = {.keeps = keeps_palette, .bind = bind_palette},
    .cost = {.cpu_ns_per_byte = 2.8, .factor = cost_factor, .scratch = scratch},
    .effect = {.get = effect},
    .constants = {.prepare = prepare, .need_size = true},
    .bands = {.part = part, .tile = tile},
    .impls = impls,
};
