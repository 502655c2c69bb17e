/* Private to resize on the CPU: bands of narrow sums from a picture that is in memory. The rows
 * that a band is made of are paired slice by slice, as the first cache holds them, and summed down
 * to 16 rows of a strip of the middle, which become pairs of columns. Memory is that of a strip and
 * a part, whatever the picture's size. */
#ifndef IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_CPU_NARROW_H
#define IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_CPU_NARROW_H

#include "kernels/resize/cpu/resize_band.h"

/* What a thread needs. Ends with img_resize_narrow_bands_free, whether it was made or not. */
typedef struct ImgResizeNarrowBands {
    const uint8_t **rows; /* [pair][2] that a band is made of */
    ImgRows pairs;        /* their numbers */
    int16_t *row_pairs, *middle;
    ImgResizeAcross across;
} ImgResizeNarrowBands;

/* False: no memory. */
bool img_resize_narrow_bands_make(const ImgResize *own, ImgResizeNarrowBands *bands);
void img_resize_narrow_bands_free(ImgResizeNarrowBands *bands);

void img_resize_make_narrow(const ImgResizeBand *band, ImgResizeNarrowBands *bands);

#endif
