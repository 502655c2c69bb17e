/* crop: keeps a rectangle of a picture. */
#include "kernels/crop/crop.h"

#include <string.h>

#include "kernels/core/cuda/move_many.h"
#include "kernels/core/geometry/gravity.h"
#include "kernels/core/params.h"

static const ImgChoice gravities[] = {{"auto", IMG_CROP_AUTO},
                                      {"northwest", IMG_GRAVITY_NORTHWEST},
                                      {"north", IMG_GRAVITY_NORTH},
                                      {"northeast", IMG_GRAVITY_NORTHEAST},
                                      {"west", IMG_GRAVITY_WEST},
                                      {"center", IMG_GRAVITY_CENTER},
                                      {"east", IMG_GRAVITY_EAST},
                                      {"southwest", IMG_GRAVITY_SOUTHWEST},
                                      {"south", IMG_GRAVITY_SOUTH},
                                      {"southeast", IMG_GRAVITY_SOUTHEAST},
                                      {NULL, 0}};

static const ImgChoice no_yes[] = {{"no", 0}, {"yes", 1}, {NULL, 0}};
static const ImgChoice clamp_flag[] = {{"clamp", 1}, {NULL, 0}};

#define INT_PARAM(member, least, what)                                                             \
    {                                                                                              \
        .name = #member, .type = IMG_PARAM_INT, .offset = offsetof(ImgCropParams, member),         \
        .default_value = "0", .min = (least), .max = INT32_MAX, .help = (what)                     \
    }

static const ImgParam params[] = {
    INT_PARAM(x, -INT32_MAX,
              "distance in pixels from the left edge, or from the right edge if --gravity names "
              "it. With north, center or south: distance to the right of the centred position"),
    INT_PARAM(y, -INT32_MAX,
              "distance in pixels from the top edge, or from the bottom edge if --gravity names "
              "it. With west, center or east: distance down from the centred position"),
    INT_PARAM(width, 0, "width of the rectangle in pixels; 0: up to the edge"),
    INT_PARAM(height, 0, "height of the rectangle in pixels; 0: up to the edge"),
    {.name = "aspect",
     .type = IMG_PARAM_RATIO,
     .offset = offsetof(ImgCropParams, aspect),
     .default_value = "",
     .help = "keep the largest rectangle of this ratio of width to height, such as 16:9"},
    {.name = "gravity",
     .type = IMG_PARAM_CHOICE,
     .is_detail = true,
     .offset = offsetof(ImgCropParams, gravity),
     .default_value = "auto",
     .choices = gravities,
     .synonyms = img_gravity_synonyms,
     .help = "edge or corner from which --x and --y count; auto: center for --aspect, else "
             "northwest"},
    {.name = "clamp",
     .type = IMG_PARAM_CHOICE,
     .is_detail = true,
     .offset = offsetof(ImgCropParams, clamp),
     .default_value = "no",
     .choices = no_yes,
     .flags = clamp_flag,
     .help = "if the rectangle reaches outside the picture, keep the part inside; --clamp alone "
             "means yes"},
    {.name = NULL}};

/* --- Geometry --------------------------------------------------------------------------------- */

/* Range of pixels to keep along one axis. It may extend beyond the picture. */
typedef struct Span {
    int64_t start, size;
} Span;

static int32_t gravity_of(const ImgCropParams *own)
{
    if (own->gravity != IMG_CROP_AUTO)
        return own->gravity;
    return own->aspect.height > 0 ? IMG_GRAVITY_CENTER : IMG_GRAVITY_NORTHWEST;
}

/* Returns side * by / over, rounded to the nearest integer, but at least 1. `side` is a length in
 * pixels. */
static int64_t scaled(int64_t side, int64_t by, int64_t over)
{
    const int64_t pixels = (2 * side * by + over) / (2 * over);
    return pixels > 0 ? pixels : 1;
}

/* Sets *width and *height as the aspect ratio requires. If the user gave one of them, it determines
 * the other. If the user gave neither, they become the largest size that fits into the picture. */
static void apply_aspect(const ImgCropParams *own, ImgShape src, int64_t *width, int64_t *height)
{
    const ImgRatio ratio = own->aspect;
    if (own->width == 0 && own->height == 0) {
        const bool wide = (int64_t)src.width * ratio.height <= (int64_t)src.height * ratio.width;
        *width = wide ? src.width : scaled(src.height, ratio.width, ratio.height);
        *height = wide ? scaled(src.width, ratio.height, ratio.width) : src.height;
    } else if (own->width == 0) {
        *width = scaled(own->height, ratio.width, ratio.height);
    } else {
        *height = scaled(own->width, ratio.height, ratio.width);
    }
}

/* Returns the range of pixels to keep along one axis. `place` is 0, 1 or 2: the range is at the
 * start, in the middle or at the end of the picture, which has `outer` pixels. `offset` moves it by
 * pixels: inwards from the start or the end, or from the middle towards the end. A `size` of 0
 * means up to the edge. */
static Span span_of(int32_t place, int32_t outer, int64_t size, int32_t offset)
{
    const int64_t away = offset < 0 ? -(int64_t)offset : offset;
    if (size == 0)
        size = place == 1 ? outer - 2 * away : outer - (int64_t)offset;
    if (place == 0)
        return (Span){offset, size};
    if (place == 2)
        return (Span){outer - size - offset, size};
    return (Span){(outer - size) / 2 + offset, size};
}

static Span clamped(Span span, int32_t outer)
{
    const int64_t start = span.start > 0 ? span.start : 0, end = span.start + span.size;
    return (Span){start, (end < outer ? end : outer) - start};
}

static bool is_inside(Span span, int32_t outer)
{
    return span.start >= 0 && span.size > 0 && span.start + span.size <= outer;
}

static ImgStatus refuse_place(ImgShape src, Span across, Span down, ImgError *err)
{
    const bool starts =
        across.start >= 0 && across.start < src.width && down.start >= 0 && down.start < src.height;
    if (!starts)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "crop: the corner (%lld, %lld) is outside the picture of %d x %d; use x up "
                        "to %d and y up to %d, or clamp to keep the part that is inside",
                        (long long)across.start, (long long)down.start, src.width, src.height,
                        src.width - 1, src.height - 1);
    return img_fail(err, IMG_E_UNSUPPORTED,
                    "crop: %lld x %lld at (%lld, %lld) reaches outside the picture of %d x %d; use "
                    "at most %lld x %lld there, or clamp to keep the part that is inside",
                    (long long)across.size, (long long)down.size, (long long)across.start,
                    (long long)down.start, src.width, src.height,
                    (long long)(src.width - across.start), (long long)(src.height - down.start));
}

ImgStatus img_crop_place(const ImgCropParams *own, ImgShape src, ImgCropPlace *place, ImgError *err)
{
    int64_t width = own->width, height = own->height;
    if (own->aspect.height > 0)
        apply_aspect(own, src, &width, &height);
    const int32_t gravity = gravity_of(own);
    Span across = span_of(gravity % 3, src.width, width, own->x);
    Span down = span_of(gravity / 3, src.height, height, own->y);
    if (own->clamp) {
        const Span wanted_across = across, wanted_down = down;
        across = clamped(across, src.width);
        down = clamped(down, src.height);
        if (across.size <= 0 || down.size <= 0)
            return img_fail(err, IMG_E_UNSUPPORTED,
                            "crop: the picture of %d x %d does not overlap the %lld x %lld at "
                            "(%lld, %lld); move it inside",
                            src.width, src.height, (long long)wanted_across.size,
                            (long long)wanted_down.size, (long long)wanted_across.start,
                            (long long)wanted_down.start);
    } else if (!is_inside(across, src.width) || !is_inside(down, src.height)) {
        return refuse_place(src, across, down, err);
    }
    *place = (ImgCropPlace){(int32_t)across.start, (int32_t)down.start, (int32_t)across.size,
                            (int32_t)down.size};
    return IMG_OK;
}

/* Returns the rectangle to keep. This cannot fail, because the operation's function `shape` has
 * accepted the same parameters before. */
static ImgCropPlace place_of(ImgShape src, const void *params_of_call)
{
    ImgCropPlace place = {0, 0, 0, 0};
    (void)img_crop_place(params_of_call, src, &place, NULL);
    return place;
}

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    const ImgCropParams *own = params_of_call;
    ImgCropPlace place;
    if (own->aspect.height > 0 && own->width > 0 && own->height > 0)
        return img_fail(err, IMG_E_USAGE,
                        "crop: width, height and aspect exclude each other; leave out one");
    ImgStatus status = img_crop_place(own, src, &place, err);
    if (status != IMG_OK)
        return status;
    *dst = src;
    dst->width = place.width;
    dst->height = place.height;
    return IMG_OK;
}

/* Implements ImgOp.bands.part. The source of the part is already cropped. So the part gets default
 * parameters, with which it keeps all of its source. */
static bool part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    const ImgCropPlace place = place_of(src, params_of_call);
    const ImgCropParams whole = {.gravity = IMG_CROP_AUTO};
    part->src = (ImgRect){place.x, place.y + wanted.first, place.width, wanted.end - wanted.first};
    part->skip = 0;
    memcpy(part->params.bytes, &whole, sizeof whole);
    return true;
}

static uint64_t traffic(ImgShape src, const void *params_of_call)
{
    const ImgCropPlace place = place_of(src, params_of_call);
    uint64_t pixels = (uint64_t)place.width * (uint64_t)place.height;
    return 2 * pixels * img_format_pixel_size(src.format);
}

static ImgEffect effect(ImgShape src, const void *params_of_call)
{
    const ImgCropPlace place = place_of(src, params_of_call);
    bool whole = place.width == src.width && place.height == src.height;
    return (ImgEffect){.turn = IMG_TURN_NONE, .cropped = !whole};
}

typedef struct Copy {
    const ImgView *src, *dst;
    size_t row_bytes;
} Copy;

static void copy_rows(void *context, int64_t first, int64_t end)
{
    const Copy *copy = context;
    for (int64_t y = first; y < end; y++)
        memcpy(copy->dst->data + (size_t)y * copy->dst->stride,
               copy->src->data + (size_t)y * copy->src->stride, copy->row_bytes);
}

static ImgStatus run_cpu(const ImgCall *call, ImgError *err)
{
    (void)err;
    bool small = traffic(img_view_shape(&call->src), call->params) < IMG_BYTES_WORTH_THREADS;
    int threads = small ? 1 : call->threads;
    const ImgCropPlace place = place_of(img_view_shape(&call->src), call->params);
    const ImgView *dst = &call->dst;
    ImgView src = img_view_crop(&call->src, place.x, place.y, place.width, place.height);
    Copy copy = {&src, dst, (size_t)dst->width * img_format_pixel_size(dst->format)};
    img_parallel_for(call->team, threads, dst->height, copy_rows, &copy);
    return IMG_OK;
}

static ImgStatus run_reference(const ImgCall *call, ImgError *err)
{
    (void)err;
    const ImgCropPlace place = place_of(img_view_shape(&call->src), call->params);
    const ImgView *src = &call->src, *dst = &call->dst;
    size_t size = img_format_pixel_size(src->format);
    for (int32_t y = 0; y < dst->height; y++)
        for (int32_t x = 0; x < dst->width; x++)
            memcpy(dst->data + (size_t)y * dst->stride + (size_t)x * size,
                   src->data + (size_t)(place.y + y) * src->stride + (size_t)(place.x + x) * size,
                   size);
    return IMG_OK;
}

static const ImgManyRun many = {IMG_MOVE_BYTES, IMG_CUDA_RUN(img_crop_cuda_run_many)};

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, pixel by pixel",
     .run = run_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads, one memory copy per row",
     .run = run_cpu},
    {.name = "cuda-many",
     .backend = IMG_BACKEND_CUDA,
     .note = "one pixel per thread, for many small pictures in one launch",
     .run = IMG_CUDA_RUN(img_crop_cuda_many),
     .workspace = img_move_workspace,
     .many = &many},
    {.name = "cuda-copy",
     .backend = IMG_BACKEND_CUDA,
     .note = "the driver's two-dimensional copy",
     .run = IMG_CUDA_RUN(img_crop_cuda_copy)},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "16 bytes per thread, shifted to the start of the rectangle",
     .run = IMG_CUDA_RUN(img_crop_cuda_fast)},
    {.name = NULL},
};

/* --- "300x200+10+20" -------------------------------------------------------------------------- */

/* Reads an unsigned decimal number at *at into *pixels, and moves *at past it. Returns false if
 * there is no number, or if it does not fit 32 bits. */
static bool read_pixels(const char **at, int32_t *pixels)
{
    int64_t number = 0;
    const char *digit = *at;
    for (; *digit >= '0' && *digit <= '9' && number <= INT32_MAX; digit++)
        number = 10 * number + (*digit - '0');
    const bool any = digit > *at && number <= INT32_MAX;
    *at = digit;
    *pixels = (int32_t)(any ? number : 0);
    return any;
}

static bool read_offset(const char **at, int32_t *offset)
{
    const char sign = **at;
    if (sign != '+' && sign != '-')
        return false;
    (*at)++;
    if (!read_pixels(at, offset))
        return false;
    *offset = sign == '-' ? -*offset : *offset;
    return true;
}

/* Parses the short form of the options: "WxH", "WxH+X+Y" with a minus for negative offsets, or an
 * aspect ratio "W:H". */
static bool set_shorthand(const ImgOp *op, const char *text, void *params_of_call)
{
    ImgCropParams *own = params_of_call;
    if (strchr(text, ':') != NULL)
        return img_params_set(op, params_of_call, "aspect", text, NULL) == IMG_OK;
    if (!read_pixels(&text, &own->width) || *text++ != 'x' || !read_pixels(&text, &own->height) ||
        own->width == 0 || own->height == 0)
        return false;
    if (*text == '\0')
        return true;
    return read_offset(&text, &own->x) && read_offset(&text, &own->y) && *text == '\0';
}

const ImgOp img_op_crop = {
    .name = "crop",
    .group = IMG_GROUP_GEOMETRY,
    .synopsis = "Crop to a rectangle or an aspect ratio",
    .help = "'crop 300x200+10+20' keeps 300 x 200 pixels from column 10 and row 20 on; the "
            "first column and row are 0. 'crop 16:9' keeps the largest rectangle of that "
            "ratio.\n\n"
            "--gravity sets where --x and --y begin. '--width 300 --height 200 --gravity "
            "southeast' keeps the bottom right corner. With gravity north, center or south, --x "
            "moves the rectangle to the right of its centred position; with west, center or east, "
            "--y moves it down.\n\n"
            "A rectangle that reaches outside the picture, for example with --x -10, is an "
            "error. With --clamp, the part that is inside is kept.",
    .example = "--x 10 --y 20 --width 300 --height 200",
    .params = params,
    .params_size = sizeof(ImgCropParams),
    .needs_param = true,
    .shorthand = {.form = "WxH+X+Y|W:H", .set = set_shorthand},
    .shape = shape,
    .palette = {.keeps = img_keeps_palette},
    .cost = {.cpu_ns_per_byte = 0.03, .traffic = traffic},
    .effect = {.get = effect},
    .bands = {.part = part},
    .impls = impls,
};
