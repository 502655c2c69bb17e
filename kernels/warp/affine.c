/* affine: scales, rotates, shears and shifts by a matrix. */
#include "kernels/warp/warp_affine.h"

enum { NUMBERS = 6 };

#define MOST INT64_C(1000000000000)

typedef struct Params {
    ImgNumbers matrix; /* in millionths */
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
     .help = "a,b,c,d,e,f: (x, y) comes to (ax + by + c, dx + ey + f), in pixels"},
    {.name = "size",
     .type = IMG_PARAM_SIZE,
     .offset = offsetof(Params, size),
     .default_value = "",
     .min = 1,
     .max = INT32_MAX,
     .help = "of the result, if not that of the picture"},
    {.name = "filter",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(Params, warp.filter),
     .default_value = "bicubic",
     .choices = img_warp_filters,
     .help = "what pixels are made by"},
    {.name = "border",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(Params, warp.border.border),
     .default_value = "constant",
     .choices = img_border_choices,
     .help = "beyond edges: the nearest pixel, a mirror at it, the other side, or a colour"},
    {.name = "background",
     .type = IMG_PARAM_COLOR,
     .offset = offsetof(Params, warp.border.background),
     .default_value = "transparent",
     .help = "the colour of --border constant; alpha is added unless it is opaque, colour unless "
             "it is gray"},
    {.name = NULL}};

/* Returns a side of the result. */
static int64_t side_of(int32_t side, int32_t given, int32_t share)
{
    const int64_t whole = 100000; /* per cent, in thousandths */
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

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    const Params *own = params_of_call;
    const ImgSize *size = &own->size;
    const int64_t width = side_of(src.width, size->width, size->share);
    const int64_t height = side_of(src.height, size->height, size->share);
    ImgWarpMap map;
    ImgStatus status = img_warp_format(src.format, &own->warp, &dst->format, err);
    if (status != IMG_OK)
        return status;
    if (own->matrix.count != NUMBERS)
        return img_fail(err, IMG_E_USAGE,
                        "affine: a matrix of %d numbers; give six, a,b,c,d,e,f, row by row",
                        own->matrix.count);
    if (width > INT32_MAX || height > INT32_MAX)
        return img_fail(err, IMG_E_LIMIT, "affine: a result of %lld x %lld is too large",
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
    .synopsis = "Scale, turn, shear and shift by a matrix",
    .help =
        "A point (x, y) of the picture comes to (ax + by + c, dx + ey + f) in the result, where\n"
        "(0, 0) is the corner of the first pixel, whose centre is (1/2, 1/2). Where the picture\n"
        "shrinks, each pixel is the average of as many places as it takes to leave nothing\n"
        "out: at most 256 for each pixel of picture and result (1024 with --border constant, by\n"
        "which only what the picture touches counts), and two million beside those.\n"
        "Pixels at the picture's edges are blended with the background by the part of\n"
        "them that is covered. Where every pixel comes to a pixel's place, nothing is\n"
        "interpolated. With --filter nearest pixels are copied: palettes and their indices\n"
        "stay, and the background is added to the palette unless it is one of its colours or\n"
        "there is no room. With a --border other than constant gray of 1, 2 and 4 bits stays.",
    .example = "--matrix 1,0.2,0,0,1,0",
    .params = params,
    .params_size = sizeof(Params),
    .needs_param = true,
    .needs_channels = true,
    .keeps_palette = keeps_palette,
    .bind_palette = bind_palette,
    .shape = shape,
    .cpu_ns_per_byte = 2.8,
    .cost_factor = cost_factor,
    .effect = effect,
    .scratch = scratch,
    .prepare = prepare,
    .impls = impls,
};
