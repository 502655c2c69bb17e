/* Converts pixels from one format to another. Each pair of formats with 8-bit or 16-bit samples has
 * a fast loop; other formats are converted pixel by pixel. */
#include <string.h>

#include "app/library/context.h"
#include "app/library/picture.h"
#include "kernels/core/color/luma.h"
#include "kernels/core/op.h"

enum { FLOAT_BITS = 32 };

#define INLINE static inline __attribute__((always_inline))

typedef void RowFunction(const void *from, imgtool_format from_format, void *to,
                         imgtool_format to_format, int32_t width);

INLINE bool is_color(imgtool_color color)
{
    return color == IMGTOOL_RGB || color == IMGTOOL_RGBA || color == IMGTOOL_BGRA;
}

INLINE bool has_alpha(imgtool_color color)
{
    return color == IMGTOOL_GRAY_ALPHA || color == IMGTOOL_RGBA || color == IMGTOOL_BGRA;
}

INLINE size_t channels_of(imgtool_color color)
{
    return (is_color(color) ? 3 : 1) + (has_alpha(color) ? 1 : 0);
}

/* --- Whole samples: 8 and 16 bits ------------------------------------------------------------- */

/* A pixel with samples of 8 or 16 bits. The functions of this section are inlined into one loop per
 * pair of formats. Formats and depths are constants in each loop. */
typedef struct WholePixel {
    uint32_t red, green, blue, alpha; /* samples with as many bits as in the source */
} WholePixel;

INLINE uint32_t whole_sample(const void *row, size_t index, int bits)
{
    return bits == 16 ? ((const uint16_t *)row)[index] : ((const uint8_t *)row)[index];
}

/* Stores a sample. Converts 16 bits to 8 bits by rounding to nearest. Exact halves do not occur,
 * because the divisor, 257, is odd. */
INLINE void put_whole(uint32_t value, int from_bits, void *row, size_t index, int bits)
{
    if (bits == 16)
        ((uint16_t *)row)[index] = (uint16_t)(from_bits == 16 ? value : value * 257);
    else
        ((uint8_t *)row)[index] = (uint8_t)(from_bits == 16 ? (value + 128) / 257 : value);
}

INLINE WholePixel load_whole(const void *row, size_t x, imgtool_color color, int bits)
{
    const size_t at = x * channels_of(color), last = at + channels_of(color) - 1;
    const size_t coloured = is_color(color), is_swapped = color == IMGTOOL_BGRA;
    WholePixel pixel;
    pixel.red = whole_sample(row, at + 2 * is_swapped, bits);
    pixel.green = whole_sample(row, at + coloured, bits);
    pixel.blue = whole_sample(row, at + 2 * coloured * (1 - is_swapped), bits);
    pixel.alpha = has_alpha(color) ? whole_sample(row, last, bits) : (UINT32_C(1) << bits) - 1;
    return pixel;
}

/* Returns the luma of a pixel. The weights have 24 fractional bits, so with 8-bit samples the sum
 * fits in 32 bits. */
INLINE uint32_t whole_luma(WholePixel pixel, int bits)
{
    const ImgLumaWeights weights = img_luma_weights_24(IMG_LUMA_709);
    if (bits == 8)
        return (weights.red * pixel.red + weights.green * pixel.green + weights.blue * pixel.blue +
                (UINT32_C(1) << 23)) >>
               24;
    return img_luma_of_color((uint16_t)pixel.red, (uint16_t)pixel.green, (uint16_t)pixel.blue);
}

INLINE void store_whole(WholePixel pixel, imgtool_color from, int from_bits, void *row, size_t x,
                        imgtool_color color, int bits)
{
    const size_t at = x * channels_of(color), last = at + channels_of(color) - 1;
    const size_t is_swapped = color == IMGTOOL_BGRA;
    if (is_color(color)) {
        put_whole(pixel.red, from_bits, row, at + 2 * is_swapped, bits);
        put_whole(pixel.green, from_bits, row, at + 1, bits);
        put_whole(pixel.blue, from_bits, row, at + 2 * (1 - is_swapped), bits);
    } else {
        put_whole(is_color(from) ? whole_luma(pixel, from_bits) : pixel.red, from_bits, row, at,
                  bits);
    }
    if (has_alpha(color))
        put_whole(pixel.alpha, from_bits, row, last, bits);
}

INLINE void convert_row(const void *restrict from, imgtool_color from_color, int from_bits,
                        void *restrict to, imgtool_color to_color, int to_bits, int32_t width)
{
    for (size_t x = 0; x < (size_t)width; x++)
        store_whole(load_whole(from, x, from_color, from_bits), from_color, from_bits, to, x,
                    to_color, to_bits);
}

/* --- Whole samples: all pairs of formats ------------------------------------------------------ */

#define TO(name)                                                                                   \
    case IMGTOOL_##name:                                                                           \
        convert_row(from, from_color, from_bits, to, IMGTOOL_##name, to_bits, width);              \
        break;
INLINE void convert_row_to(const void *from, imgtool_color from_color, int from_bits, void *to,
                           imgtool_color to_color, int to_bits, int32_t width)
{
    switch (to_color) {
        TO(GRAY)
        TO(GRAY_ALPHA)
        TO(RGB)
        TO(RGBA)
        TO(BGRA)
    default:
        break;
    }
}
#undef TO

#define FROM(name)                                                                                 \
    case IMGTOOL_##name:                                                                           \
        convert_row_to(from, IMGTOOL_##name, from_bits, to, to_color, to_bits, width);             \
        break;
INLINE void convert_row_from_to(const void *from, imgtool_color from_color, int from_bits, void *to,
                                imgtool_color to_color, int to_bits, int32_t width)
{
    switch (from_color) {
        FROM(GRAY)
        FROM(GRAY_ALPHA)
        FROM(RGB)
        FROM(RGBA)
        FROM(BGRA)
    default:
        break;
    }
}
#undef FROM

static void convert_whole(const void *from, imgtool_format from_format, void *to,
                          imgtool_format to_format, int32_t width)
{
    const imgtool_color a = from_format.color, b = to_format.color;
    if (from_format.bits == 8 && to_format.bits == 8)
        convert_row_from_to(from, a, 8, to, b, 8, width);
    else if (from_format.bits == 8)
        convert_row_from_to(from, a, 8, to, b, 16, width);
    else if (to_format.bits == 8)
        convert_row_from_to(from, a, 16, to, b, 8, width);
    else
        convert_row_from_to(from, a, 16, to, b, 16, width);
}

/* --- Floats, and samples of fewer than 8 bits ------------------------------------------------- */

typedef struct RealPixel {
    double red, green, blue, alpha; /* channels from 0 to 1 */
} RealPixel;

static double real_sample(const void *from, size_t index, int32_t bits)
{
    if (bits == FLOAT_BITS) {
        const float value = ((const float *)from)[index];
        /* Values are limited to 0..1, and NaN becomes 0. */
        return value > 0 ? (value < 1 ? (double)value : 1) : 0;
    }
    const uint32_t value =
        bits == 16 ? ((const uint16_t *)from)[index] : ((const uint8_t *)from)[index];
    const uint32_t maximum = (UINT32_C(1) << bits) - 1;
    return (double)(value < maximum ? value : maximum) / maximum;
}

static void put_real(double value, void *to, size_t index, int32_t bits)
{
    if (bits == FLOAT_BITS)
        ((float *)to)[index] = (float)value;
    else if (bits == 16)
        ((uint16_t *)to)[index] = (uint16_t)(value * UINT16_MAX + 0.5);
    else
        ((uint8_t *)to)[index] = (uint8_t)(value * UINT8_MAX + 0.5);
}

static RealPixel load_real(const void *from, size_t x, imgtool_format format)
{
    const bool color = is_color(format.color), swapped = format.color == IMGTOOL_BGRA;
    const size_t channels = channels_of(format.color), at = x * channels;
    RealPixel pixel;
    pixel.red = real_sample(from, at + (swapped ? 2 : 0), format.bits);
    pixel.green = color ? real_sample(from, at + 1, format.bits) : pixel.red;
    pixel.blue = color ? real_sample(from, at + (swapped ? 0 : 2), format.bits) : pixel.red;
    pixel.alpha = has_alpha(format.color) ? real_sample(from, at + channels - 1, format.bits) : 1;
    return pixel;
}

static double real_luma(RealPixel pixel)
{
    const ImgLumaWeights weights = img_luma_weights_24(IMG_LUMA_709);
    return (weights.red * pixel.red + weights.green * pixel.green + weights.blue * pixel.blue) /
           (1 << 24);
}

static void store_real(RealPixel pixel, bool is_gray, void *to, size_t x, imgtool_format format)
{
    const bool color = is_color(format.color), swapped = format.color == IMGTOOL_BGRA;
    const size_t channels = channels_of(format.color), at = x * channels;
    put_real(color || is_gray ? pixel.red : real_luma(pixel), to, at + (swapped ? 2 : 0),
             format.bits);
    if (color) {
        put_real(pixel.green, to, at + 1, format.bits);
        put_real(pixel.blue, to, at + (swapped ? 0 : 2), format.bits);
    }
    if (has_alpha(format.color))
        put_real(pixel.alpha, to, at + channels - 1, format.bits);
}

static void convert_any(const void *from, imgtool_format from_format, void *to,
                        imgtool_format to_format, int32_t width)
{
    const bool is_gray = !is_color(from_format.color);
    for (size_t x = 0; x < (size_t)width; x++)
        store_real(load_real(from, x, from_format), is_gray, to, x, to_format);
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

static RowFunction *row_function(imgtool_format from, imgtool_format to)
{
    if (is_same(from, to))
        return copy_row;
    return is_whole(from.bits) && is_whole(to.bits) ? convert_whole : convert_any;
}

typedef struct Conversion {
    const imgtool_picture *from, *to;
    RowFunction *row;
} Conversion;

static void convert_rows(void *context, int64_t first, int64_t end)
{
    const Conversion *conversion = context;
    const imgtool_picture *from = conversion->from, *to = conversion->to;
    for (size_t y = (size_t)first; y < (size_t)end; y++)
        conversion->row((const uint8_t *)from->pixels + y * from->stride, from->format,
                        (uint8_t *)to->pixels + y * to->stride, to->format, from->width);
}

void img_lib_convert(const imgtool_picture *from, const imgtool_picture *to, ImgTeam *team,
                     int threads)
{
    Conversion conversion = {from, to, row_function(from->format, to->format)};
    const size_t bytes = (size_t)from->width * (size_t)from->height *
                         (imgtool_pixel_size(from->format) + imgtool_pixel_size(to->format));
    img_parallel_for(team, bytes < IMG_BYTES_WORTH_THREADS ? 1 : threads, from->height,
                     convert_rows, &conversion);
}

static size_t row_bytes(const imgtool_picture *picture)
{
    return (size_t)picture->width * imgtool_pixel_size(picture->format);
}

/* Returns true if the two pictures have the same stride, and their rows alternate in memory without
 * overlap. The left and the right half of one larger picture are an example. */
static bool rows_alternate(const imgtool_picture *a, const imgtool_picture *b)
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
           (uintptr_t)b_first < (uintptr_t)a_first + a_last && !rows_alternate(a, b);
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
        return img_lib_fail(error, IMGTOOL_E_USAGE, "the pixels of to and from overlap");
    if (!img_lib_converts(from->format, to->format))
        return img_lib_fail(error, IMGTOOL_E_UNSUPPORTED, "%s cannot be converted to %s here",
                            img_lib_format_text(from->format, texts[0]),
                            img_lib_format_text(to->format, texts[1]));
    status = img_lib_check_samples(from, "from", error);
    if (status == IMGTOOL_OK)
        img_lib_convert(from, to, context->team, context->config.threads);
    return status;
}
