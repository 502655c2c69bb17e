/* Private: products of polynomials modulo the CRC-32 polynomial (PNG specification, third edition,
 * annex D). Such products combine the CRCs of pieces of a message: the CRC of a piece is multiplied
 * by x^n if n bits follow the piece. */
#ifndef IMGTOOL_IO_PNG_CUDA_CRC_PRODUCT_H
#define IMGTOOL_IO_PNG_CUDA_CRC_PRODUCT_H

#include <stdint.h>

#include "kernels/core/cuda/host_device.h"

/* Polynomials of degree below 32: bit 31 is the coefficient of x^0, bit 0 the coefficient of x^31.
 * IMG_CRC_POLYNOMIAL omits the term x^32 of the CRC-32 polynomial. */
#define IMG_CRC_POLYNOMIAL 0xEDB88320U
#define IMG_CRC_ONE        (1U << 31)
#define IMG_CRC_X          (1U << 30)

IMG_HOST_DEVICE uint32_t img_crc_product(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (uint32_t bit = IMG_CRC_ONE; bit != 0; bit >>= 1) {
        product ^= (a & bit) != 0 ? b : 0;
        b = b >> 1 ^ ((b & 1) != 0 ? IMG_CRC_POLYNOMIAL : 0);
    }
    return product;
}

#endif
