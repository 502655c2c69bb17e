/* Rows of bytes from one place on a device to another. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_ROW_COPY_H
#define IMGTOOL_KERNELS_CORE_CUDA_ROW_COPY_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The source may begin at any byte: it is read in 16 bytes from multiples of 16 on, those around
 * its first and last bytes included. The destination begins at a multiple of 16, and nothing else
 * is written. Strides are multiples of 16, and may be negative. */
typedef struct ImgRowCopy {
    const uint8_t *src;
    uint8_t *dst;
    ptrdiff_t src_stride, dst_stride;
    int64_t row_bytes, rows;
} ImgRowCopy;

ImgStatus img_row_copy(const ImgRowCopy *copy, void *stream, ImgError *err);

/* All rows of a picture, or of a part of one, to one of the same size on the same device. */
ImgStatus img_row_copy_view(const ImgView *src, const ImgView *dst, void *stream, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
