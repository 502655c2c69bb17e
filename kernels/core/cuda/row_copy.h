/* Copies of rows of bytes from device memory to memory of the same device. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_ROW_COPY_H
#define IMGTOOL_KERNELS_CORE_CUDA_ROW_COPY_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Describes a copy of `rows` rows of row_bytes bytes. The source may begin at any byte. The kernel
 * reads it in aligned units of 16 bytes, and reads the first and the last unit as a whole. The
 * destination must begin at a multiple of 16; only row_bytes bytes of each row are written. Strides
 * are multiples of 16 and may be negative. */
typedef struct ImgRowCopy {
    const uint8_t *src;
    uint8_t *dst;
    ptrdiff_t src_stride, dst_stride;
    int64_t row_bytes, rows;
} ImgRowCopy;

ImgStatus img_row_copy(const ImgRowCopy *copy, void *stream, ImgError *err);

/* Copies the pixels of `src`, a picture or a part of one, to `dst`. Both have the same size and
 * format, and are in memory of the same device. */
ImgStatus img_row_copy_view(const ImgView *src, const ImgView *dst, void *stream, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
