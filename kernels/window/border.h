/* Values of pixels beyond the edges of a picture, for operations that read the pixels around a
 * pixel. Any position is valid: the area that an operation reads may be larger than the picture. */
#ifndef IMGTOOL_KERNELS_WINDOW_BORDER_H
#define IMGTOOL_KERNELS_WINDOW_BORDER_H

#include "kernels/core/cuda/host_device.h"
#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rules for the pixels beyond the edges. NumPy and PyTorch also use the name REFLECT; OpenCV calls
 * it BORDER_REFLECT_101. */
typedef enum ImgBorder {
    IMG_BORDER_REPLICATE, /* a row "abcd" continues as aaa|abcd|ddd */
    IMG_BORDER_REFLECT,   /* a row "abcd" continues as dcb|abcd|cba */
    IMG_BORDER_WRAP,      /* a row "abcd" continues as bcd|abcd|abc */
    IMG_BORDER_CONSTANT,  /* all pixels beyond the edges have the background colour */
} ImgBorder;

/* Parameters of all operations that read pixels beyond the edges. */
typedef struct ImgBorderParams {
    int32_t border;     /* an ImgBorder value */
    ImgRgba background; /* colour for IMG_BORDER_CONSTANT */
    /* 1 plus the palette index of the background; -1 if the background is not visible; 0 if it is
     * not known or there is no palette. ImgOp.palette.bind sets it, not the user. */
    int32_t index;
} ImgBorderParams;

/* Initialises the ImgParam entries "border" and "background". `member` is the ImgBorderParams
 * member of the struct `Params`. */
#define IMG_BORDER_PARAMS(Params, member)                                                          \
    {.name = "border",                                                                             \
     .type = IMG_PARAM_CHOICE,                                                                     \
     .offset = offsetof(Params, member.border),                                                    \
     .default_value = "replicate",                                                                 \
     .choices = img_border_choices,                                                                \
     .help = "pixels outside the picture. replicate: repeat the edge; reflect: mirror, without "   \
             "repeating the edge; wrap: repeat the picture; constant: --background"},              \
    {                                                                                              \
        .name = "background", .type = IMG_PARAM_COLOR,                                             \
        .offset = offsetof(Params, member.background), .default_value = "transparent",             \
        .help =                                                                                    \
            "colour for --border constant, such as white or '#336699'. In gray pictures the "      \
            "colour is converted to gray. Gray of 1, 2 or 4 bits takes the nearest value that "    \
            "it can hold. In pictures without alpha, transparent means black"                      \
    }

extern const ImgChoice img_border_choices[];

/* Returns the position, 0 to size - 1, of the sample that is used for position `at`. `at` may be
 * inside or beyond a row or column of `size` samples. Returns -1 if the background is used. */
IMG_HOST_DEVICE int32_t img_border_place(int64_t at, int32_t size, int32_t border)
{
    if (at >= 0 && at < size)
        return (int32_t)at;
    if (border == IMG_BORDER_CONSTANT)
        return -1;
    if (border == IMG_BORDER_REPLICATE)
        return at < 0 ? 0 : size - 1;
    const int64_t period = border == IMG_BORDER_WRAP ? size : size > 1 ? 2 * (int64_t)size - 2 : 1;
    int64_t place = at % period;
    place += place < 0 ? period : 0;
    return (int32_t)(place < size ? place : period - place);
}

/* Sets `samples` to the samples of the colour in `format` that is nearest to the background. For
 * gray this is the luma (ITU-R BT.709), for a palette the index. If the background is fully
 * transparent in this format, all samples are 0. */
void img_border_samples(ImgFormat format, const ImgBorderParams *params, uint16_t samples[4]);

/* Implements ImgOp.palette.bind for operations that copy palette indices. `shows` must be true if
 * the background is visible. */
bool img_border_bind_palette(ImgBorderParams *params, bool shows, struct ImgPalette *palette);

/* Returns the format of a result that shows the background beside pixels of `format`. It has alpha
 * if `format` has alpha, or if the background is not opaque. Gray becomes RGB if the background is
 * not gray. If gray of fewer than 8 bits changes, it becomes 8 bits. Palettes and borders other
 * than IMG_BORDER_CONSTANT keep the format. */
ImgFormat img_border_format(ImgFormat format, const ImgBorderParams *params);

/* Implements ImgOp.bands.part for operations that read up to `up` rows above a pixel and `down`
 * rows below. Returns true. */
bool img_window_part(ImgShape src, const ImgBorderParams *border, ImgRows wanted, int32_t up,
                     int32_t down, ImgPart *part);

/* Returns the factor that scales a sample of fewer than 8 bits to 8 bits; 1 for other formats. */
static inline uint32_t img_window_scale(ImgFormat format)
{
    return format.bits < 8 ? 255 / img_format_maximum(format) : 1;
}

#ifdef __cplusplus
}
#endif
#endif
