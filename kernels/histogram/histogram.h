/* The histogram measurement: how often each sample value occurs. Every statistic can be derived
 * from it exactly (statistics.h).
 *
 * The table has one row per channel, and a last one for luma if it is requested and the picture has
 * colour. A row has 2^bits entries. Entry v of row c counts the pixels whose channel c is v. For
 * palette pictures the indices are counted, because the colours are not in the pixels. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_HISTOGRAM_H
#define IMGTOOL_KERNELS_HISTOGRAM_HISTOGRAM_H

#include "kernels/core/color/luma.h"
#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgHistogramParams {
    int32_t luma;        /* an ImgLuma */
    int32_t transparent; /* an ImgTransparent */
} ImgHistogramParams;

typedef enum ImgTransparent {
    IMG_TRANSPARENT_COUNT, /* all pixels count */
    IMG_TRANSPARENT_SKIP,  /* pixels with alpha 0 do not count; without alpha, all count */
} ImgTransparent;

extern const ImgOp img_measure_histogram;

/* Returns the rows of the table for a picture of this format. */
int32_t img_histogram_rows(ImgFormat format, const ImgHistogramParams *own);

/* Returns true if the table has a row for luma, which is the last one. */
bool img_histogram_has_luma(ImgFormat format, const ImgHistogramParams *own);

/* Returns true if pixels with alpha 0 have to be skipped. */
bool img_histogram_skips(ImgFormat format, const ImgHistogramParams *own);

/* Counts `src` with the fastest implementation for this processor, for statistics and for CPU
 * operations that need a histogram. `counts` belongs to the caller and is overwritten:
 * img_histogram_rows() rows of 2^bits entries without gaps. `threads` is at least 1. Fails with
 * IMG_E_MEMORY or IMG_E_UNSUPPORTED. */
ImgStatus img_histogram_count(const ImgView *src, const ImgHistogramParams *own, ImgTeam *team,
                              int threads, uint64_t *counts, ImgError *err);

/* Implementations (ImgRunFunction). */
/* Implements ImgOp.scratch, with ImgHistogramParams: the counters of all threads. */
uint64_t img_histogram_scratch(ImgShape src, const void *params, int threads);

ImgStatus img_histogram_cpu(const ImgCall *call, ImgError *err);
ImgStatus img_histogram_cpu_avx2(const ImgCall *call, ImgError *err);
ImgStatus img_histogram_cuda_global(const ImgCall *call, ImgError *err);
ImgStatus img_histogram_cuda_shared(const ImgCall *call, ImgError *err);
ImgStatus img_histogram_cuda_warp(const ImgCall *call, ImgError *err);
ImgStatus img_histogram_cuda_column(const ImgCall *call, ImgError *err);
ImgStatus img_histogram_cuda_fast(const ImgCall *call, ImgError *err);

/* The two versions behind img_histogram_cuda_fast: for up to 8 bits, and for 16 bits. */
ImgStatus img_histogram_cuda_columns(const ImgCall *call, ImgError *err);
ImgStatus img_histogram_cuda_slices(const ImgCall *call, ImgError *err);

/* Return the number of bytes of device memory, aligned to 8, that they need for this shape on the
 * current device. */
size_t img_histogram_cuda_workspace(const ImgOp *op, ImgShape src, const void *params);
size_t img_histogram_cuda_columns_workspace(const ImgOp *op, ImgShape src, const void *params);
size_t img_histogram_cuda_slices_workspace(const ImgOp *op, ImgShape src, const void *params);

#ifdef __cplusplus
}
#endif
#endif
