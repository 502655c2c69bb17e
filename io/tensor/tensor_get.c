/* Makes pictures of tensors in host memory. */
#include <math.h>
#include <string.h>

#include "io/tensor/tensor_priv.h"

ImgFormat img_tensor_format(const ImgTensor *tensor)
{
    static const ImgColor colors[] = {IMG_COLOR_GRAY, IMG_COLOR_GRAY_ALPHA, IMG_COLOR_RGB,
                                      IMG_COLOR_RGBA};
    return (ImgFormat){colors[tensor->channels - 1], tensor->element == IMG_UINT16 ? 16 : 8};
}

/* Returns the value of a float16 (IEEE binary16): 10 bits of mantissa, a bias of 15. */
static float half_value(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
    float value = exponent == 0    ? ldexpf((float)mantissa, -24)
                  : exponent == 31 ? (mantissa == 0 ? INFINITY : NAN)
                                   : ldexpf((float)(mantissa | 0x400), exponent - 25);
    return (bits & 0x8000) != 0 ? -value : value;
}

/* Returns number `at` of a tensor of floating point. */
static float value_at(const ImgTensor *tensor, uint64_t at)
{
    const uint8_t *from = (const uint8_t *)tensor->data + at * img_element_bytes(tensor->element);
    uint16_t half;
    uint32_t word;
    float value;
    if (tensor->element == IMG_FLOAT32) {
        memcpy(&value, from, sizeof value);
        return value;
    }
    memcpy(&half, from, sizeof half);
    if (tensor->element == IMG_FLOAT16)
        return half_value(half);
    word = (uint32_t)half << 16;
    memcpy(&value, &word, sizeof value);
    return value;
}

static uint8_t byte_of(const ImgTensor *tensor, uint64_t at, int channel)
{
    const float value = value_at(tensor, at) * tensor->deviation[channel] + tensor->mean[channel];
    if (!(value > 0))
        return 0;
    return value >= 1 ? 255 : (uint8_t)lrintf(value * 255);
}

static void put_sample(const ImgTensor *tensor, uint64_t at, int channel, uint8_t *pixel)
{
    const size_t bytes = img_element_bytes(tensor->element);
    const uint8_t *from = (const uint8_t *)tensor->data + at * bytes;
    if (tensor->element == IMG_UINT16)
        memcpy(pixel + 2 * channel, from, sizeof(uint16_t));
    else
        pixel[channel] = tensor->element == IMG_UINT8 ? *from : byte_of(tensor, at, channel);
}

void img_tensor_get(const ImgTensor *tensor, int32_t index, const ImgView *picture)
{
    const size_t size = img_format_pixel_size(picture->format);
    for (int32_t y = 0; y < tensor->height; y++)
        for (int32_t x = 0; x < tensor->width; x++) {
            uint8_t *pixel = picture->data + (size_t)y * picture->stride + (size_t)x * size;
            const uint64_t at = (uint64_t)y * (uint64_t)tensor->width + (uint64_t)x;
            for (int c = 0; c < tensor->channels; c++)
                put_sample(tensor, tensor_place(tensor, index, at, c), c, pixel);
        }
}
