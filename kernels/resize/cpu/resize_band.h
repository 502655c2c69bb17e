/* Private to resize on the CPU: from bands of up to 16 rows of the middle to rows of the result.
 * The middle is the picture after vertical sums. Callers compute it in different ways. */
#ifndef IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_BAND_H
#define IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_BAND_H

#include "kernels/resize/rows/resize_wide.h"

/* Sums for an instruction set. */
typedef struct ImgResizeVariant {
    const ImgResizeRows *rows;
    const ImgResizeWide *wide;
} ImgResizeVariant;

extern const ImgResizeVariant img_resize_portable, img_resize_neon, img_resize_avx2,
    img_resize_avx512;

/* A band of rows of the result. */
typedef struct ImgResizeBand {
    const ImgCall *call; /* the source and the size of the result; the source may have no data */
    const ImgResize *own;
    const ImgResizeVariant *variant;
    int32_t row, end;
} ImgResizeBand;

ImgResizeBand img_resize_band(const ImgCall *call, const ImgResizeVariant *variant, int32_t row,
                              int32_t end);

/* As calloc, but aligned for vectors: loads take half the time if none crosses a cache line. */
void *img_resize_zeros(size_t count, size_t size);

/* Memory that a thread needs to sum parts of rows horizontally. Start from zeros. Call
 * img_resize_across_free even if img_resize_across_make failed. */
typedef struct ImgResizeAcross {
    int16_t *pairs; /* narrow: columns of the middle */
    int32_t *wide;  /* wide: columns of the middle */
    uint8_t *bytes; /* columns of the result */
} ImgResizeAcross;

/* Returns the number of bytes of that memory. */
uint64_t img_resize_across_bytes(const ImgResize *own);

/* Returns false when memory is short. */
bool img_resize_across_make(const ImgResize *own, ImgResizeAcross *across);
void img_resize_across_free(ImgResizeAcross *across);

/* Writes the middle of the band, source pixels `from` to before `end`, to `across->pairs` or
 * `across->wide`. */
typedef void ImgResizePartFunction(void *context, const ImgResizeBand *band, int32_t from,
                                   int32_t end, const ImgResizeAcross *across);

/* Computes a band, part by part. */
void img_resize_make_band(const ImgResizeBand *band, const ImgResizeAcross *across,
                          ImgResizePartFunction *sum_part, void *context);

/* Copies row `row` of the result from the source row that it equals. For resizes without sums. */
void img_resize_copy_row(const ImgCall *call, const uint8_t *from, int32_t row);

/* Fills the background around the scaled picture. */
void img_resize_fill_around(const ImgCall *call);

#endif
