/* Sizes and checks of tensors, and the reference for putting pictures into them. */
#include "io/tensor/tensor.h"

#include <stdlib.h>
#include <string.h>

#include "io/tensor/tensor_priv.h"

size_t img_element_bytes(ImgElement element)
{
    return element == IMG_UINT8 ? 1 : element == IMG_FLOAT32 ? 4 : 2;
}

uint64_t img_tensor_bytes(const ImgTensor *tensor)
{
    return (uint64_t)tensor->count * (uint64_t)tensor->height * (uint64_t)tensor->width *
           (uint64_t)tensor->channels * img_element_bytes(tensor->element);
}

ImgStatus img_tensor_check(const ImgTensor *tensor, ImgShape shape, ImgError *err)
{
    const ImgColor color = shape.format.color;
    if (shape.width != tensor->width || shape.height != tensor->height)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "%d x %d pixels, in a tensor for pictures of %d x %d; give all pictures "
                        "one size by a step, such as 'resize %dx%d fit=cover'",
                        shape.width, shape.height, tensor->width, tensor->height, tensor->width,
                        tensor->height);
    if (color == IMG_COLOR_PALETTE && tensor->channels != 1)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "palette indices, in a tensor of %d channels; convert them to RGB first",
                        tensor->channels);
    if ((color == IMG_COLOR_RGB || color == IMG_COLOR_RGBA) && tensor->channels < 3)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "colour, in a tensor for gray; convert it with the step 'grayscale'");
    if (tensor->indices && (color == IMG_COLOR_GRAY_ALPHA || shape.format.bits > 8))
        return img_fail(err, IMG_E_UNSUPPORTED, "gray %s, in a tensor of indices",
                        color == IMG_COLOR_GRAY_ALPHA ? "with alpha" : "of 16 bits");
    return IMG_OK;
}

static uint32_t sample_of(const uint8_t *pixel, int channel, int bits)
{
    uint16_t wide;
    if (bits <= 8)
        return pixel[channel];
    memcpy(&wide, pixel + 2 * channel, sizeof wide);
    return wide;
}

static void store(const ImgTensor *tensor, uint64_t place, uint32_t number)
{
    const uint8_t byte = (uint8_t)number;
    const uint16_t half = (uint16_t)number;
    const size_t bytes = img_element_bytes(tensor->element);
    const void *from = bytes == 1   ? (const void *)&byte
                       : bytes == 2 ? (const void *)&half
                                    : &number;
    memcpy((uint8_t *)tensor->data + place * bytes, from, bytes);
}

void img_tensor_put_reference(const ImgTensor *tensor, int32_t index, const ImgView *picture)
{
    const ImgFormat format = picture->format;
    const uint32_t maximum = img_format_maximum(format);
    const size_t size = img_format_pixel_size(format);
    const bool is_index = tensor_is_index(tensor, format);
    for (int32_t y = 0; y < picture->height; y++)
        for (int32_t x = 0; x < picture->width; x++)
            for (int c = 0; c < tensor->channels; c++) {
                const uint8_t *pixel =
                    picture->data + (size_t)y * picture->stride + (size_t)x * size;
                const int from = tensor_source_channel(format.color, tensor->channels, c);
                const uint32_t sample = from < 0 ? maximum : sample_of(pixel, from, format.bits);
                const uint64_t at = (uint64_t)y * (uint64_t)picture->width + (uint64_t)x;
                store(tensor, tensor_place(tensor, index, at, c),
                      tensor_number(tensor, c, sample, maximum, is_index));
            }
}
