/* Rows of 8 bits to 8 bits: a loop for each pair of colours, which the compiler makes of one
 * function. */
#include "app/library/convert.h"
#include "kernels/core/color/luma.h"

typedef struct Bytes {
    uint8_t red, green, blue, alpha;
} Bytes;

static inline __attribute__((always_inline)) Bytes load_bytes(const uint8_t *at,
                                                              imgtool_color color)
{
    switch (color) {
    case IMGTOOL_GRAY_ALPHA:
        return (Bytes){at[0], at[0], at[0], at[1]};
    case IMGTOOL_RGB:
        return (Bytes){at[0], at[1], at[2], UINT8_MAX};
    case IMGTOOL_RGBA:
        return (Bytes){at[0], at[1], at[2], at[3]};
    case IMGTOOL_BGRA:
        return (Bytes){at[2], at[1], at[0], at[3]};
    default:
        return (Bytes){at[0], at[0], at[0], UINT8_MAX};
    }
}

/* Gray is its own luma. The weights are a whole of 2^24: a sum has 32 bits. */
static inline __attribute__((always_inline)) uint8_t luma_bytes(Bytes pixel)
{
    const ImgLumaWeights weights = img_luma_weights_24(IMG_LUMA_709);
    return (uint8_t)((weights.red * pixel.red + weights.green * pixel.green +
                      weights.blue * pixel.blue + (UINT32_C(1) << 23)) >>
                     24);
}

static inline __attribute__((always_inline)) void store_bytes(Bytes pixel, imgtool_color from,
                                                              uint8_t *at, imgtool_color color)
{
    switch (color) {
    case IMGTOOL_RGB:
    case IMGTOOL_RGBA:
        at[0] = pixel.red;
        at[1] = pixel.green;
        at[2] = pixel.blue;
        break;
    case IMGTOOL_BGRA:
        at[0] = pixel.blue;
        at[1] = pixel.green;
        at[2] = pixel.red;
        break;
    default:
        at[0] = img_lib_is_color(from) ? luma_bytes(pixel) : pixel.red;
        break;
    }
    if (color == IMGTOOL_GRAY_ALPHA)
        at[1] = pixel.alpha;
    if (color == IMGTOOL_RGBA || color == IMGTOOL_BGRA)
        at[3] = pixel.alpha;
}

static inline __attribute__((always_inline)) int bytes_of(imgtool_color color)
{
    return color == IMGTOOL_GRAY         ? 1
           : color == IMGTOOL_GRAY_ALPHA ? 2
           : color == IMGTOOL_RGB        ? 3
                                         : 4;
}

static inline __attribute__((always_inline)) void row(const uint8_t *restrict from,
                                                      imgtool_color from_color,
                                                      uint8_t *restrict to, imgtool_color to_color,
                                                      int32_t width)
{
    for (size_t x = 0; x < (size_t)width; x++)
        store_bytes(load_bytes(from + x * (size_t)bytes_of(from_color), from_color), from_color,
                    to + x * (size_t)bytes_of(to_color), to_color);
}

#define TO(name)                                                                                   \
    case IMGTOOL_##name:                                                                           \
        row(from, from_color, to, IMGTOOL_##name, width);                                          \
        break;
static inline __attribute__((always_inline)) void row_from(const uint8_t *from,
                                                           imgtool_color from_color, uint8_t *to,
                                                           imgtool_color to_color, int32_t width)
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
        row_from(from, IMGTOOL_##name, to, to_color, width);                                       \
        break;
void img_lib_convert_bytes(const void *from, imgtool_color from_color, void *to,
                           imgtool_color to_color, int32_t width)
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
