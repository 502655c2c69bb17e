/* Private: integer logarithms that have the same results on every processor and on GPUs. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_LOGARITHM_H
#define IMGTOOL_IO_PNG_DEFLATE_LOGARITHM_H

#include <stdint.h>

#include "kernels/core/cuda/host_device.h"

/* Returns the index of the highest set bit of `number`, which must not be 0. */
IMG_HOST_DEVICE uint32_t img_top_bit(uint32_t number)
{
#if defined(__CUDA_ARCH__)
    return 31 - (uint32_t)__clz((int)number);
#else
    return 31 - (uint32_t)__builtin_clz(number);
#endif
}

/* Returns the base-2 logarithm of `number` (up to 2^26) in sixteenths, rounded down. Returns 0 for
 * 0. Method: squaring a number between 1 and 2 yields the next bit of its logarithm. */
IMG_HOST_DEVICE uint32_t img_logarithm(uint32_t number)
{
    if (number == 0)
        return 0;
    uint32_t result = img_top_bit(number);
    uint64_t fraction = (uint64_t)number << (31 - result);
    for (int i = 0; i < 4; i++) {
        fraction = fraction * fraction >> 31;
        const uint32_t bit = fraction >> 32 != 0;
        fraction >>= bit;
        result = result << 1 | bit;
    }
    return result;
}

#endif
