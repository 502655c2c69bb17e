/* pad: adds margins around a picture, up to a requested size or aspect ratio. */
#include <string.h>

#include "kernels/canvas/canvas.h"
#include "kernels/core/geometry/gravity.h"

typedef struct PadParams {
    int32_t left, right, top, bottom; /* margins that the options request, in pixels */
    ImgSize size;
    ImgRatio aspect;
    int32_t gravity;
    ImgBorderParams around;
} PadParams;

#define EDGE_PARAM(member, where)                                                                  \
    {                                                                                              \
        .name = #member, .type = IMG_PARAM_INT, .offset = offsetof(PadParams, member),             \
        .default_value = "0", .min = 0, .max = INT32_MAX,                                          \
        .help = "pixels added " where ", 0 or more"                                                \
    }

static const ImgParam params[] = {
    EDGE_PARAM(left, "at the left"),
    EDGE_PARAM(right, "at the right"),
    EDGE_PARAM(top, "at the top"),
    EDGE_PARAM(bottom, "at the bottom"),
    {.name = "size",
     .type = IMG_PARAM_SIZE,
     .offset = offsetof(PadParams, size),
     .default_value = "",
     .min = 1,
     .max = INT32_MAX,
     .help = "size of the result, at least that of the picture: WxH, one side in pixels (the "
             "other stays as it is), or a percentage"},
    {.name = "aspect",
     .type = IMG_PARAM_RATIO,
     .offset = offsetof(PadParams, aspect),
     .default_value = "",
     .help = "enlarge one side to this ratio of width to height, such as 16:9"},
    IMG_GRAVITY_PARAM(PadParams, gravity, "position of the picture for --size and --aspect"),
    {.name = "border",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(PadParams, around.border),
     .default_value = "constant",
     .choices = img_border_choices,
     .help = "content of the margin. replicate: repeat the edge; reflect: mirror image, without "
             "repeating the edge; wrap: the opposite side; constant: --background"},
    {.name = "background",
     .type = IMG_PARAM_COLOR,
     .offset = offsetof(PadParams, around.background),
     .default_value = "transparent",
     .help = "colour for --border constant, such as white or '#336699'. A colour that is not "
             "opaque gives the result an alpha channel; one that is not gray turns gray "
             "pictures into RGB"},
    {.name = NULL}};

/* --- Geometry --------------------------------------------------------------------------------- */

/* The canvas while it grows, in pixels: its size, and the position of the picture on it. */
typedef struct Layout {
    int64_t width, height;
    int64_t x, y;
} Layout;

static ImgStatus check_size(const Layout *layout, ImgError *err)
{
    if (layout->width > INT32_MAX || layout->height > INT32_MAX)
        return img_fail(
            err, IMG_E_UNSUPPORTED,
            "pad: the result of %lld x %lld pixels is too large; use at most %d in each direction",
            (long long)layout->width, (long long)layout->height, INT32_MAX);
    return IMG_OK;
}

/* Grows the canvas to `width` by `height` pixels. `gravity` determines the position of the old
 * canvas on the new one. */
static ImgStatus grow(Layout *layout, int64_t width, int64_t height, int32_t gravity, ImgError *err)
{
    ImgStatus status = check_size(&(Layout){.width = width, .height = height}, err);
    if (status != IMG_OK)
        return status;
    const ImgPlace place = img_gravity_place(gravity, (int32_t)width, (int32_t)height,
                                             (int32_t)layout->width, (int32_t)layout->height);
    *layout = (Layout){width, height, layout->x + place.x, layout->y + place.y};
    return IMG_OK;
}

static int64_t share_of(int32_t side, int32_t share)
{
    enum { ALL = 100000 };
    return ((int64_t)side * share + ALL / 2) / ALL;
}

static ImgStatus grow_to_size(Layout *layout, ImgShape src, const PadParams *own, ImgError *err)
{
    const ImgSize *size = &own->size;
    int64_t width = size->width > 0 ? size->width : layout->width;
    int64_t height = size->height > 0 ? size->height : layout->height;
    if (size->share > 0) {
        width = share_of(src.width, size->share);
        height = share_of(src.height, size->share);
    }
    if (width < layout->width || height < layout->height)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "pad: the size %lld x %lld is smaller than the picture of %lld x %lld; use "
                        "a larger size, or crop or resize first",
                        (long long)width, (long long)height, (long long)layout->width,
                        (long long)layout->height);
    return grow(layout, width, height, own->gravity, err);
}

/* Grows the canvas along one axis until it has the requested aspect ratio, rounded to the nearest
 * pixel. The other axis is unchanged. */
static ImgStatus grow_to_aspect(Layout *layout, const PadParams *own, ImgError *err)
{
    const int64_t across = own->aspect.width, down = own->aspect.height;
    int64_t width = layout->width, height = layout->height;
    if (width * down < height * across)
        width = (height * across + down / 2) / down;
    else
        height = (width * down + across / 2) / across;
    return grow(layout, width, height, own->gravity, err);
}

static ImgStatus lay_out(ImgShape src, const PadParams *own, Layout *layout, ImgError *err)
{
    *layout = (Layout){.width = (int64_t)own->left + src.width + own->right,
                       .height = (int64_t)own->top + src.height + own->bottom,
                       .x = own->left,
                       .y = own->top};
    ImgStatus status = check_size(layout, err);
    if (status == IMG_OK)
        status = grow_to_size(layout, src, own, err);
    if (status == IMG_OK && own->aspect.height > 0)
        status = grow_to_aspect(layout, own, err);
    return status;
}

/* --- The operation ---------------------------------------------------------------------------- */

static bool keeps_palette(const void *params_of_call)
{
    const PadParams *own = params_of_call;
    return own->around.border != IMG_BORDER_CONSTANT || own->around.index != 0;
}

static bool bind_palette(void *params_of_call, ImgShape src, struct ImgPalette *palette)
{
    PadParams *own = params_of_call;
    Layout layout;
    const bool adds = src.width == 0 || lay_out(src, own, &layout, NULL) != IMG_OK ||
                      layout.width > src.width || layout.height > src.height;
    const bool shows = adds && own->around.border == IMG_BORDER_CONSTANT;
    return img_border_bind_palette(&own->around, shows, palette);
}

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    Layout layout;
    ImgStatus status = (keeps_palette(params_of_call) ? img_pixels_shape : img_channels_shape)(
        src, params_of_call, dst, err);
    if (status == IMG_OK)
        status = lay_out(src, params_of_call, &layout, err);
    if (status != IMG_OK)
        return status;
    *dst = (ImgShape){(int32_t)layout.width, (int32_t)layout.height, src.format};
    if (dst->width != src.width || dst->height != src.height)
        dst->format = img_border_format(src.format, &((const PadParams *)params_of_call)->around);
    return IMG_OK;
}

static ImgEffect effect(ImgShape src, const void *params_of_call)
{
    ImgShape dst = src;
    (void)shape(src, params_of_call, &dst, NULL);
    return (ImgEffect){.turn = IMG_TURN_NONE,
                       .cropped = dst.width != src.width || dst.height != src.height};
}

/* --- Parts ------------------------------------------------------------------------------------ */

/* Returns the number from 0 to `period` - 1 that differs from `place` by a multiple of `period`. */
static int64_t within(int64_t place, int64_t period)
{
    return (place % period + period) % period;
}

/* Returns how to compute `count` rows from row `at` on, as img_canvas_rows does, but for a source
 * that is repeated beyond its edges (--border wrap). */
static ImgCanvasRows wrapped_rows(int64_t at, int64_t count, int64_t height)
{
    const int64_t from = within(at, height), end = from + count;
    if (end <= height)
        return (ImgCanvasRows){.first = from, .end = end};
    return (ImgCanvasRows){.first = 0, .end = height, .below = end - height, .skip = from};
}

/* Like img_canvas_rows, but for a source that is mirrored beyond its edges (--border reflect). The
 * source rows `first` to `end` - 1 include all rows that appear mirrored. Mirroring does not repeat
 * the row at the edge. So if the range has only mirrored rows, the source rows begin with one more
 * row, which serves as the edge and does not appear in the result. */
static ImgCanvasRows reflected_rows(int64_t at, int64_t count, int64_t height)
{
    const int64_t last = height - 1, period = 2 * last;
    if (last == 0)
        return img_canvas_rows(at, count, height);
    int64_t from = within(at, period);
    from -= from > last ? period : 0;
    const int64_t end = from + count;
    if (end <= 0)
        return (ImgCanvasRows){.first = -end, .end = 1 - from, .above = count};
    ImgCanvasRows band = {.first = from, .end = end};
    if (from < 0) {
        band.above = -from;
        band.first = 0;
        band.end = end > 1 - from ? end : 1 - from;
    }
    if (end > height) {
        const int64_t mirrored = 2 * last - (end - 1);
        band.below = end - height;
        band.first = mirrored < 0 ? 0 : mirrored < band.first ? mirrored : band.first;
        band.end = height;
    }
    band.skip = from < 0 ? 0 : from - band.first;
    return band;
}

static ImgCanvasRows rows_of(const PadParams *own, int64_t at, int64_t count, int32_t height)
{
    if (own->around.border == IMG_BORDER_WRAP)
        return wrapped_rows(at, count, height);
    if (own->around.border == IMG_BORDER_REFLECT)
        return reflected_rows(at, count, height);
    return img_canvas_rows(at, count, height);
}

/* Implements ImgOp.bands.part. The background determines the format of the result only if the
 * canvas is larger than the picture. If the canvas is larger only above and below, a part may need
 * no background row. Such a part gets a background row that is not used; otherwise its result could
 * have another format than the whole result. */
static bool part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    PadParams *own = (PadParams *)(void *)part->params.bytes;
    Layout layout;
    if (lay_out(src, params_of_call, &layout, NULL) != IMG_OK)
        return false;
    ImgCanvasRows band =
        rows_of(own, wanted.first - layout.y, (int64_t)wanted.end - wanted.first, src.height);
    if (own->around.border == IMG_BORDER_CONSTANT && layout.height > src.height &&
        layout.width == src.width && band.above + band.below == 0) {
        band.above++;
        band.skip++;
    }
    if (band.above + (band.end - band.first) + band.below > INT32_MAX)
        return false;
    *own = (PadParams){.left = (int32_t)layout.x,
                       .right = (int32_t)(layout.width - layout.x) - src.width,
                       .top = (int32_t)band.above,
                       .bottom = (int32_t)band.below,
                       .gravity = own->gravity,
                       .around = own->around};
    part->src.y = (int32_t)band.first;
    part->src.height = (int32_t)(band.end - band.first);
    part->skip = (int32_t)band.skip;
    return true;
}

/* --- Implementations -------------------------------------------------------------------------- */

ImgStatus img_pad_canvas(const ImgCall *call, ImgCanvas *canvas, ImgError *err)
{
    const PadParams *own = call->params;
    Layout layout;
    ImgStatus status = lay_out(img_view_shape(&call->src), own, &layout, err);
    if (status != IMG_OK)
        return status;
    *canvas = img_canvas_make((int32_t)layout.x, (int32_t)layout.y, &own->around, call->dst.format);
    return IMG_OK;
}

static ImgStatus run_reference(const ImgCall *call, ImgError *err)
{
    ImgCanvas canvas;
    const ImgStatus status = img_pad_canvas(call, &canvas, err);
    return status == IMG_OK ? img_canvas_reference(call, &canvas) : status;
}

static ImgStatus run_cpu(const ImgCall *call, ImgError *err)
{
    ImgCanvas canvas;
    const ImgStatus status = img_pad_canvas(call, &canvas, err);
    return status == IMG_OK ? img_canvas_cpu(call, &canvas) : status;
}

#ifdef IMGTOOL_CUDA
static ImgStatus run_cuda_fast(const ImgCall *call, ImgError *err)
{
    ImgCanvas canvas;
    const ImgStatus status = img_pad_canvas(call, &canvas, err);
    return status == IMG_OK ? img_canvas_cuda_fast(call, &canvas, err) : status;
}
#endif

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, pixel by pixel",
     .run = run_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads; rows are copied, and margins filled by copies that double in length",
     .run = run_cpu},
    {.name = "cuda-naive",
     .backend = IMG_BACKEND_CUDA,
     .note = "one pixel per thread",
     .run = IMG_CUDA_RUN(img_pad_cuda_naive)},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "16 bytes per thread; only threads at edges handle single bytes",
     .run = IMG_CUDA_RUN(run_cuda_fast)},
    {.name = NULL},
};

const ImgOp img_op_pad = {
    .name = "pad",
    .group = IMG_GROUP_GEOMETRY,
    .synopsis = "Add margins around the picture",
    .help = "Adds the margins first, then enlarges the canvas to --size, then to --aspect. "
            "--gravity places the picture on the enlarged canvas; an odd pixel goes to the "
            "right or to the bottom. A --size smaller than the picture is an error: pad never "
            "crops. For --aspect the size is rounded to whole pixels.\n\n"
            "Palettes keep their indices, and the margin's colour is added to the palette if it "
            "is missing. If the palette is full, the result is RGB or RGBA. With --border "
            "constant, a transparent colour (tRNS) becomes an alpha channel; the other borders "
            "repeat pixels and keep it.\n\n"
            "If pixels are added, a margin that is not opaque gives the result an alpha "
            "channel. One that is not gray turns gray pictures into RGB. In gray pictures of 1, "
            "2 or 4 bits, a gray margin takes the nearest value.",
    .example = "--aspect 16:9 --background white",
    .params = params,
    .params_size = sizeof(PadParams),
    .needs_param = true,
    .shape = shape,
    .palette = {.keeps = keeps_palette, .bind = bind_palette},
    .cost = {.cpu_ns_per_byte = 0.03},
    .effect = {.get = effect},
    .bands = {.part = part},
    .impls = impls,
};
