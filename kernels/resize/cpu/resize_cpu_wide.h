/* Private to resize on the CPU: wide sums (resize.h) of bands of a picture in memory. */
#ifndef IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_CPU_WIDE_H
#define IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_CPU_WIDE_H

#include "kernels/resize/cpu/resize_band.h"

/* Memory of a thread. Initialise it with zeros. Call img_resize_wide_bands_free even if
 * img_resize_wide_bands_make failed. */
typedef struct ImgResizeWideBands {
    /* values of source rows; indices [source row][sample of the strip]; `upper` is NULL if values
     * have no upper bits */
    int32_t *values, *upper;
    int64_t *sums;   /* incomplete vertical sums; indices [row of the band][sample of the strip] */
    int32_t *middle; /* complete vertical sums; indices [row of the band][sample of the strip] */
    ImgResizeAcross across;
} ImgResizeWideBands;

/* Allocates the memory of `bands`. Returns false when memory is short. */
bool img_resize_wide_bands_make(const ImgResize *own, ImgResizeWideBands *bands);
void img_resize_wide_bands_free(ImgResizeWideBands *bands);

/* Computes the vertical sums of a part with wide sums; `context` must be an ImgResizeWideBands. */
ImgResizePartFunction img_resize_wide_part;

#endif
