/* Private to tensor: how a sample becomes a number. The same code runs on CPU and GPU. */
#ifndef IMGTOOL_IO_TENSOR_TENSOR_PRIV_H
#define IMGTOOL_IO_TENSOR_TENSOR_PRIV_H

#include "io/tensor/tensor.h"
#include "kernels/core/cuda/host_device.h"

/* Returns the bits of a float. */
IMG_HOST_DEVICE uint32_t tensor_float_bits(float value)
{
    union {
        float value;
        uint32_t bits;
    } both = {value};
    return both.bits;
}

/* Returns the bits of the bfloat16 nearest to a finite float. Half of the last kept bit is added;
 * one less if that bit is 0, so that a tie goes to even. */
IMG_HOST_DEVICE uint32_t tensor_bfloat16(uint32_t bits)
{
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/* Returns `bits` divided by 2^shift, rounded to nearest, ties to even. `shift` is at least 1. */
IMG_HOST_DEVICE uint32_t tensor_shift_rounded(uint32_t bits, uint32_t shift)
{
    const uint32_t half = 1u << (shift - 1);
    return (bits + (half - 1) + (bits >> shift & 1)) >> shift;
}

/* Returns the bits of the float16 (IEEE binary16) nearest to a finite float; infinity if that is
 * too large. A float16 has 10 bits of mantissa, where a float has 23, and a bias of 15, where that
 * has 127. */
IMG_HOST_DEVICE uint32_t tensor_float16(uint32_t bits)
{
    const uint32_t sign = bits >> 16 & 0x8000, exponent = bits >> 23 & 0xff;
    const uint32_t mantissa = bits & 0x7fffff;
    if (exponent >= 127 + 16)
        return sign | 0x7c00;
    if (exponent > 127 - 15) /* a carry out of the mantissa goes to the exponent */
        return sign | (((exponent - (127 - 15)) << 10) + tensor_shift_rounded(mantissa, 13));
    /* A subnormal float16 is a multiple of 2^-24; below half of that it is 0. */
    if (exponent < 127 - 25)
        return sign;
    return sign | tensor_shift_rounded(mantissa | 0x800000, 126 - exponent);
}

/* Returns the channel of a picture that becomes channel `channel` of a tensor with `channels`
 * channels; -1 if it is alpha that the picture does not have. */
IMG_HOST_DEVICE int tensor_source_channel(ImgColor color, int channels, int channel)
{
    const bool has_alpha = color == IMG_COLOR_GRAY_ALPHA || color == IMG_COLOR_RGBA;
    const bool has_color = color == IMG_COLOR_RGB || color == IMG_COLOR_RGBA;
    const bool is_alpha = channels % 2 == 0 && channel == channels - 1;
    if (is_alpha)
        return !has_alpha ? -1 : has_color ? 3 : 1;
    return has_color ? channel : 0;
}

/* Returns whether the samples of a picture are indices, which are not scaled. */
IMG_HOST_DEVICE bool tensor_is_index(const ImgTensor *tensor, ImgFormat format)
{
    return format.color == IMG_COLOR_PALETTE || tensor->indices;
}

/* Returns the number for a sample of a channel, as the bits of the tensor's element. `maximum` is
 * the largest sample. `is_index` is true for indices (tensor_is_index). */
IMG_HOST_DEVICE uint32_t tensor_number(const ImgTensor *tensor, int channel, uint32_t sample,
                                       uint32_t maximum, bool is_index)
{
    if (tensor->element == IMG_UINT8)
        return is_index            ? sample
               : maximum == 0xffff ? (sample + 128) / 257
                                   : sample * (255 / maximum);
    if (tensor->element == IMG_UINT16)
        return is_index ? sample : sample * (0xffff / maximum);
    float value = is_index ? (float)sample : (float)sample / (float)maximum;
    value = (value - tensor->mean[channel]) / tensor->deviation[channel];
    const uint32_t bits = tensor_float_bits(value);
    return tensor->element == IMG_FLOAT32    ? bits
           : tensor->element == IMG_BFLOAT16 ? tensor_bfloat16(bits)
                                             : tensor_float16(bits);
}

#ifdef __cplusplus
extern "C" {
#endif
/* Does the same as img_tensor_put, number by number, for tests. */
void img_tensor_put_reference(const ImgTensor *tensor, int32_t index, const ImgView *picture);
#ifdef __cplusplus
}
#endif

/* Returns the index of an element in the tensor. `pixel` counts row by row from the first pixel of
 * the picture. */
IMG_HOST_DEVICE uint64_t tensor_place(const ImgTensor *tensor, int32_t index, uint64_t pixel,
                                      int channel)
{
    const uint64_t pixels = (uint64_t)tensor->height * (uint64_t)tensor->width;
    const uint64_t channels = (uint64_t)tensor->channels;
    return tensor->channels_first
               ? ((uint64_t)index * channels + (uint64_t)channel) * pixels + pixel
               : ((uint64_t)index * pixels + pixel) * channels + (uint64_t)channel;
}

#endif
