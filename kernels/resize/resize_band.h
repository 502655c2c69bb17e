/* Private to resize on the CPU: computes rows of the result, in bands of up to 16 rows, by
 * horizontal sums over the middle. The middle is the picture after vertical sums and before
 * horizontal sums. The caller computes it, either from a picture in memory or from rows as they
 * arrive. */
#ifndef IMGTOOL_KERNELS_RESIZE_RESIZE_BAND_H
#define IMGTOOL_KERNELS_RESIZE_RESIZE_BAND_H

#include "kernels/resize/resize_wide.h"

/* The functions of one instruction set: `rows` for narrow sums, `wide` for wide sums (resize.h). */
typedef struct ImgResizeVariant {
    const ImgResizeRows *rows;
    const ImgResizeWide *wide;
} ImgResizeVariant;

extern const ImgResizeVariant img_resize_portable, img_resize_avx2, img_resize_avx512;

/* A band: rows `row` to `end` - 1 of the result, at most 16 rows. */
typedef struct ImgResizeBand {
    /* the call of the operation; its source has the size of the picture, but may have no pixels */
    const ImgCall *call;
    const ImgResize *own;
    const ImgResizeVariant *variant;
    int32_t row, end;
} ImgResizeBand;

ImgResizeBand img_resize_band(const ImgCall *call, const ImgResizeVariant *variant, int32_t row,
                              int32_t end);

/* Allocates zeroed memory like calloc, but aligned to cache lines. Vector loads that do not cross a
 * cache line take half the time. */
void *img_resize_zeros(size_t count, size_t size);

/* Memory of a thread for the horizontal sums of a band, which are computed for some columns at a
 * time. Initialise it with zeros. Call img_resize_across_free even if img_resize_across_make
 * failed. */
typedef struct ImgResizeAcross {
    int16_t *pairs; /* vertical sums as pairs of columns, for narrow sums; NULL for wide sums */
    int32_t *wide;  /* vertical sums in columns, for wide sums; NULL for narrow sums */
    uint8_t *bytes; /* columns of the result, before they are transposed to rows */
} ImgResizeAcross;

/* Returns the size in bytes of the memory that an ImgResizeAcross owns. */
uint64_t img_resize_across_bytes(const ImgResize *own);

/* Allocates the memory of `across`. Returns false when memory is short. */
bool img_resize_across_make(const ImgResize *own, ImgResizeAcross *across);
void img_resize_across_free(ImgResizeAcross *across);

/* Computes the vertical sums of source columns `from` to `end` - 1, for the rows of the band.
 * Writes them to `across->pairs` for narrow sums and to `across->wide` for wide sums. */
typedef void ImgResizePartFunction(void *context, const ImgResizeBand *band, int32_t from,
                                   int32_t end, const ImgResizeAcross *across);

/* Computes a band of the result, for some source columns at a time. Calls `sum_part` for the
 * vertical sums of these columns, and then sums them horizontally. */
void img_resize_make_band(const ImgResizeBand *band, const ImgResizeAcross *across,
                          ImgResizePartFunction *sum_part, void *context);

/* Copies pixels of the source row `from` to row `row` of the result. Supports only resizes in which
 * each result pixel is a copy of a source pixel. */
void img_resize_copy_row(const ImgCall *call, const uint8_t *from, int32_t row);

/* Fills the margins with the background. The margins are the part of the result that the scaled
 * picture does not cover. */
void img_resize_fill_around(const ImgCall *call);

#endif
