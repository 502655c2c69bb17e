/* What lies beyond the edges of a picture, for operations that look at a pixel's surroundings. Any
 * place may be asked for: windows may be larger than the picture. */
#ifndef IMGTOOL_KERNELS_CORE_WINDOW_BORDER_H
#define IMGTOOL_KERNELS_CORE_WINDOW_BORDER_H

#include "kernels/core/cuda/host_device.h"
#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a row "abcd". NumPy and PyTorch call REFLECT the same, OpenCV BORDER_REFLECT_101. */
typedef enum ImgBorder {
    IMG_BORDER_REPLICATE, /* aaa|abcd|ddd */
    IMG_BORDER_REFLECT,   /* dcb|abcd|cba */
    IMG_BORDER_WRAP,      /* bcd|abcd|abc */
    IMG_BORDER_CONSTANT,  /* a colour */
} ImgBorder;

/* What parameters of such an operation have in common. */
typedef struct ImgBorderParams {
    int32_t border;     /* an ImgBorder */
    ImgRgba background; /* of IMG_BORDER_CONSTANT */
    int32_t index;      /* of the background in the source's palette, plus 1; -1: it is not seen
                         * there; 0: not known, or there is no palette. No option:
                         * ImgOp.bind_palette sets it */
} ImgBorderParams;

/* Their place in the list of parameters; `member` is the ImgBorderParams in `Params`. */
#define IMG_BORDER_PARAMS(Params, member)                                                          \
    {.name = "border",                                                                             \
     .type = IMG_PARAM_CHOICE,                                                                     \
     .offset = offsetof(Params, member.border),                                                    \
     .default_value = "replicate",                                                                 \
     .choices = img_border_choices,                                                                \
     .help = "beyond edges: the nearest pixel, a mirror at it, the other side, or a colour"},      \
    {                                                                                              \
        .name = "background", .type = IMG_PARAM_COLOR,                                             \
        .offset = offsetof(Params, member.background), .default_value = "transparent",             \
        .help = "the colour of --border constant, or the nearest that samples of few bits "        \
                "have; without alpha transparent is black"                                         \
    }

extern const ImgChoice img_border_choices[];

/* The sample that stands at `at` beyond or inside a row or column of `size`: its place from 0 to
 * size - 1, or -1: the background. */
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

/* The background as samples of `format`, nearest values; gray takes the luma of ITU-R BT.709, a
 * palette its index. One that is fully transparent in this format has no colour: all samples are 0.
 */
void img_border_samples(ImgFormat format, const ImgBorderParams *params, uint16_t samples[4]);

/* For ImgOp.bind_palette, where indices are copied. `shows`: the background is seen. */
bool img_border_bind_palette(ImgBorderParams *params, bool shows, struct ImgPalette *palette);

/* The format of a result in which the background can be seen beside pixels of `format`. It has
 * alpha unless the background is opaque, and gray becomes RGB where the background has a colour.
 * Gray of fewer than 8 bits that changes becomes one of 8. Other borders and palettes change
 * nothing. */
ImgFormat img_border_format(ImgFormat format, const ImgBorderParams *params);

/* For ImgOp.rows_needed where windows reach so many rows upwards and downwards. */
ImgRows img_window_rows(ImgShape src, const ImgBorderParams *border, ImgRows wanted, int32_t up,
                        int32_t down);

/* What a sample of `format` is multiplied by to become one of at least 8 bits. */
static inline uint32_t img_window_scale(ImgFormat format)
{
    return format.bits < 8 ? 255 / img_format_maximum(format) : 1;
}

#ifdef __cplusplus
}
#endif
#endif
