/* Private to resize on the CPU: narrow sums (resize.h) of bands of a picture in memory.
 *
 * The source rows of a band are stored in pairs, slice by slice, so that a slice of all rows fits
 * in the first-level cache. Vertical sums of the pairs give 16 rows of a strip. These rows are
 * stored as pairs of columns for the horizontal sums. A thread needs memory for one strip and one
 * part, independent of the size of the picture. */
#ifndef IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_CPU_NARROW_H
#define IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_CPU_NARROW_H

#include "kernels/resize/cpu/resize_band.h"

/* Memory of a thread. img_resize_narrow_bands_make initialises it. Call
 * img_resize_narrow_bands_free even if img_resize_narrow_bands_make failed. */
typedef struct ImgResizeNarrowBands {
    const uint8_t **rows; /* source rows of the band; indices [pair][2] */
    ImgRows pairs;        /* the band's pairs of source rows, as a range of pair numbers */
    int16_t *row_pairs, *middle;
    ImgResizeAcross across;
} ImgResizeNarrowBands;

/* Allocates the memory of `bands`. Returns false when memory is short. */
bool img_resize_narrow_bands_make(const ImgResize *own, ImgResizeNarrowBands *bands);
void img_resize_narrow_bands_free(ImgResizeNarrowBands *bands);

void img_resize_make_narrow(const ImgResizeBand *band, ImgResizeNarrowBands *bands);

#endif
