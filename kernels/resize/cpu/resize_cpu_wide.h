/* Private to resize on the CPU: wide sums of a whole picture. */
#ifndef IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_CPU_WIDE_H
#define IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_CPU_WIDE_H

#include "kernels/resize/cpu/resize_band.h"

/* What a thread needs. Start from zeros; ends with img_resize_wide_bands_free, whether it was made
 * or not. */
typedef struct ImgResizeWideBands {
    int32_t *values, *upper; /* [row of the source][strip]; upper bits, where there are any */
    int64_t *sums;           /* [row of the band][strip] */
    int32_t *middle;         /* [row of the band][strip] */
    ImgResizeAcross across;
} ImgResizeWideBands;

/* False: no memory. */
bool img_resize_wide_bands_make(const ImgResize *own, ImgResizeWideBands *bands);
void img_resize_wide_bands_free(ImgResizeWideBands *bands);

/* For img_resize_make_band; `context` is an ImgResizeWideBands. */
ImgResizePartFunction img_resize_wide_part;

#endif
