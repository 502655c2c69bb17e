/* Private to resize on the CPU: narrow and wide sums (resize.h) of bands of a picture in memory. */
#ifndef IMGTOOL_KERNELS_RESIZE_RESIZE_CPU_PRIV_H
#define IMGTOOL_KERNELS_RESIZE_RESIZE_CPU_PRIV_H

#include "kernels/resize/resize_band.h"

/* --- Narrow sums ------------------------------------------------------------------------------ */

/* The source rows of a band are stored in pairs, slice by slice, so that a slice of all rows fits
 * in the first-level cache. Vertical sums of the pairs give 16 rows of a strip. These rows are
 * stored as pairs of columns for the horizontal sums. A thread needs memory for one strip and one
 * part, independent of the size of the picture. */

/* Memory of a thread. img_resize_narrow_bands_make initialises it. Call
 * img_resize_narrow_bands_free even if img_resize_narrow_bands_make failed. */
typedef struct ImgResizeNarrowBands {
    const uint8_t **rows; /* source rows of the band; indices [pair][2] */
    ImgRows pairs;        /* the band's pairs of source rows, as a range of indices of pairs */
    int16_t *row_pairs, *middle;
    ImgResizeAcross across;
} ImgResizeNarrowBands;

/* Allocates the memory of `bands`. Returns false when memory is short. */
bool img_resize_narrow_bands_make(const ImgResize *own, ImgResizeNarrowBands *bands);
void img_resize_narrow_bands_free(ImgResizeNarrowBands *bands);

void img_resize_make_narrow(const ImgResizeBand *band, ImgResizeNarrowBands *bands);

/* --- Wide sums -------------------------------------------------------------------------------- */

/* Memory of a thread. Initialise it with zeros. Call img_resize_wide_bands_free even if
 * img_resize_wide_bands_make failed. */
typedef struct ImgResizeWideBands {
    /* values of source rows that are summed, as resize_wide.h defines them; indices [source
     * row][sample of the strip]. If 32 bits do not suffice, `upper` has the upper bits; otherwise
     * it is NULL. */
    int32_t *values, *upper;
    int64_t *sums;   /* incomplete vertical sums; indices [row of the band][sample of the strip] */
    int32_t *middle; /* complete vertical sums; indices [row of the band][sample of the strip] */
    ImgResizeAcross across;
} ImgResizeWideBands;

/* Allocates the memory of `bands`. Returns false when memory is short. */
bool img_resize_wide_bands_make(const ImgResize *own, ImgResizeWideBands *bands);
void img_resize_wide_bands_free(ImgResizeWideBands *bands);

/* Computes the vertical sums of a part (some columns of a band) with wide sums; `context` must be
 * an ImgResizeWideBands. */
ImgResizePartFunction img_resize_wide_part;

#endif
