/* Copies of rows of bytes within the memory of a device. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_ROW_COPY_H
#define IMGTOOL_KERNELS_CORE_CUDA_ROW_COPY_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A copy of `rows` rows. The source may begin at any byte. It is read in aligned units of 16 bytes,
 * including all bytes of the units at its ends. The destination must begin at a multiple of 16;
 * only row_bytes bytes of each row are written. Strides are multiples of 16 and may be negative. */
typedef struct ImgRowCopy {
    const uint8_t *src;
    uint8_t *dst;
    ptrdiff_t src_stride, dst_stride;
    int64_t row_bytes, rows;
} ImgRowCopy;

ImgStatus img_row_copy(const ImgRowCopy *copy, void *stream, ImgError *err);

/* Copies a picture, or a part of one, to one of the same size on the same device. */
ImgStatus img_row_copy_view(const ImgView *src, const ImgView *dst, void *stream, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
