/* The operation `resize`: changes the size of a picture with filters. */
#include "kernels/resize/resize.h"
#include "kernels/core/geometry/gravity.h"

static const ImgChoice fits[] = {{"inside", IMG_FIT_INSIDE},   {"cover", IMG_FIT_COVER},
                                 {"contain", IMG_FIT_CONTAIN}, {"fill", IMG_FIT_FILL},
                                 {"outside", IMG_FIT_OUTSIDE}, {NULL, 0}};

static const ImgChoice only[] = {
    {"any", IMG_ONLY_ANY}, {"shrink", IMG_ONLY_SHRINK}, {"enlarge", IMG_ONLY_ENLARGE}, {NULL, 0}};
static const ImgChoice only_flags[] = {
    {"only-shrink", IMG_ONLY_SHRINK}, {"only-enlarge", IMG_ONLY_ENLARGE}, {NULL, 0}};

static const ImgChoice no_yes[] = {{"no", 0}, {"yes", 1}, {NULL, 0}};
static const ImgChoice linear_flag[] = {{"linear", 1}, {NULL, 0}};

static const ImgParam params[] = {
    {.name = "size",
     .type = IMG_PARAM_SIZE,
     .offset = offsetof(ImgResizeParams, size),
     .default_value = "",
     .min = 1,
     .max = INT32_MAX,
     .help = "another way to give the operand SIZE: width and height, one of them, or a "
             "percentage"},
    {.name = "fit",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(ImgResizeParams, fit),
     .default_value = "inside",
     .choices = fits,
     .help =
         "what to do if the aspect ratio of WxH is not that of the picture. inside: scale it to "
         "fit into WxH; cover: scale it to cover WxH, and crop the rest; contain: scale it to "
         "fit into WxH, and pad it to WxH; fill: stretch it to WxH; outside: scale it to cover "
         "WxH, without cropping"},
    IMG_GRAVITY_PARAM(
        ImgResizeParams, gravity,
        "with --fit cover: the part of the picture to keep; with --fit contain: the position "
        "of the picture between the margins"),
    {.name = "only",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(ImgResizeParams, only),
     .default_value = "any",
     .choices = only,
     .flags = only_flags,
     .help = "any: resize all pictures; shrink: only those that become smaller; enlarge: only "
             "those that become larger"},
    {.name = "filter",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(ImgResizeParams, filter),
     .default_value = "lanczos3",
     .choices = img_filter_choices,
     .synonyms = img_filter_synonyms,
     .help = "resampling filter; all except nearest average pixels when the picture shrinks "
             "(antialiasing)"},
    {.name = "linear",
     .type = IMG_PARAM_CHOICE,
     .is_detail = true,
     .offset = offsetof(ImgResizeParams, linear),
     .default_value = "no",
     .choices = no_yes,
     .flags = linear_flag,
     .help = "resample in linear light, not in stored sample values; --linear alone means yes"},
    {.name = "background",
     .type = IMG_PARAM_COLOR,
     .offset = offsetof(ImgResizeParams, around.background),
     .default_value = "transparent",
     .help = "padding colour of --fit contain. A colour that is not opaque gives the result an "
             "alpha channel; one that is not gray turns gray pictures into RGB"},
    {.name = NULL}};

static ImgStatus refuse_light(int32_t light, ImgError *err)
{
    static const struct {
        int32_t light;
        const char *says;
    } names[] = {{IMG_LIGHT_BT709, "follow the curve of BT.709"},
                 {IMG_LIGHT_PQ, "follow the curve PQ"},
                 {IMG_LIGHT_HLG, "follow the curve HLG"},
                 {IMG_LIGHT_NARROW_RANGE, "have narrow range"}};
    const char *says = "follow an unsupported curve";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].light == light)
            says = names[i].says;
    return img_fail(err, IMG_E_UNSUPPORTED,
                    "resize: linear light is not supported for this file: its samples %s (cICP); "
                    "leave out linear, or convert the picture to sRGB first",
                    says);
}

static bool keeps_palette(const void *params_of_call)
{
    return img_resize_keeps_samples(params_of_call);
}

static bool bind_palette(void *params_of_call, ImgShape src, struct ImgPalette *palette)
{
    ImgResizeParams *own = params_of_call;
    const bool copies = own->filter == IMG_FILTER_NEAREST && own->fit == IMG_FIT_CONTAIN;
    const bool shows = img_resize_has_margins(own, src);
    return img_border_bind_palette(&own->around, shows, copies ? palette : NULL);
}

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    const ImgResizeParams *own = params_of_call;
    ImgResizeGeometry geometry;
    const ImgStatus status =
        (keeps_palette(own) ? img_pixels_shape : img_values_shape)(src, own, dst, err);
    if (status != IMG_OK)
        return status;
    if (own->size.width == 0 && own->size.height == 0 && own->size.share == 0)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "resize: the size is missing; give one such as 800x600, 800, x600 or 50%%");
    if (own->linear && own->light < 0)
        return refuse_light(own->light, err);
    if (src.width > IMG_RESIZE_LONGEST || src.height > IMG_RESIZE_LONGEST)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "resize: the picture of %d x %d pixels has too long a side; crop it to %d "
                        "or fewer first",
                        src.width, src.height, IMG_RESIZE_LONGEST);
    if (!img_resize_geometry(own, src.width, src.height, &geometry))
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "resize: a side of the picture of %d x %d would become longer than %d; use "
                        "a smaller size",
                        src.width, src.height, INT32_MAX);
    *dst = (ImgShape){geometry.width, geometry.height, img_resize_format(own, src)};
    return IMG_OK;
}

static ImgStatus prepare(const ImgOp *op, ImgShape src, const void *params_of_call,
                         ImgConstants *constants, ImgError *err)
{
    (void)op;
    return img_resize_make(params_of_call, src, constants, err);
}

/* Implements ImgOp.bands.part. The source of the part has the rows on which the wanted rows depend.
 * If the wanted rows are all in the margins, they depend on no source row; the source then has the
 * rows for one scaled row, because it must not be empty. */
static bool part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    const ImgResizeParams *whole = params_of_call;
    ImgResizeParams *own = (ImgResizeParams *)(void *)part->params.bytes;
    ImgResizeGeometry geometry;
    if (!img_resize_whole_geometry(whole, src.width, src.height, &geometry))
        return false;
    const ImgCanvasRows rows =
        img_canvas_rows((int64_t)wanted.first - geometry.down.at,
                        (int64_t)wanted.end - wanted.first, geometry.down.count);
    const ImgRows scaled = {(int32_t)rows.first, (int32_t)rows.end};
    const ImgRows needed = img_resize_rows(whole, &geometry.down, scaled);
    own->part = (ImgResizeRange){.height = src.height,
                                 .y = needed.first,
                                 .first = scaled.first,
                                 .count = scaled.end - scaled.first,
                                 .above = (int32_t)rows.above,
                                 .below = (int32_t)rows.below};
    part->src.y = needed.first;
    part->src.height = needed.end - needed.first;
    part->skip = (int32_t)rows.skip;
    return true;
}

static bool is_whole(ImgResizeSpan span, int32_t side)
{
    return span.full == span.src && span.count == span.full && span.count == side;
}

static bool keeps_all(ImgShape src, const void *params_of_call)
{
    ImgResizeGeometry geometry;
    (void)img_resize_geometry(params_of_call, src.width, src.height, &geometry);
    return is_whole(geometry.across, geometry.width) && is_whole(geometry.down, geometry.height);
}

static bool does_nothing(ImgShape src, const void *params_of_call)
{
    return (src.format.bits >= 8 || keeps_palette(params_of_call)) &&
           keeps_all(src, params_of_call);
}

/* Returns true if the aspect ratio changes by more than the rounding of sides to whole pixels can
 * explain. */
static bool is_reshaped(ImgResizeSpan across, ImgResizeSpan down)
{
    const int64_t high = (int64_t)down.full * across.src, wide = (int64_t)across.full * down.src;
    const int64_t apart = high > wide ? high - wide : wide - high;
    return 2 * apart > across.src && 2 * apart > down.src;
}

static ImgEffect effect(ImgShape src, const void *params_of_call)
{
    const ImgResizeParams *own = params_of_call;
    ImgResizeGeometry geometry;
    (void)img_resize_geometry(own, src.width, src.height, &geometry);
    const ImgResizeSpan across = geometry.across, down = geometry.down;
    const bool scaled = across.full != across.src || down.full != down.src;
    return (ImgEffect){.turn = IMG_TURN_NONE,
                       .cropped = !keeps_all(src, params_of_call),
                       .scale_x = (double)across.full / across.src,
                       .scale_y = (double)down.full / down.src,
                       .reshaped = is_reshaped(across, down),
                       .values_changed = scaled && own->filter != IMG_FILTER_NEAREST};
}

/* Returns true if `own` was made from default parameters, which have no size. The program uses such
 * parameters to list the implementations. Functions that decide whether an implementation applies
 * then return true, because limits that depend on the size cannot be checked. */
static bool has_no_size(const ImgResize *own)
{
    return own->across.span.full == 0 || own->down.span.full == 0;
}

static bool is_textbook(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    const ImgResize own = img_resize_describe(params_of_call, src);
    (void)op;
    return (int64_t)own.across.taps * own.down.taps <= IMG_RESIZE_NAIVE_TAPS;
}

/* Returns true if the version with tiles supports the resize and is worth using. Copies of pixels
 * and 16-bit linear light are faster without tiles at any scale (MEASUREMENTS.md). With tiles, the
 * linear light of a sample would be looked up again in each tile that contains its column. */
static bool is_for_tiles(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    const ImgResize own = img_resize_describe(params_of_call, src);
    (void)op;
    return has_no_size(&own) || (img_resize_tile_bytes(&own) <= IMG_RESIZE_TILE_BYTES &&
                                 !own.copies && !(own.linear && own.bits == 16));
}

static bool is_for_many(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    const ImgResize own = img_resize_describe(params_of_call, src);
    (void)op;
    return has_no_size(&own) || (!img_resize_is_apart(params_of_call, src) &&
                                 img_resize_tile_bytes(&own) <= IMG_RESIZE_TILE_BYTES);
}

static size_t workspace_of_many(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    (void)op;
    (void)src;
    (void)params_of_call;
    return IMG_RESIZE_MANY_BYTES;
}

static bool is_for_strips(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    const ImgResize own = img_resize_describe(params_of_call, src);
    (void)op;
    return has_no_size(&own) || img_resize_is_for_strips(&own);
}

/* Returns the workspace in bytes for the scaled picture without its margins. It is 0 if the picture
 * is scaled directly into the result, because both have the same format. */
static size_t workspace_of_inner(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    (void)op;
    return img_resize_inner_workspace(params_of_call, src);
}

/* Returns the workspace in bytes for the scaled picture without margins and for all vertical
 * sums. */
static size_t workspace(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    const ImgResize own = img_resize_describe(params_of_call, src);
    const size_t size = own.wide ? sizeof(int32_t) : sizeof(int16_t);
    const size_t middle =
        (size_t)own.down.span.count * (size_t)src.width * (size_t)own.channels * size;
    return workspace_of_inner(op, src, params_of_call) + (own.copies ? 0 : middle);
}

/* Returns the workspace in bytes of the fast CUDA version. It includes the vertical sums only if a
 * strip may be too large for the shared memory of some GPU. On such a GPU the separable version,
 * which needs these sums, runs instead. */
static size_t workspace_of_strips(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    const ImgResize own = img_resize_describe(params_of_call, src);
    return img_resize_has_small_strips(&own) ? workspace_of_inner(op, src, params_of_call)
                                             : workspace(op, src, params_of_call);
}

/* Returns by which factor wide sums or tables of linear light increase the cost; 1 if neither is
 * used. */
static double cost_factor(ImgShape src, const void *params_of_call)
{
    const ImgResizeParams *own = params_of_call;
    const bool linear = own->linear && own->light != IMG_LIGHT_LINEAR;
    if (src.format.bits == 16 || (linear && img_format_has_alpha(src.format)))
        return 4;
    return linear ? 2 : 1;
}

static void bind_light(void *params_of_call, int32_t light)
{
    ((ImgResizeParams *)params_of_call)->light = light;
}

/* --- Implementations -------------------------------------------------------------------------- */

#define RUN_CPU(name, run, is_reference)                                                           \
    static ImgStatus name(const ImgCall *call, ImgError *err)                                      \
    {                                                                                              \
        return img_resize_run_cpu(call, run, is_reference, err);                                   \
    }

RUN_CPU(run_reference, img_resize_reference, true)
RUN_CPU(run_cpu, img_resize_cpu, false)
#ifdef IMGTOOL_X86
RUN_CPU(run_avx2, img_resize_cpu_avx2, false)
RUN_CPU(run_avx512, img_resize_cpu_avx512, false)
#endif

#ifdef IMGTOOL_CUDA
#define RUN_CUDA(name, run)                                                                        \
    static ImgStatus name(const ImgCall *call, ImgError *err)                                      \
    {                                                                                              \
        return img_resize_run_cuda(call, run, err);                                                \
    }

RUN_CUDA(run_cuda_separable, img_resize_cuda_separable)
RUN_CUDA(run_cuda_tiled, img_resize_cuda_tiled)
RUN_CUDA(run_cuda_fast, img_resize_cuda_fast)
#endif

static const ImgManyRun many = {IMG_RESIZE_MANY_BYTES, IMG_CUDA_RUN(img_resize_cuda_run_many)};

#define BY_ROWS(begin_function)                                                                    \
    (&(const ImgByRows){.bytes = img_resize_by_rows_bytes,                                         \
                        .begin = (begin_function),                                                 \
                        .take = img_resize_by_rows_take,                                           \
                        .end = img_resize_by_rows_end})

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, one weighted sum after the other",
     .run = run_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads, bands of 16 rows, both axes while a band is in the cache",
     .run = run_cpu,
     .by_rows = BY_ROWS(img_resize_by_rows)},
    {.name = "cpu-avx2",
     .backend = IMG_BACKEND_CPU,
     .cpu_level = IMG_CPU_AVX2,
     .note = "as cpu, in vectors of 32 bytes",
     .run = IMG_X86_RUN(run_avx2),
     .by_rows = BY_ROWS(IMG_X86_RUN(img_resize_by_rows_avx2))},
    {.name = "cpu-avx512",
     .backend = IMG_BACKEND_CPU,
     .cpu_level = IMG_CPU_AVX512,
     .note = "as cpu, in vectors of 64 bytes",
     .run = IMG_X86_RUN(run_avx512),
     .by_rows = BY_ROWS(IMG_X86_RUN(img_resize_by_rows_avx512))},
    {.name = "cuda-naive",
     .backend = IMG_BACKEND_CUDA,
     .note = "one pixel per thread, which sums columns and then a row",
     .run = IMG_CUDA_RUN(img_resize_cuda_naive),
     .workspace = workspace_of_inner,
     .applies = is_textbook},
    {.name = "cuda-separable",
     .backend = IMG_BACKEND_CUDA,
     .note = "all columns, then all rows, through global memory",
     .run = IMG_CUDA_RUN(run_cuda_separable),
     .workspace = workspace},
    {.name = "cuda-many",
     .backend = IMG_BACKEND_CUDA,
     .note = "as cuda-tiled, for many small pictures in one launch",
     .run = IMG_CUDA_RUN(img_resize_cuda_many),
     .workspace = workspace_of_many,
     .applies = is_for_many,
     .many = &many},
    {.name = "cuda-tiled",
     .backend = IMG_BACKEND_CUDA,
     .note = "tiles of pixels; sums of columns are kept in shared memory",
     .run = IMG_CUDA_RUN(run_cuda_tiled),
     .workspace = workspace_of_inner,
     .applies = is_for_tiles},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "both axes in one kernel, on tensor cores",
     .run = IMG_CUDA_RUN(run_cuda_fast),
     .workspace = workspace_of_strips,
     .applies = is_for_strips},
    {.name = NULL},
};

const ImgOp img_op_resize = {
    .name = "resize",
    .group = IMG_GROUP_GEOMETRY,
    .synopsis = "Resize to pixels or a percentage",
    .help = "SIZE is a width and a height in pixels (800x600), one of them (800 or x600), or a "
            "percentage (50%). The aspect ratio is kept unless --fit fill is given: with 800x600, "
            "the result fits into that size. Sides are rounded to whole pixels, at least 1. The "
            "edges of input and result coincide, as in Pillow and OpenCV. Colours are weighted by "
            "alpha, so that transparent areas cause no fringes.\n\n"
            "--linear converts samples to linear light first, with the sRGB curve or the file's "
            "gamma (gAMA). Files with a colour profile, or without colour information, are treated "
            "as sRGB. --linear fails for pictures in PQ, HLG or BT.709, the curves of video "
            "(cICP). Without --linear, samples are used as they are stored.\n\n"
            "--filter nearest copies pixels and keeps palettes with their indices. Use it for "
            "label masks. Gray pictures of 1, 2 or 4 bits keep their depth, except with --fit "
            "contain. The background of --fit contain is added to the palette if it is missing; if "
            "the palette is full, the result is RGB or RGBA. Other filters turn palettes into RGB "
            "or RGBA, and gray of 1, 2 or 4 bits into 8-bit gray.",
    .example = "800x600",
    .params = params,
    .params_size = sizeof(ImgResizeParams),
    .needs_param = true,
    .shape = shape,
    .facts = {.bind_light = bind_light},
    .palette = {.keeps = keeps_palette, .bind = bind_palette},
    .cost = {.cpu_ns_per_byte = 0.45,
             .cuda_ns_per_byte = 0.0015,
             .factor = cost_factor,
             .scratch = img_resize_scratch},
    .effect = {.get = effect, .does_nothing = does_nothing},
    .constants = {.prepare = prepare, .bytes = img_resize_constants_bytes, .need_size = true},
    .bands = {.part = part, .part_constants = img_resize_part_constants},
    .impls = impls,
};
