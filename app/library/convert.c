/* From one format to another: 8 and 16 bits by convert_whole.c, floats and fewer bits pixel by
 * pixel. */
#include <string.h>

#include "app/library/convert.h"
#include "app/library/default_floats.h"
#include "kernels/core/color/luma.h"
#include "kernels/core/op.h"

enum { FLOAT_BITS = 32 };

typedef void RowFunction(const void *from, imgtool_format from_format, void *to,
                         imgtool_format to_format, int32_t width);

/* --- Floats, and few bits --------------------------------------------------------------------- */

typedef struct Pixel {
    double red, green, blue, alpha; /* from 0 to 1 */
} Pixel;

static double sample_at(const void *from, size_t index, int32_t bits)
{
    if (bits == FLOAT_BITS) {
        const float value = ((const float *)from)[index];
        return value > 0 ? (value < 1 ? (double)value : 1) : 0; /* what is no number is 0 */
    }
    const uint32_t value =
        bits == 16 ? ((const uint16_t *)from)[index] : ((const uint8_t *)from)[index];
    const uint32_t maximum = (UINT32_C(1) << bits) - 1;
    return (double)(value < maximum ? value : maximum) / maximum;
}

static void put_sample(double value, void *to, size_t index, int32_t bits)
{
    if (bits == FLOAT_BITS)
        ((float *)to)[index] = (float)value;
    else if (bits == 16)
        ((uint16_t *)to)[index] = (uint16_t)(value * UINT16_MAX + 0.5);
    else
        ((uint8_t *)to)[index] = (uint8_t)(value * UINT8_MAX + 0.5);
}

static size_t channels_of(imgtool_color color)
{
    return (img_lib_is_color(color) ? 3 : 1) + (img_lib_has_alpha(color) ? 1 : 0);
}

static Pixel load(const void *from, size_t x, imgtool_format format)
{
    const bool color = img_lib_is_color(format.color), swapped = format.color == IMGTOOL_BGRA;
    const size_t channels = channels_of(format.color), at = x * channels;
    Pixel pixel;
    pixel.red = sample_at(from, at + (swapped ? 2 : 0), format.bits);
    pixel.green = color ? sample_at(from, at + 1, format.bits) : pixel.red;
    pixel.blue = color ? sample_at(from, at + (swapped ? 0 : 2), format.bits) : pixel.red;
    pixel.alpha =
        img_lib_has_alpha(format.color) ? sample_at(from, at + channels - 1, format.bits) : 1;
    return pixel;
}

static double luma_of(Pixel pixel)
{
    const ImgLumaWeights weights = img_luma_weights_24(IMG_LUMA_709);
    return (weights.red * pixel.red + weights.green * pixel.green + weights.blue * pixel.blue) /
           (1 << 24);
}

static void store(Pixel pixel, bool is_gray, void *to, size_t x, imgtool_format format)
{
    const bool color = img_lib_is_color(format.color), swapped = format.color == IMGTOOL_BGRA;
    const size_t channels = channels_of(format.color), at = x * channels;
    put_sample(color || is_gray ? pixel.red : luma_of(pixel), to, at + (swapped ? 2 : 0),
               format.bits);
    if (color) {
        put_sample(pixel.green, to, at + 1, format.bits);
        put_sample(pixel.blue, to, at + (swapped ? 0 : 2), format.bits);
    }
    if (img_lib_has_alpha(format.color))
        put_sample(pixel.alpha, to, at + channels - 1, format.bits);
}

static void convert_any(const void *from, imgtool_format from_format, void *to,
                        imgtool_format to_format, int32_t width)
{
    const bool is_gray = !img_lib_is_color(from_format.color);
    for (size_t x = 0; x < (size_t)width; x++)
        store(load(from, x, from_format), is_gray, to, x, to_format);
}

static void copy_row(const void *from, imgtool_format from_format, void *to,
                     imgtool_format to_format, int32_t width)
{
    (void)to_format;
    memcpy(to, from, (size_t)width * imgtool_pixel_size(from_format));
}

/* --- Pictures --------------------------------------------------------------------------------- */

static bool is_same(imgtool_format a, imgtool_format b)
{
    return a.color == b.color && a.bits == b.bits;
}

bool img_lib_converts(imgtool_format from, imgtool_format to)
{
    if (imgtool_pixel_size(from) == 0 || imgtool_pixel_size(to) == 0)
        return false;
    return is_same(from, to) ||
           (from.color != IMGTOOL_PALETTE && to.color != IMGTOOL_PALETTE && to.bits >= 8);
}

static bool is_whole(int32_t bits)
{
    return bits == 8 || bits == 16;
}

static RowFunction *way_of(imgtool_format from, imgtool_format to)
{
    if (is_same(from, to))
        return copy_row;
    return is_whole(from.bits) && is_whole(to.bits) ? img_lib_convert_whole : convert_any;
}

typedef struct Conversion {
    const imgtool_picture *from, *to;
    RowFunction *row;
} Conversion;

static void convert_rows(void *context, int64_t first, int64_t end)
{
    const Conversion *all = context;
    const imgtool_picture *from = all->from, *to = all->to;
    for (size_t y = (size_t)first; y < (size_t)end; y++)
        all->row((const uint8_t *)from->pixels + y * from->stride, from->format,
                 (uint8_t *)to->pixels + y * to->stride, to->format, from->width);
}

void img_lib_convert(const imgtool_picture *from, const imgtool_picture *to, ImgTeam *team,
                     int threads)
{
    Conversion all = {from, to, way_of(from->format, to->format)};
    const size_t bytes = (size_t)from->width * (size_t)from->height *
                         (imgtool_pixel_size(from->format) + imgtool_pixel_size(to->format));
    img_parallel_for(team, bytes < IMG_BYTES_WORTH_THREADS ? 1 : threads, from->height,
                     convert_rows, &all);
}

static size_t row_bytes(const imgtool_picture *picture)
{
    return (size_t)picture->width * imgtool_pixel_size(picture->format);
}

/* Rows of one stride may lie beside each other: parts of one sheet. */
static bool lie_side_by_side(const imgtool_picture *a, const imgtool_picture *b)
{
    const size_t stride = a->stride;
    const uintptr_t first = (uintptr_t)a->pixels, second = (uintptr_t)b->pixels;
    if (b->stride != stride)
        return false;
    const size_t behind =
        second >= first ? (second - first) % stride : (stride - (first - second) % stride) % stride;
    return behind >= row_bytes(a) && stride - behind >= row_bytes(b);
}

bool img_lib_overlap(const imgtool_picture *a, const imgtool_picture *b)
{
    const uint8_t *a_first = a->pixels, *b_first = b->pixels;
    const size_t a_last = (size_t)(a->height - 1) * a->stride + row_bytes(a);
    const size_t b_last = (size_t)(b->height - 1) * b->stride + row_bytes(b);
    return (uintptr_t)a_first < (uintptr_t)b_first + b_last &&
           (uintptr_t)b_first < (uintptr_t)a_first + a_last && !lie_side_by_side(a, b);
}

imgtool_status imgtool_convert(imgtool_context *context, const imgtool_picture *from,
                               imgtool_picture *to, imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    char texts[2][IMG_LIB_FORMAT_TEXT];
    imgtool_status status = img_lib_begin(context, error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_picture(from, "from", error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_picture(to, "to", error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_limit(context, from, "from", error);
    if (status != IMGTOOL_OK)
        return status;
    if (from->width != to->width || from->height != to->height)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "to: it has %d x %d pixels, and from %d x %d",
                            to->width, to->height, from->width, from->height);
    if (img_lib_overlap(from, to))
        return img_lib_fail(error, IMGTOOL_E_USAGE, "to: its pixels overlap those of from");
    if (!img_lib_converts(from->format, to->format))
        return img_lib_fail(error, IMGTOOL_E_UNSUPPORTED, "%s does not become %s here",
                            img_lib_format_text(from->format, texts[0]),
                            img_lib_format_text(to->format, texts[1]));
    status = img_lib_check_samples(from, "from", error);
    if (status == IMGTOOL_OK)
        img_lib_convert(from, to, context->team, context->config.threads);
    return status;
}
