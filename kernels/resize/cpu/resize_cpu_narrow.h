/* Private to resize on the CPU: narrow sums (resize.h) of bands of a picture in memory.
 *
 * The source rows of a band are stored in pairs, slice by slice, so that a slice of all rows fits
 * the first-level cache. Vertical sums of the pairs give 16 rows of a strip of the middle. These
 * are stored as pairs of columns for the horizontal sums. The memory is that of one strip and one
 * part, whatever the size of the picture. */
#ifndef IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_CPU_NARROW_H
#define IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_CPU_NARROW_H

#include "kernels/resize/cpu/resize_band.h"

/* Memory of a thread. Initialise it with zeros. Call img_resize_narrow_bands_free even if
 * img_resize_narrow_bands_make failed. */
typedef struct ImgResizeNarrowBands {
    const uint8_t **rows; /* [pair][2]: the source rows of the band */
    ImgRows pairs;        /* range of the numbers of these pairs */
    int16_t *row_pairs, *middle;
    ImgResizeAcross across;
} ImgResizeNarrowBands;

/* Returns false when memory is short. */
bool img_resize_narrow_bands_make(const ImgResize *own, ImgResizeNarrowBands *bands);
void img_resize_narrow_bands_free(ImgResizeNarrowBands *bands);

void img_resize_make_narrow(const ImgResizeBand *band, ImgResizeNarrowBands *bands);

#endif
