/* Private: tensors, the arrays of numbers that programs for machine learning use. A tensor holds
 * pictures of one size as N x height x width x channels or N x channels x height x width, without
 * gaps, in host or device memory.
 *
 * Samples become numbers in this way. Integers: gray and colours are scaled to all values of the
 * element, as 4-bit gray 15 becomes 255; 16 bits become 8 by rounding. Floating point: a sample is
 * divided by its largest value, so that it lies from 0 to 1; then `mean` is subtracted, and the
 * result divided by `deviation`. Palette indices are not scaled, nor is gray in a tensor of
 * indices. */
#ifndef IMGTOOL_IO_TENSOR_TENSOR_H
#define IMGTOOL_IO_TENSOR_TENSOR_H

#include <stdint.h>

#include "kernels/core/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The type of a number. Both types of 16 bits are rounded to the nearest value, to even if two are
 * equally near. */
typedef enum ImgElement {
    IMG_UINT8,
    IMG_UINT16,
    IMG_FLOAT16,
    IMG_BFLOAT16, /* the upper half of an IEEE float */
    IMG_FLOAT32,
} ImgElement;

enum { IMG_TENSOR_CHANNELS = 4 }; /* largest number of channels */

typedef struct ImgTensor {
    void *data;
    int32_t count, height, width;
    /* 1: gray or palette indices, 2: gray and alpha, 3: RGB, 4: RGBA */
    int32_t channels;
    bool channels_first; /* N x channels x height x width */
    /* For masks, with 1 channel: gray of up to 8 bits is not scaled either. Other gray, and alpha,
     * do not fit. */
    bool indices;
    ImgElement element;
    /* For floating point, of each channel; 0 and 1 leave the value from 0 to 1. */
    float mean[IMG_TENSOR_CHANNELS], deviation[IMG_TENSOR_CHANNELS];
} ImgTensor;

size_t img_element_bytes(ImgElement element);

/* Returns the number of bytes of the tensor. */
uint64_t img_tensor_bytes(const ImgTensor *tensor);

/* Returns whether a picture can be put into the tensor. Gray can become colour, alpha can be
 * dropped, and missing alpha becomes opaque; colour cannot become gray, and palette indices only
 * one channel. IMG_E_UNSUPPORTED if the size or the channels differ otherwise. */
ImgStatus img_tensor_check(const ImgTensor *tensor, ImgShape shape, ImgError *err);

/* Writes a picture that img_tensor_check accepts to place `index` of a tensor in host memory. */
void img_tensor_put(const ImgTensor *tensor, int32_t index, const ImgView *picture);

/* Returns the format of the pictures that img_tensor_get makes: 16 bits for IMG_UINT16, otherwise
 * 8. */
ImgFormat img_tensor_format(const ImgTensor *tensor);

/* The way back: writes place `index` of a tensor in host memory to a picture of the tensor's size,
 * in img_tensor_format. For floating point, the value is multiplied by `deviation`, `mean` is
 * added, and the result, cut to 0 to 1, is multiplied by 255 and rounded to the nearest integer, to
 * even if two are equally near. What is not a number becomes 0. */
void img_tensor_get(const ImgTensor *tensor, int32_t index, const ImgView *picture);

/* A picture in device memory, for img_tensor_queue. */
typedef struct ImgTensorSource {
    const uint8_t *data;
    size_t stride;
    ImgFormat format;
    /* Word in device memory: the place is filled with zeros unless the word is `good`. NULL: the
     * picture is always written. */
    const uint32_t *status;
    uint32_t good;
} ImgTensorSource;

/* Queues a kernel on `stream` (a cudaStream_t) that writes `count` pictures, which img_tensor_check
 * accepts, to the first places of a tensor in device memory. The numbers are those of
 * img_tensor_put. `sources` is an array in device memory. */
ImgStatus img_tensor_queue(const ImgTensor *tensor, const ImgTensorSource *sources, int32_t count,
                           void *stream, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
