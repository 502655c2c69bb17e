/* Private to resize on the CPU: bands of narrow sums from a picture in memory. The source rows of a
 * band are paired in slices that fit the first-level cache, and summed vertically to 16 rows of a
 * strip of the middle. These become pairs of columns. Memory is that of a strip and a part,
 * whatever the size of the picture. */
#ifndef IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_CPU_NARROW_H
#define IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_CPU_NARROW_H

#include "kernels/resize/cpu/resize_band.h"

/* Memory of a thread. Call img_resize_narrow_bands_free even if img_resize_narrow_bands_make
 * failed. */
typedef struct ImgResizeNarrowBands {
    const uint8_t **rows; /* [pair][2] source rows of the band */
    ImgRows pairs;        /* the range of their numbers */
    int16_t *row_pairs, *middle;
    ImgResizeAcross across;
} ImgResizeNarrowBands;

/* Returns false when memory is short. */
bool img_resize_narrow_bands_make(const ImgResize *own, ImgResizeNarrowBands *bands);
void img_resize_narrow_bands_free(ImgResizeNarrowBands *bands);

void img_resize_make_narrow(const ImgResizeBand *band, ImgResizeNarrowBands *bands);

#endif
