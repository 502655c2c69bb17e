/* overlay: composites a second picture (the logo) over the source picture. */
#include "kernels/canvas/overlay.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/core/geometry/gravity.h"
#include "kernels/core/sample.h"
#include "kernels/window/border.h"

static const ImgChoice tiles[] = {{"off", 0}, {"on", 1}, {NULL, 0}};

#define OFFSET_PARAM(member, what)                                                                 \
    {                                                                                              \
        .name = #member, .type = IMG_PARAM_INT, .offset = offsetof(ImgOverlayParams, member),      \
        .default_value = "0", .min = -INT32_MAX, .max = INT32_MAX, .help = (what)                  \
    }

static const ImgParam params[] = {
    {.name = "image",
     .type = IMG_PARAM_FILE,
     .offset = offsetof(ImgOverlayParams, image),
     .default_value = "",
     .help = "PNG file to draw on top; another way to give the operand IMAGE"},
    IMG_GRAVITY_PARAM(ImgOverlayParams, gravity, "position of the overlay"),
    OFFSET_PARAM(x, "distance in pixels from the left edge, or from the right edge if --gravity "
                    "names it. With north, center or south: distance to the right of the "
                    "centred position"),
    OFFSET_PARAM(y, "distance in pixels from the top edge, or from the bottom edge if --gravity "
                    "names it. With west, center or east: distance down from the centred "
                    "position"),
    {.name = "opacity",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(ImgOverlayParams, opacity),
     .default_value = "1",
     .min = 0,
     .max = IMG_OVERLAY_OPAQUE,
     .help = "opacity of the overlay, multiplied by its alpha; 0: invisible"},
    {.name = "tile",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(ImgOverlayParams, tile),
     .default_value = "off",
     .choices = tiles,
     .help = "on: repeat the overlay over the whole picture"},
    {.name = NULL}};

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    const ImgOverlayParams *own = params_of_call;
    if (own->image.path[0] == '\0')
        return img_fail(err, IMG_E_USAGE,
                        "overlay: the picture to draw is missing; name it with the option image");
    return img_values_shape(src, params_of_call, dst, err);
}

/* --- The second picture ----------------------------------------------------------------------- */

static bool has_colors(ImgFormat format)
{
    return format.color == IMG_COLOR_RGB || format.color == IMG_COLOR_RGBA;
}

/* Returns the pixel with index `number`, counted row by row, as an RGBA colour of 16 bits per
 * sample. A gray pixel gets three equal colours. */
static ImgRgba color_at(const ImgPicture *picture, size_t number)
{
    const ImgFormat format = picture->shape.format;
    const int channels = img_format_channels(format);
    const uint32_t maximum = img_format_maximum(format);
    uint16_t samples[4] = {0};
    /* scaling to 16 bits is exact, because 65535 is a multiple of the largest sample at every
     * depth */
    for (int c = 0; c < channels; c++)
        samples[c] = (uint16_t)(img_sample(picture->pixels, number * (size_t)channels + (size_t)c,
                                           format.bits) *
                                (65535 / maximum));
    const uint16_t alpha = img_format_has_alpha(format) ? samples[channels - 1] : 65535;
    if (has_colors(format))
        return (ImgRgba){samples[0], samples[1], samples[2], alpha};
    return (ImgRgba){samples[0], samples[0], samples[0], alpha};
}

/* Converts the picture to the nearest values of `format`, with an alpha channel added, and stores
 * the pixels in `logo`. If `format` is gray, colours are replaced by their luma. */
static void fill_logo(const ImgPicture *picture, ImgFormat format, ImgOverlayLogo *logo)
{
    const size_t channels = (size_t)logo->colors + 1;
    const size_t count = (size_t)logo->width * (size_t)logo->height;
    for (size_t i = 0; i < count; i++) {
        const ImgBorderParams color = {.background = color_at(picture, i)};
        uint16_t samples[4];
        img_border_samples(format, &color, samples);
        for (size_t c = 0; c < channels; c++)
            img_sample_set(logo->samples, i * channels + c, format.bits, samples[c]);
    }
}

static ImgFormat logo_format(ImgFormat src)
{
    return (ImgFormat){has_colors(src) ? IMG_COLOR_RGBA : IMG_COLOR_GRAY_ALPHA,
                       src.bits < 8 ? 8 : src.bits};
}

/* Returns the number of bytes that the logo needs after conversion to the format of the source. */
static uint64_t constants_bytes(ImgShape src, const void *params_of_call)
{
    const ImgOverlayParams *own = params_of_call;
    const ImgPicture *picture = own->image.content;
    if (picture == NULL)
        return 0;
    return sizeof(ImgOverlayLogo) + (uint64_t)picture->shape.width *
                                        (uint64_t)picture->shape.height *
                                        img_format_pixel_size(logo_format(src.format));
}

static ImgStatus prepare(const ImgOp *op, ImgShape src, const void *params_of_call,
                         ImgConstants *constants, ImgError *err)
{
    const ImgOverlayParams *own = params_of_call;
    const ImgPicture *picture = own->image.content;
    (void)op;
    if (picture == NULL)
        return img_fail(err, IMG_E_USAGE, "overlay: %s has not been loaded", own->image.path);
    const ImgFormat format = logo_format(src.format);
    const size_t pixels = (size_t)picture->shape.width * (size_t)picture->shape.height;
    const size_t size = sizeof(ImgOverlayLogo) + pixels * img_format_pixel_size(format);
    ImgOverlayLogo *logo = malloc(size);
    if (logo == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for %d x %d pixels of %s",
                        picture->shape.width, picture->shape.height, own->image.path);
    logo->width = picture->shape.width;
    logo->height = picture->shape.height;
    logo->colors = img_format_channels(format) - 1;
    logo->bits = format.bits;
    fill_logo(picture, format, logo);
    *constants = (ImgConstants){logo, size};
    return IMG_OK;
}

/* --- The operation ---------------------------------------------------------------------------- */

/* Returns the coordinate at which the logo starts along one axis. `place` is 0, 1 or 2: the logo is
 * at the near edge, in the middle, or at the far edge, as in ImgGravity. `start` is the coordinate
 * without offset, and `offset` moves the logo inwards from its edge. If the logo is repeated,
 * `period` is the distance between copies; otherwise it is 0. Positions are limited to 32 bits: a
 * single logo that far away is invisible anyway. */
static int32_t offset_from(int32_t place, int32_t start, int32_t offset, int32_t period)
{
    const int64_t at = (int64_t)start + (place == 2 ? -(int64_t)offset : offset);
    if (period > 0)
        return (int32_t)(at % period);
    return at > INT32_MAX ? INT32_MAX : at < -INT32_MAX ? -INT32_MAX : (int32_t)at;
}

static ImgOverlayPlace place_in(ImgShape src, const ImgOverlayParams *own, int32_t width,
                                int32_t height)
{
    const ImgPlace stands = img_gravity_place(own->gravity, src.width, src.height, width, height);
    const int32_t across = own->tile ? width : 0, down = own->tile ? height : 0;
    return (ImgOverlayPlace){.x = offset_from(own->gravity % 3, stands.x, own->x, across),
                             .y = offset_from(own->gravity / 3, stands.y, own->y, down),
                             .width = width,
                             .height = height,
                             .tile = own->tile};
}

ImgOverlayPlace img_overlay_place(const ImgCall *call)
{
    const ImgOverlayLogo *logo = call->constants.bytes;
    return place_in(img_view_shape(&call->src), call->params, logo->width, logo->height);
}

/* Implements ImgOp.bands.part. The part needs the same rows of the source as of the result. The
 * parameters of the part put the logo on the same pixels, with offsets from the upper left corner.
 * If the logo has not been loaded yet, the function computes with a logo of one pixel. */
static bool part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    ImgOverlayParams *own = (ImgOverlayParams *)(void *)part->params.bytes;
    const ImgPicture *picture = own->image.content;
    const int32_t width = picture != NULL ? picture->shape.width : 1;
    const int32_t height = picture != NULL ? picture->shape.height : 1;
    const ImgOverlayPlace place = place_in(src, params_of_call, width, height);
    own->gravity = IMG_GRAVITY_NORTHWEST;
    own->x = place.x;
    own->y = offset_from(0, place.y, -wanted.first, place.tile ? height : 0);
    part->src.y = wanted.first;
    part->src.height = wanted.end - wanted.first;
    part->skip = 0;
    return true;
}

static ImgStatus run_reference(const ImgCall *call, ImgError *err)
{
    const ImgView *src = &call->src, *dst = &call->dst;
    const ImgOverlayParams *own = call->params;
    const ImgOverlayLogo *logo = call->constants.bytes;
    const ImgOverlayPlace place = img_overlay_place(call);
    const int channels = img_format_channels(dst->format);
    const uint32_t scale = img_window_scale(src->format);
    (void)err;
    for (int32_t y = 0; y < dst->height; y++) {
        const uint8_t *from = src->data + (size_t)y * src->stride;
        uint8_t *to = dst->data + (size_t)y * dst->stride;
        const int32_t logo_y = img_overlay_along(y, place.y, place.height, place.tile);
        for (int32_t x = 0; x < dst->width; x++) {
            const int32_t logo_x = img_overlay_along(x, place.x, place.width, place.tile);
            const size_t at = (size_t)x * (size_t)channels;
            uint32_t pixel[4] = {0}, above[4] = {0};
            for (int c = 0; c < channels; c++)
                pixel[c] = img_sample(from, at + (size_t)c, src->format.bits) * scale;
            if (logo_x >= 0 && logo_y >= 0) {
                const size_t number = (size_t)logo_y * (size_t)place.width + (size_t)logo_x;
                for (int c = 0; c <= logo->colors; c++)
                    above[c] = img_sample(
                        logo->samples, number * ((size_t)logo->colors + 1) + (size_t)c, logo->bits);
                img_overlay_pixel(above, pixel, logo->colors, img_format_has_alpha(dst->format),
                                  (uint32_t)own->opacity, img_format_maximum(dst->format));
            }
            for (int c = 0; c < channels; c++)
                img_sample_set(to, at + (size_t)c, dst->format.bits, pixel[c]);
        }
    }
    return IMG_OK;
}

/* Returns true if samples have at least 8 bits. Then a sample has whole bytes, and rows can be
 * copied unchanged. */
static bool applies_to_bytes(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    (void)op, (void)params_of_call;
    return src.format.bits >= 8;
}

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, pixel by pixel",
     .run = run_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads; rows are copied, and only covered pixels are blended",
     .run = img_overlay_cpu},
    IMG_X86_IMPLS(img_overlay_cpu),
    {.name = "cuda-naive",
     .backend = IMG_BACKEND_CUDA,
     .note = "one pixel per thread",
     .run = IMG_CUDA_RUN(img_overlay_cuda_naive)},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "copies 16 bytes per thread, then blends one covered pixel per thread",
     .run = IMG_CUDA_RUN(img_overlay_cuda_fast),
     .applies = applies_to_bytes},
    {.name = NULL},
};

const ImgOp img_op_overlay = {
    .name = "overlay",
    .group = IMG_GROUP_GEOMETRY,
    .synopsis = "Draw another picture on top, such as a watermark",
    .help =
        "Draws the overlay on the picture by normal alpha blending (Porter-Duff over), with "
        "its alpha multiplied by --opacity. Parts outside the picture are cut off.\n\n"
        "--x and --y are distances inwards from the edges that --gravity names: --gravity "
        "southeast --x 10 --y 10 leaves a margin of 10 pixels. With the default gravity, center, "
        "they move the overlay to the right and down.\n\n"
        "The result keeps the colour type and depth of the picture. Only palettes become RGB "
        "or RGBA, and samples of fewer than 8 bits become 8 bits. On a gray picture, the "
        "overlay is converted to gray. Colour profile and orientation of the overlay are "
        "ignored.",
    .example = "--image logo.png --gravity southeast",
    .params = params,
    .params_size = sizeof(ImgOverlayParams),
    .needs_param = true,
    .shape = shape,
    .file = {.is_picture = true},
    .cost = {.cpu_ns_per_byte = 0.06},
    .constants = {.prepare = prepare, .bytes = constants_bytes},
    .bands = {.part = part},
    .impls = impls,
};
