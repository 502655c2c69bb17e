/* From one format to another. What is common, 8 bits to 8 bits, has a loop for each pair of
 * colours, which the compiler makes of one function; the rest goes pixel by pixel. */
#include <math.h>
#include <string.h>

#include "app/library/convert.h"
#include "kernels/core/color/luma.h"
#include "kernels/core/op.h"

enum { FLOAT_BITS = 32 };

typedef void RowFunction(const void *from, imgtool_format from_format, void *to,
                         imgtool_format to_format, int32_t width);

/* --- Any depth -------------------------------------------------------------------------------- */

/* Samples as 16 bits, or as floats where either side has them. */
typedef struct Pixel {
    double red, green, blue, alpha; /* of whole numbers 0 to 65535; of floats 0 to 1 */
} Pixel;

static double sample_at(const void *from, size_t index, int32_t bits, bool floats)
{
    if (bits == FLOAT_BITS) {
        const float value = ((const float *)from)[index];
        return value > 0 ? (value < 1 ? (double)value : 1) : 0; /* what is no number is 0 */
    }
    const uint32_t value =
        bits == 16 ? ((const uint16_t *)from)[index] : ((const uint8_t *)from)[index];
    const uint32_t maximum = (UINT32_C(1) << bits) - 1;
    const uint32_t least = value < maximum ? value : maximum;
    return floats ? (double)least / maximum : (double)(least * (UINT16_MAX / maximum));
}

static Pixel load(const void *from, size_t x, imgtool_format format, bool floats)
{
    const bool color = img_lib_is_color(format.color), swapped = format.color == IMGTOOL_BGRA;
    const bool has_alpha = format.color == IMGTOOL_GRAY_ALPHA || format.color == IMGTOOL_RGBA ||
                           format.color == IMGTOOL_BGRA;
    const size_t colors = color ? 3 : 1, at = x * (colors + (has_alpha ? 1 : 0));
    Pixel pixel;
    pixel.red = sample_at(from, at + (swapped ? 2 : 0), format.bits, floats);
    pixel.green = color ? sample_at(from, at + 1, format.bits, floats) : pixel.red;
    pixel.blue = color ? sample_at(from, at + (swapped ? 0 : 2), format.bits, floats) : pixel.red;
    pixel.alpha = has_alpha ? sample_at(from, at + colors, format.bits, floats)
                            : (floats ? 1 : (double)UINT16_MAX);
    return pixel;
}

/* Of what the file stores: whole numbers of its depth become one, which is then scaled. */
static double luma_of(Pixel pixel, int32_t bits, bool floats)
{
    const ImgLumaWeights weights = img_luma_weights_24(IMG_LUMA_709);
    const double sum =
        weights.red * pixel.red + weights.green * pixel.green + weights.blue * pixel.blue;
    if (floats)
        return sum / (1 << 24);
    const double unit = bits == 16 ? 1 : 257;
    return floor(sum / unit / (1 << 24) + 0.5) * unit;
}

static void put_sample(double value, void *to, size_t index, int32_t bits, bool floats)
{
    if (bits == FLOAT_BITS)
        ((float *)to)[index] = (float)value;
    else if (bits == 16)
        ((uint16_t *)to)[index] = (uint16_t)(floats ? floor(value * UINT16_MAX + 0.5) : value);
    else
        ((uint8_t *)to)[index] =
            (uint8_t)(floats ? floor(value * UINT8_MAX + 0.5) : floor(value / 257 + 0.5));
}

static void store(Pixel pixel, imgtool_format from, void *to, size_t x, imgtool_format format,
                  bool floats)
{
    const bool swapped = format.color == IMGTOOL_BGRA, color = img_lib_is_color(format.color);
    const size_t colors = color ? 3 : 1;
    const bool has_alpha = format.color == IMGTOOL_GRAY_ALPHA || format.color == IMGTOOL_RGBA ||
                           format.color == IMGTOOL_BGRA;
    const size_t at = x * (colors + (has_alpha ? 1 : 0));
    const double first =
        color || !img_lib_is_color(from.color) ? pixel.red : luma_of(pixel, from.bits, floats);
    put_sample(first, to, at + (swapped ? 2 : 0), format.bits, floats);
    if (color) {
        put_sample(pixel.green, to, at + 1, format.bits, floats);
        put_sample(pixel.blue, to, at + (swapped ? 0 : 2), format.bits, floats);
    }
    if (has_alpha)
        put_sample(pixel.alpha, to, at + colors, format.bits, floats);
}

static void convert_any(const void *from, imgtool_format from_format, void *to,
                        imgtool_format to_format, int32_t width)
{
    const bool floats = from_format.bits == FLOAT_BITS || to_format.bits == FLOAT_BITS;
    for (size_t x = 0; x < (size_t)width; x++)
        store(load(from, x, from_format, floats), from_format, to, x, to_format, floats);
}

static void copy_row(const void *from, imgtool_format from_format, void *to,
                     imgtool_format to_format, int32_t width)
{
    (void)to_format;
    memcpy(to, from, (size_t)width * imgtool_pixel_size(from_format));
}

static void convert_bytes(const void *from, imgtool_format from_format, void *to,
                          imgtool_format to_format, int32_t width)
{
    img_lib_convert_bytes(from, from_format.color, to, to_format.color, width);
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

static RowFunction *way_of(imgtool_format from, imgtool_format to)
{
    if (is_same(from, to))
        return copy_row;
    return from.bits == 8 && to.bits == 8 ? convert_bytes : convert_any;
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

static bool overlap(const imgtool_picture *a, const imgtool_picture *b)
{
    const uint8_t *a_first = a->pixels, *b_first = b->pixels;
    const size_t a_last =
        (size_t)(a->height - 1) * a->stride + (size_t)a->width * imgtool_pixel_size(a->format);
    const size_t b_last =
        (size_t)(b->height - 1) * b->stride + (size_t)b->width * imgtool_pixel_size(b->format);
    return (uintptr_t)a_first < (uintptr_t)b_first + b_last &&
           (uintptr_t)b_first < (uintptr_t)a_first + a_last;
}

imgtool_status imgtool_convert(imgtool_context *context, const imgtool_picture *from,
                               imgtool_picture *to, imgtool_error *error)
{
    char texts[2][IMG_LIB_FORMAT_TEXT];
    imgtool_status status = img_lib_begin(context, error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_picture(from, "from", error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_picture(to, "to", error);
    if (status != IMGTOOL_OK)
        return status;
    if (from->width != to->width || from->height != to->height)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "to: it has %d x %d pixels, and from %d x %d",
                            to->width, to->height, from->width, from->height);
    if (overlap(from, to))
        return img_lib_fail(error, IMGTOOL_E_USAGE, "to: its pixels overlap those of from");
    if (!img_lib_converts(from->format, to->format))
        return img_lib_fail(error, IMGTOOL_E_UNSUPPORTED, "%s does not become %s here",
                            img_lib_format_text(from->format, texts[0]),
                            img_lib_format_text(to->format, texts[1]));
    img_lib_convert(from, to, context->team, context->config.threads);
    return IMGTOOL_OK;
}
