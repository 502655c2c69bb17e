/* The operation `affine`: scales, rotates, shears and shifts a picture by a matrix. */
#include "kernels/warp/warp_maps.h"

enum { NUMBERS = 6 };

#define MOST INT64_C(1000000000000)

typedef struct Params {
    ImgNumbers matrix; /* the six numbers of the matrix, in millionths */
    ImgSize size;
    ImgWarpParams warp;
} Params;

static const ImgParam params[] = {
    {.name = "matrix",
     .type = IMG_PARAM_NUMBERS,
     .offset = offsetof(Params, matrix),
     .default_value = "1,0,0,0,1,0",
     .min = -MOST,
     .max = MOST,
     .help = "six numbers a,b,c,d,e,f: the point (x, y) moves to (a*x + b*y + c, d*x + e*y + f), "
             "in pixels. The default changes nothing"},
    {.name = "size",
     .type = IMG_PARAM_SIZE,
     .offset = offsetof(Params, size),
     .default_value = "",
     .min = 1,
     .max = INT32_MAX,
     .help = "size of the result: WxH, one side (the other stays as it is), or a percentage. "
             "Without it, the size of the picture"},
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
     .help = "colour for --border constant, such as white or '#336699'. A colour that is not "
             "opaque gives the result an alpha channel; one that is not gray turns gray "
             "pictures into RGB"},
    {.name = NULL}};

/* Returns a side of the result in pixels, for a picture whose side is `side`. It is the proportion
 * `share` of `side` (in thousandths of a per cent) if `share` is not 0. Otherwise it is `given`, or
 * `side` if `given` is 0. */
static int64_t side_of(int32_t side, int32_t given, int32_t share)
{
    const int64_t whole = 100000; /* 100 per cent, in thousandths of a per cent */
    if (share == 0)
        return given > 0 ? given : side;
    const int64_t result = ((int64_t)side * share + whole / 2) / whole;
    return result > 0 ? result : 1;
}

static ImgStatus map_of(const Params *own, ImgShape src, ImgShape dst, ImgWarpMap *map,
                        ImgError *err)
{
    (void)src;
    return img_warp_affine(own->matrix.values, (ImgWarpFilter)own->warp.filter, dst, map, err);
}

static ImgWarpParams warp_of(const Params *own, ImgShape src)
{
    (void)src;
    return own->warp;
}

static bool keeps_palette(const void *params_of_call)
{
    return img_warp_keeps_samples(&((const Params *)params_of_call)->warp);
}

static bool bind_palette(void *params_of_call, ImgShape src, struct ImgPalette *palette)
{
    (void)src;
    return img_warp_bind_palette(&((Params *)params_of_call)->warp, true, palette);
}

static ImgStatus whole_shape(ImgShape src, const Params *own, ImgShape *dst, ImgError *err)
{
    const ImgSize *size = &own->size;
    const int64_t width = side_of(src.width, size->width, size->share);
    const int64_t height = side_of(src.height, size->height, size->share);
    ImgWarpMap map;
    ImgStatus status = img_warp_format(src.format, &own->warp, &dst->format, err);
    if (status != IMG_OK)
        return status;
    if (own->matrix.count != NUMBERS)
        return img_fail(err, IMG_E_USAGE,
                        "affine: the matrix has %d numbers; give six, a,b,c,d,e,f, row by row",
                        own->matrix.count);
    if (width > INT32_MAX || height > INT32_MAX)
        return img_fail(err, IMG_E_LIMIT,
                        "affine: the result of %lld x %lld pixels is too large; use a smaller size",
                        (long long)width, (long long)height);
    dst->width = (int32_t)width;
    dst->height = (int32_t)height;
    status = map_of(own, src, *dst, &map, err);
    return status == IMG_OK
               ? img_warp_check_places("affine", &map, own->warp.border.border, src, *dst, err)
               : status;
}

static ImgStatus prepare(const ImgOp *op, ImgShape src, const void *params_of_call,
                         ImgConstants *constants, ImgError *err)
{
    (void)op;
    return img_warp_prepare(src.format, &((const Params *)params_of_call)->warp, constants, err);
}

#include "kernels/warp/warp_map_source.h"

const ImgOp img_op_affine = {
    .name = "affine",
    .group = IMG_GROUP_GEOMETRY,
    .synopsis = "Scale, rotate, shear and shift by a matrix",
    .help = "The point (x, y) of the picture moves to (a*x + b*y + c, d*x + e*y + f) in the "
            "result, where a to f are the numbers of --matrix. x and y are in pixels; x grows to "
            "the right and y downwards. (0, 0) is the top left corner of the picture, so the "
            "centre of the first pixel is (0.5, 0.5). OpenCV's warpAffine takes the same numbers, "
            "but its (0, 0) is the centre of the first pixel. Pillow's transform takes the inverse "
            "matrix.\n\n"
            "If every pixel moves exactly to the place of a pixel, pixels are copied without "
            "interpolation. Where the picture shrinks, each pixel of the result is the mean of a "
            "grid of interpolated samples, so that no pixel of the picture is skipped.\n\n"
            "A matrix is rejected if it shrinks the picture by a factor above 1024, or if it needs "
            "more interpolated samples than 2 million plus 1024 for each pixel of the picture and "
            "of the result. With a --border other than constant, it is 256 for each pixel instead "
            "of 1024.\n\n"
            "With --border constant, pixels at the picture's edges are blended with the background "
            "in proportion to the area that the picture covers.\n\n"
            "--filter nearest copies pixels and keeps palettes with their indices. Use it for "
            "label masks. The background is added to the palette if it is missing. If the palette "
            "is full, the result is RGB or RGBA. With a --border other than constant, gray "
            "pictures of 1, 2 or 4 bits keep their depth.",
    .example = "--matrix 1,0.2,0,0,1,0",
    .params = params,
    .params_size = sizeof(Params),
    .needs_param = true,
    .shape = shape,
    .palette = {.keeps = keeps_palette, .bind = bind_palette},
    .cost = {.cpu_ns_per_byte = 2.8, .factor = cost_factor, .scratch = scratch},
    .effect = {.get = effect},
    .constants = {.prepare = prepare},
    .bands = {.part = part, .tile = tile},
    .impls = impls,
};
