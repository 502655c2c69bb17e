/* Reduction of colours to gray. */
#include "io/png/optimize/reduce.h"
#include "kernels/core/minmax.h"
#include "kernels/core/sample.h"

static bool are_equal(const uint16_t colour[3])
{
    return colour[0] == colour[1] && colour[0] == colour[2];
}

static bool is_gray(const ImgView *view)
{
    const size_t channels = (size_t)img_format_channels(view->format);
    const int bits = view->format.bits;
    for (int32_t y = 0; y < view->height; y++) {
        const uint8_t *row = view->data + (size_t)y * view->stride;
        for (size_t x = 0; x < (size_t)view->width; x++) {
            const uint32_t red = img_sample(row, x * channels, bits);
            if (red != img_sample(row, x * channels + 1, bits) ||
                red != img_sample(row, x * channels + 2, bits))
                return false;
        }
    }
    return true;
}

/* Converts the chunks. A transparent colour that is not gray is dropped: no pixel has it. Gray
 * types have no suggested palette. */
static void convert_colours(ImgColours *colours, bool has_alpha)
{
    uint8_t *significant = colours->significant;
    colours->entries = 0;
    colours->has_histogram = false;
    colours->has_key &= are_equal(colours->key);
    significant[0] = (uint8_t)img_max32(significant[0], img_max32(significant[1], significant[2]));
    significant[1] = has_alpha ? significant[IMG_COLOUR_ALPHA] : 0;
}

static void convert_row(const uint8_t *source, ImgFormat from, size_t width, uint8_t *row)
{
    const size_t channels = (size_t)img_format_channels(from), own = channels - 2;
    for (size_t x = 0; x < width; x++) {
        img_sample_set(row, x * own, from.bits, img_sample(source, x * channels, from.bits));
        if (own == 2)
            img_sample_set(row, x * own + 1, from.bits,
                           img_sample(source, x * channels + IMG_COLOUR_ALPHA, from.bits));
    }
}

ImgStatus img_reduce_to_gray(const ImgReduced *from, ImgReduced *to, ImgError *err)
{
    const ImgFormat format = from->view.format;
    const bool has_alpha = format.color == IMG_COLOR_RGBA;
    const ImgColours *colours = &from->colours;
    if ((format.color != IMG_COLOR_RGB && !has_alpha) || !colours->allows_gray ||
        (colours->has_background && !are_equal(colours->background)) || !is_gray(&from->view))
        return IMG_OK;
    const ImgFormat gray = {has_alpha ? IMG_COLOR_GRAY_ALPHA : IMG_COLOR_GRAY, format.bits};
    ImgStatus status = img_reduced_begin(from, gray, IMG_REDUCED_GRAY, to, err);
    if (status != IMG_OK)
        return status;
    for (int32_t y = 0; y < from->view.height; y++)
        convert_row(from->view.data + (size_t)y * from->view.stride, format,
                    (size_t)from->view.width, to->view.data + (size_t)y * to->view.stride);
    convert_colours(&to->colours, has_alpha);
    return IMG_OK;
}
