/* The operation `rotate`: turns a picture by multiples of 90 degrees without interpolation, and by
 * any other angle with a filter. */
#include "kernels/turn/turn.h"
#include "kernels/warp/warp.h"

enum { KEEP, EXPAND, INSIDE };

typedef struct RotateParams {
    int32_t angle; /* clockwise angle, in thousandths of a degree */
    int32_t size;  /* size of the result: KEEP, EXPAND or INSIDE */
    ImgWarpParams warp;
} RotateParams;

enum { DEGREE = 1000, QUARTER = 90 * DEGREE, MOST = 360 * DEGREE };

static const ImgChoice angles[] = {
    {"90", QUARTER}, {"180", 2 * QUARTER}, {"270", 3 * QUARTER}, {NULL, 0}};

/* Other names of the angles: counter-clockwise angles, angles of more than a full turn, and angles
 * with a sign. */
static const ImgChoice angle_synonyms[] = {{"-270", QUARTER},     {"-180", 2 * QUARTER},
                                           {"-90", 3 * QUARTER},  {"450", QUARTER},
                                           {"540", 2 * QUARTER},  {"630", 3 * QUARTER},
                                           {"+90", QUARTER},      {"+180", 2 * QUARTER},
                                           {"+270", 3 * QUARTER}, {NULL, 0}};

static const ImgChoice sizes[] = {
    {"expand", EXPAND}, {"keep", KEEP}, {"inside", INSIDE}, {NULL, 0}};
static const ImgChoice size_flags[] = {{"expand", EXPAND}, {"keep-size", KEEP}, {NULL, 0}};

static const ImgParam params[] = {
    {.name = "angle",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(RotateParams, angle),
     .default_value = "90",
     .min = -MOST,
     .max = MOST,
     .choices = angles,
     .synonyms = angle_synonyms,
     .help = "angle in degrees, clockwise; multiples of 90 are lossless"},
    {.name = "size",
     .type = IMG_PARAM_CHOICE,
     .is_detail = true,
     .offset = offsetof(RotateParams, size),
     .default_value = "expand",
     .choices = sizes,
     .flags = size_flags,
     .help = "for angles that are not multiples of 90. expand: show the whole picture; keep: "
             "keep its size; inside: crop to the largest rectangle without background"},
    {.name = "filter",
     .type = IMG_PARAM_CHOICE,
     .is_detail = true,
     .offset = offsetof(RotateParams, warp.filter),
     .default_value = "bicubic",
     .choices = img_warp_filters,
     .help = "interpolation filter for angles that are not multiples of 90"},
    {.name = "background",
     .type = IMG_PARAM_COLOR,
     .is_detail = true,
     .offset = offsetof(RotateParams, warp.border.background),
     .default_value = "transparent",
     .help = "colour of the corners, such as white or '#336699', for angles that are not "
             "multiples of 90. A colour that is not opaque gives the result an alpha channel; "
             "one that is not gray turns gray pictures into RGB"},
    {.name = NULL}};

static bool is_quarters(const void *params_of_call)
{
    return ((const RotateParams *)params_of_call)->angle % QUARTER == 0;
}

static ImgTurn turn_of(const void *params_of_call)
{
    static const ImgTurn turns[] = {IMG_TURN_NONE, IMG_TURN_90, IMG_TURN_180, IMG_TURN_270};
    const int32_t quarters = ((const RotateParams *)params_of_call)->angle / QUARTER;
    return is_quarters(params_of_call) ? turns[quarters & 3] : IMG_TURN_NONE;
}

/* --- Any angle -------------------------------------------------------------------------------- */

/* Returns the filter and the border mode. Background surrounds the picture, except for INSIDE,
 * whose result shows no background. */
static ImgWarpParams warp_of(const RotateParams *own)
{
    ImgWarpParams warp = own->warp;
    warp.border.border = own->size == INSIDE ? IMG_BORDER_REPLICATE : IMG_BORDER_CONSTANT;
    return warp;
}

static bool keeps_palette(const void *params_of_call)
{
    const ImgWarpParams warp = warp_of(params_of_call);
    return is_quarters(params_of_call) || img_warp_keeps_samples(&warp);
}

static bool bind_palette(void *params_of_call, ImgShape src, struct ImgPalette *palette)
{
    RotateParams *own = params_of_call;
    const bool copies = own->warp.filter == IMG_WARP_NEAREST && !is_quarters(own);
    (void)src;
    return img_border_bind_palette(&own->warp.border, own->size != INSIDE, copies ? palette : NULL);
}

/* Computes the shape of the result of a whole source for angles that are not multiples of 90. */
static ImgStatus whole_shape(ImgShape src, const RotateParams *own, ImgShape *dst, ImgError *err)
{
    const ImgWarpParams warp = warp_of(own);
    *dst = src;
    ImgStatus status = img_warp_format(src.format, &warp, &dst->format, err);
    if (status == IMG_OK && own->size == INSIDE)
        img_warp_fit_inside(src, own->angle, dst);
    return status == IMG_OK && own->size == EXPAND ? img_warp_expand(src, own->angle, dst, err)
                                                   : status;
}

static ImgStatus warped_shape(ImgShape src, const RotateParams *own, ImgShape *dst, ImgError *err)
{
    const ImgStatus status = whole_shape(img_warp_whole(src, &own->warp.part), own, dst, err);
    if (status == IMG_OK)
        img_warp_cut(&own->warp.part, dst);
    return status;
}

/* Returns the map of a call with a source of shape `src`, which may be only a rectangle of the
 * picture (ImgOp.bands.tile). `shape` must accept it. */
static ImgWarpMap map_of_call(ImgShape src, const RotateParams *own)
{
    const ImgShape whole = img_warp_whole(src, &own->warp.part);
    ImgShape dst = whole;
    (void)whole_shape(whole, own, &dst, NULL);
    ImgWarpMap map = img_warp_rotation(whole, dst, own->angle);
    img_warp_move(&own->warp.part, &map);
    return map;
}

static ImgStatus prepare(const ImgOp *op, ImgShape src, const void *params_of_call,
                         ImgConstants *constants, ImgError *err)
{
    (void)op;
    if (is_quarters(params_of_call))
        return IMG_OK;
    const ImgWarpParams warp = warp_of(params_of_call);
    return img_warp_prepare(src.format, &warp, constants, err);
}

static ImgStatus run_warp(const ImgCall *call, ImgWarpRun *run, ImgError *err)
{
    const ImgWarpMap map = map_of_call(img_view_shape(&call->src), call->params);
    return run(call, &map, err);
}

static uint64_t scratch(ImgShape src, const void *params_of_call, int threads)
{
    const RotateParams *own = params_of_call;
    ImgShape dst;
    if (is_quarters(own) || warped_shape(src, own, &dst, NULL) != IMG_OK)
        return 0;
    const ImgWarpMap map = map_of_call(src, own);
    return img_warp_color_scratch(src, dst.format) +
           img_warp_scratch(&map, own->warp.filter, dst, threads);
}

/* --- Implementations -------------------------------------------------------------------------- */

/* Defines an implementation that calls `turn` for multiples of 90 degrees and `warp` for all other
 * angles. */
#define RUN(name, turn, warp)                                                                      \
    static ImgStatus name(const ImgCall *call, ImgError *err)                                      \
    {                                                                                              \
        return is_quarters(call->params) ? turn(call, err) : run_warp(call, warp, err);            \
    }

RUN(run_reference, img_turn_reference, img_warp_reference)
RUN(run_cpu, img_turn_cpu, img_warp_cpu)
#ifdef IMGTOOL_X86
RUN(run_avx2, img_turn_cpu_avx2, img_warp_cpu_avx2)
RUN(run_avx512, img_turn_cpu_avx512, img_warp_cpu_avx512)
#endif

#ifdef IMGTOOL_CUDA
static ImgStatus run_cuda_warp_naive(const ImgCall *call, ImgError *err)
{
    return run_warp(call, img_warp_cuda_naive, err);
}

static ImgStatus run_cuda_warp_fast(const ImgCall *call, ImgError *err)
{
    return run_warp(call, img_warp_cuda_fast, err);
}
#endif

static bool is_transposing(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    (void)op, (void)src;
    return img_turn_swaps(turn_of(params_of_call));
}

static bool is_moving(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    (void)op, (void)src;
    return is_quarters(params_of_call) && !img_turn_swaps(turn_of(params_of_call));
}

static bool is_turning(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    (void)op, (void)src;
    return is_quarters(params_of_call);
}

static bool is_warping(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    (void)op, (void)src;
    return !is_quarters(params_of_call);
}

static size_t workspace(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    ImgShape dst;
    (void)op;
    if (is_quarters(params_of_call) || warped_shape(src, params_of_call, &dst, NULL) != IMG_OK)
        return 0;
    return img_warp_color_workspace(src, dst.format);
}

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, pixel by pixel from the definition; all others must give the same bytes",
     .run = run_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads over cache-sized tiles; multiples of 90 transposed in 16-byte registers",
     .run = run_cpu},
    {.name = "cpu-avx2",
     .backend = IMG_BACKEND_CPU,
     .cpu_level = IMG_CPU_AVX2,
     .note = "as cpu, with AVX2",
     .run = IMG_X86_RUN(run_avx2)},
    {.name = "cpu-avx512",
     .backend = IMG_BACKEND_CPU,
     .cpu_level = IMG_CPU_AVX512,
     .note = "as cpu, with AVX-512",
     .run = IMG_X86_RUN(run_avx512)},
    IMG_TURN_MANY_IMPL(is_turning),
    IMG_TURN_TRANSPOSE_IMPLS(is_transposing),
    IMG_TURN_MOVE_IMPLS(is_moving),
    {.name = "cuda-warp-naive",
     .backend = IMG_BACKEND_CUDA,
     .note = "other angles: one pixel per thread, its window read from global memory",
     .run = IMG_CUDA_RUN(run_cuda_warp_naive),
     .workspace = workspace,
     .applies = is_warping},
    {.name = "cuda-warp-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "other angles: tiles, their part of the source in shared memory",
     .run = IMG_CUDA_RUN(run_cuda_warp_fast),
     .workspace = workspace,
     .applies = is_warping},
    {.name = NULL},
};

/* --- Descriptor ------------------------------------------------------------------------------- */

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    return is_quarters(params_of_call) ? img_turn_shape(src, turn_of(params_of_call), dst)
                                       : warped_shape(src, params_of_call, dst, err);
}

static bool tile(ImgShape src, const void *params_of_call, ImgRect wanted, ImgPart *part)
{
    RotateParams *own = (RotateParams *)(void *)part->params.bytes;
    if (is_quarters(params_of_call))
        return false;
    const ImgWarpMap map = map_of_call(src, params_of_call);
    img_warp_part(src, &map, warp_of(own).border.border, wanted, part, &own->warp.part);
    return true;
}

static bool part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    ImgShape dst;
    if (is_quarters(params_of_call))
        return img_turn_part(src, turn_of(params_of_call), wanted, part);
    if (warped_shape(src, params_of_call, &dst, NULL) != IMG_OK)
        return false;
    return tile(src, params_of_call,
                (ImgRect){0, wanted.first, dst.width, wanted.end - wanted.first}, part);
}

static uint64_t traffic(ImgShape src, const void *params_of_call)
{
    ImgShape dst = src;
    (void)shape(src, params_of_call, &dst, NULL);
    return (uint64_t)src.width * (uint64_t)src.height * img_format_pixel_size(src.format) +
           (uint64_t)dst.width * (uint64_t)dst.height * img_format_pixel_size(dst.format);
}

/* Returns the cost of an angle that is not a multiple of 90 degrees, relative to an angle that is.
 * The cost depends on the filter. */
static double cost_factor(ImgShape src, const void *params_of_call)
{
    static const double factors[] = {35, 60, 80, 110, 150};
    (void)src;
    return is_quarters(params_of_call)
               ? 1
               : factors[((const RotateParams *)params_of_call)->warp.filter];
}

static ImgEffect effect(ImgShape src, const void *params_of_call)
{
    (void)src;
    return (ImgEffect){.turn = turn_of(params_of_call),
                       .cropped = !is_quarters(params_of_call),
                       .values_changed = !keeps_palette(params_of_call)};
}

const ImgOp img_op_rotate = {
    .name = "rotate",
    .group = IMG_GROUP_GEOMETRY,
    .synopsis = "Rotate by any angle, clockwise",
    .help = "Multiples of 90 degrees move pixels without interpolation, so four quarter turns "
            "restore the picture.\n\n"
            "Other angles are rounded to 0.001 degrees, and the picture turns around its centre. "
            "The result is just large enough for the whole rotated picture. For w x h pixels it is "
            "w * |cos| + h * |sin| wide and h * |cos| + w * |sin| high. Pixels at the picture's "
            "edges are blended with the background in proportion to the area that the picture "
            "covers.\n\n"
            "--size inside keeps the largest upright rectangle within the rotated picture. Use it "
            "to straighten a horizon without empty corners: --angle 2 --size inside.\n\n"
            "--filter nearest copies pixels and keeps palettes with their indices. Use it for "
            "label masks. The background is added to the palette if it is missing. If the palette "
            "is full, the result is RGB or RGBA. To avoid that, choose a --background colour that "
            "the palette already has.\n\n"
            "The EXIF orientation is kept: use autorotate for photos in the wrong orientation.",
    .example = "--angle 7.5",
    .params = params,
    .params_size = sizeof(RotateParams),
    .shape = shape,
    .palette = {.keeps = keeps_palette, .bind = bind_palette},
    .cost = {.cpu_ns_per_byte = 0.035,
             .factor = cost_factor,
             .traffic = traffic,
             .scratch = scratch},
    .effect = {.get = effect},
    .constants = {.prepare = prepare},
    .bands = {.part = part, .tile = tile},
    .impls = impls,
};
