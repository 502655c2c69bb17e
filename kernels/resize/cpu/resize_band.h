/* Private to resize on the CPU: from bands of up to 16 rows of the middle, whoever has them summed,
 * to rows of the result. */
#ifndef IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_BAND_H
#define IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_BAND_H

#include "kernels/resize/rows/resize_wide.h"

/* Sums for a processor. */
typedef struct ImgResizeVariant {
    const ImgResizeRows *rows;
    const ImgResizeWide *wide;
} ImgResizeVariant;

extern const ImgResizeVariant img_resize_portable, img_resize_neon, img_resize_avx2,
    img_resize_avx512;

/* Rows of the result that are made. */
typedef struct ImgResizeBand {
    const ImgCall *call; /* source and sizes of the result; its source may have no data */
    const ImgResize *own;
    const ImgResizeVariant *variant;
    int32_t row, end;
} ImgResizeBand;

ImgResizeBand img_resize_band(const ImgCall *call, const ImgResizeVariant *variant, int32_t row,
                              int32_t end);

/* As calloc, for vectors: they are loaded in half the time where none crosses a line of the cache.
 */
void *img_resize_zeros(size_t count, size_t size);

/* What a thread needs to sum parts of rows across. Start from zeros; ends with
 * img_resize_across_free, whether it was made or not. */
typedef struct ImgResizeAcross {
    int16_t *pairs; /* of columns of the middle, narrow */
    int32_t *wide;  /* columns of it, wide */
    uint8_t *bytes; /* of columns of the result */
} ImgResizeAcross;

/* What it takes. */
uint64_t img_resize_across_bytes(const ImgResize *own);

/* False: no memory. */
bool img_resize_across_make(const ImgResize *own, ImgResizeAcross *across);
void img_resize_across_free(ImgResizeAcross *across);

/* Puts the band's middle, pixels of the source from `from` to before `end`, into `across->pairs`
 * or `across->wide`. */
typedef void ImgResizePartFunction(void *context, const ImgResizeBand *band, int32_t from,
                                   int32_t end, const ImgResizeAcross *across);

/* Part by part. */
void img_resize_make_band(const ImgResizeBand *band, const ImgResizeAcross *across,
                          ImgResizePartFunction *sum_part, void *context);

/* Where no sums are made: row `row` of the result, from the source's row that it is one of. */
void img_resize_copy_row(const ImgCall *call, const uint8_t *from, int32_t row);

/* The background, around what is made. */
void img_resize_fill_around(const ImgCall *call);

#endif
