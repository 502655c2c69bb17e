/* Private to resize on the CPU: wide sums of a picture in memory. */
#ifndef IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_CPU_WIDE_H
#define IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_CPU_WIDE_H

#include "kernels/resize/cpu/resize_band.h"

/* Memory of a thread. Start from zeros. Call img_resize_wide_bands_free even if
 * img_resize_wide_bands_make failed. */
typedef struct ImgResizeWideBands {
    int32_t *values, *upper; /* [source row][strip]; upper bits, if there are any */
    int64_t *sums;           /* [row of the band][strip] */
    int32_t *middle;         /* [row of the band][strip] */
    ImgResizeAcross across;
} ImgResizeWideBands;

/* Returns false when memory is short. */
bool img_resize_wide_bands_make(const ImgResize *own, ImgResizeWideBands *bands);
void img_resize_wide_bands_free(ImgResizeWideBands *bands);

/* Implements the callback of img_resize_make_band; `context` is an ImgResizeWideBands. */
ImgResizePartFunction img_resize_wide_part;

#endif
