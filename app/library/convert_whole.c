/* Rows of whole samples, 8 or 16 bits each: a loop for each pair of formats, which the compiler
 * makes of one function. */
#include "app/library/convert.h"
#include "kernels/core/color/luma.h"

#define INLINE static inline __attribute__((always_inline))

typedef struct Pixel {
    uint32_t red, green, blue, alpha; /* of as many bits as the source has */
} Pixel;

INLINE uint32_t sample_at(const void *row, size_t index, int bits)
{
    return bits == 16 ? ((const uint16_t *)row)[index] : ((const uint8_t *)row)[index];
}

/* To the nearest where bits are taken away; there are no halves. */
INLINE void put(uint32_t value, int from_bits, void *row, size_t index, int bits)
{
    if (bits == 16)
        ((uint16_t *)row)[index] = (uint16_t)(from_bits == 16 ? value : value * 257);
    else
        ((uint8_t *)row)[index] = (uint8_t)(from_bits == 16 ? (value + 128) / 257 : value);
}

INLINE int channels_of(imgtool_color color)
{
    return (img_lib_is_color(color) ? 3 : 1) + (img_lib_has_alpha(color) ? 1 : 0);
}

INLINE Pixel load(const void *row, size_t x, imgtool_color color, int bits)
{
    const size_t at = x * (size_t)channels_of(color), last = at + (size_t)channels_of(color) - 1;
    const size_t is_color = img_lib_is_color(color), is_swapped = color == IMGTOOL_BGRA;
    Pixel pixel;
    pixel.red = sample_at(row, at + 2 * is_swapped, bits);
    pixel.green = sample_at(row, at + is_color, bits);
    pixel.blue = sample_at(row, at + 2 * is_color * (1 - is_swapped), bits);
    pixel.alpha = img_lib_has_alpha(color) ? sample_at(row, last, bits) : (UINT32_C(1) << bits) - 1;
    return pixel;
}

/* Weights of 2^-24 and 8 bits make a sum of 32. */
INLINE uint32_t luma_of(Pixel pixel, int bits)
{
    const ImgLumaWeights weights = img_luma_weights_24(IMG_LUMA_709);
    if (bits == 8)
        return (weights.red * pixel.red + weights.green * pixel.green + weights.blue * pixel.blue +
                (UINT32_C(1) << 23)) >>
               24;
    return img_luma_of_color((uint16_t)pixel.red, (uint16_t)pixel.green, (uint16_t)pixel.blue);
}

INLINE void store(Pixel pixel, imgtool_color from, int from_bits, void *row, size_t x,
                  imgtool_color color, int bits)
{
    const size_t at = x * (size_t)channels_of(color), last = at + (size_t)channels_of(color) - 1;
    const size_t is_swapped = color == IMGTOOL_BGRA;
    if (img_lib_is_color(color)) {
        put(pixel.red, from_bits, row, at + 2 * is_swapped, bits);
        put(pixel.green, from_bits, row, at + 1, bits);
        put(pixel.blue, from_bits, row, at + 2 * (1 - is_swapped), bits);
    } else {
        put(img_lib_is_color(from) ? luma_of(pixel, from_bits) : pixel.red, from_bits, row, at,
            bits);
    }
    if (img_lib_has_alpha(color))
        put(pixel.alpha, from_bits, row, last, bits);
}

INLINE void row(const void *restrict from, imgtool_color from_color, int from_bits,
                void *restrict to, imgtool_color to_color, int to_bits, int32_t width)
{
    for (size_t x = 0; x < (size_t)width; x++)
        store(load(from, x, from_color, from_bits), from_color, from_bits, to, x, to_color,
              to_bits);
}

/* --- All pairs -------------------------------------------------------------------------------- */

#define TO(name)                                                                                   \
    case IMGTOOL_##name:                                                                           \
        row(from, from_color, from_bits, to, IMGTOOL_##name, to_bits, width);                      \
        break;
INLINE void row_from(const void *from, imgtool_color from_color, int from_bits, void *to,
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
        row_from(from, IMGTOOL_##name, from_bits, to, to_color, to_bits, width);                   \
        break;
INLINE void row_of(const void *from, imgtool_color from_color, int from_bits, void *to,
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

void img_lib_convert_whole(const void *from, imgtool_format from_format, void *to,
                           imgtool_format to_format, int32_t width)
{
    const imgtool_color a = from_format.color, b = to_format.color;
    if (from_format.bits == 8 && to_format.bits == 8)
        row_of(from, a, 8, to, b, 8, width);
    else if (from_format.bits == 8)
        row_of(from, a, 8, to, b, 16, width);
    else if (to_format.bits == 8)
        row_of(from, a, 16, to, b, 8, width);
    else
        row_of(from, a, 16, to, b, 16, width);
}
