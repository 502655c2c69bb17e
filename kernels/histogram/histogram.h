/* The histogram measurement: how often each sample value occurs. Every statistic follows from it
 * exactly (statistics.h).
 *
 * The table has one row per channel and, after them, one for luma where the picture has colour and
 * luma is asked for; 2^bits entries per row. Entry v of row c counts the pixels whose channel c is
 * v. Of palette pictures the indices are counted: the colours are not in the pixels. */
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
    IMG_TRANSPARENT_COUNT, /* all pixels count alike */
    IMG_TRANSPARENT_SKIP,  /* pixels with alpha 0 count nowhere; without alpha, none is skipped */
} ImgTransparent;

extern const ImgOp img_measure_histogram;

/* Rows of the table for a picture of this format. */
int32_t img_histogram_rows(ImgFormat format, const ImgHistogramParams *own);

/* Does the table have a row for luma? It is the last one then. */
bool img_histogram_has_luma(ImgFormat format, const ImgHistogramParams *own);

/* Do pixels have to be looked at for their alpha first? */
bool img_histogram_skips(ImgFormat format, const ImgHistogramParams *own);

/* Counts `src` with the fastest implementation that this processor has: what statistics and
 * operations that need a histogram on the CPU call. `counts` is the caller's, img_histogram_rows()
 * rows of 2^bits entries without gaps, and is overwritten. `threads` at least 1. IMG_E_MEMORY,
 * IMG_E_UNSUPPORTED.
 */
ImgStatus img_histogram_count(const ImgView *src, const ImgHistogramParams *own, ImgTeam *team,
                              int threads, uint64_t *counts, ImgError *err);

/* Implementations: ImgRunFunction. */
/* For ImgOp.scratch, of ImgHistogramParams: the counters of all threads. */
uint64_t img_histogram_scratch(ImgShape src, const void *params, int threads);

ImgStatus img_histogram_cpu(const ImgCall *call, ImgError *err);
ImgStatus img_histogram_cpu_avx2(const ImgCall *call, ImgError *err);
ImgStatus img_histogram_cuda_global(const ImgCall *call, ImgError *err);
ImgStatus img_histogram_cuda_shared(const ImgCall *call, ImgError *err);
ImgStatus img_histogram_cuda_warp(const ImgCall *call, ImgError *err);
ImgStatus img_histogram_cuda_column(const ImgCall *call, ImgError *err);
ImgStatus img_histogram_cuda_fast(const ImgCall *call, ImgError *err);

/* What img_histogram_cuda_fast takes, by depth: up to 8 bits and 16 bits. */
ImgStatus img_histogram_cuda_columns(const ImgCall *call, ImgError *err);
ImgStatus img_histogram_cuda_slices(const ImgCall *call, ImgError *err);

/* Bytes of device memory, aligned to 8, that they need for this shape on the current device. */
size_t img_histogram_cuda_workspace(const ImgOp *op, ImgShape src, const void *params);
size_t img_histogram_cuda_columns_workspace(const ImgOp *op, ImgShape src, const void *params);
size_t img_histogram_cuda_slices_workspace(const ImgOp *op, ImgShape src, const void *params);

#ifdef __cplusplus
}
#endif
#endif
