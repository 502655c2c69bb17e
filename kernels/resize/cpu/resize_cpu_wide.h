/* Private to resize on the CPU: wide sums (resize.h) of bands of a picture in memory. */
#ifndef IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_CPU_WIDE_H
#define IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_CPU_WIDE_H

#include "kernels/resize/cpu/resize_band.h"

/* Memory of a thread. Initialise it with zeros. Call img_resize_wide_bands_free even if
 * img_resize_wide_bands_make failed. */
typedef struct ImgResizeWideBands {
    /* [source row][strip]; `upper` has the upper bits, if values have any */
    int32_t *values, *upper;
    int64_t *sums;   /* [row of the band][strip] */
    int32_t *middle; /* [row of the band][strip] */
    ImgResizeAcross across;
} ImgResizeWideBands;

/* Returns false when memory is short. */
bool img_resize_wide_bands_make(const ImgResize *own, ImgResizeWideBands *bands);
void img_resize_wide_bands_free(ImgResizeWideBands *bands);

/* Implements ImgResizePartFunction; `context` is an ImgResizeWideBands. */
ImgResizePartFunction img_resize_wide_part;

#endif
