/* Unsharp masking of a lifted (signed 16-bit) sample: adds a multiple of the difference between the
 * sample and its blurred value. */
#ifndef IMGTOOL_KERNELS_WINDOW_UNSHARP_H
#define IMGTOOL_KERNELS_WINDOW_UNSHARP_H

#include <stdint.h>

#include "kernels/core/cuda/host_device.h"

enum { IMG_AMOUNT_PLACES = 10, IMG_AMOUNT_MAX = 20 };

typedef struct ImgUnsharp {
    /* factor by which the difference from the blurred sample is multiplied, in units of 2^-10; at
     * most 20 * 2^10, so that products fit 32 bits */
    int32_t amount;
    int32_t threshold; /* smallest difference, of lifted samples, that changes the sample */
} ImgUnsharp;

IMG_HOST_DEVICE int32_t img_unsharp(const ImgUnsharp *mask, int32_t lifted, int32_t blurred)
{
    const int32_t difference = lifted - blurred;
    const int32_t distance = difference < 0 ? -difference : difference;
    const int32_t half = 1 << (IMG_AMOUNT_PLACES - 1);
    const int32_t more = (difference * mask->amount + half) >> IMG_AMOUNT_PLACES;
    const int32_t result = lifted + (distance < mask->threshold ? 0 : more);
    return result < -32768 ? -32768 : result > 32767 ? 32767 : result;
}

#endif
