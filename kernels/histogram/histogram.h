/* The measurement histogram: counts how often each sample value occurs. All statistics follow
 * exactly from it (statistics.h).
 *
 * The table has one row per channel. If luma is requested and the picture has colour, one more row,
 * the last one, counts luma. A row has 2^bits entries. Entry v of row c is the number of pixels
 * whose channel c is v. For palette pictures the indices are counted, because the colours are not
 * in the pixels. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_HISTOGRAM_H
#define IMGTOOL_KERNELS_HISTOGRAM_HISTOGRAM_H

#include "kernels/core/color/luma.h"
#include "kernels/core/cuda/textbook.h"
#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgHistogramParams {
    int32_t luma;        /* ImgLuma value: the formula that computes luma from RGB, or none */
    int32_t transparent; /* ImgTransparent value: whether pixels with alpha 0 count */
} ImgHistogramParams;

typedef enum ImgTransparent {
    IMG_TRANSPARENT_COUNT, /* all pixels count */
    IMG_TRANSPARENT_SKIP,  /* pixels with alpha 0 do not count; without alpha, all count */
} ImgTransparent;

extern const ImgOp img_measure_histogram;

/* Returns the number of rows of the table for a picture of format `format`: one per channel, and
 * one for luma if it is counted. */
int32_t img_histogram_rows(ImgFormat format, const ImgHistogramParams *own);

/* Returns true if the table has a row for luma, which is the last one. */
bool img_histogram_has_luma(ImgFormat format, const ImgHistogramParams *own);

/* Returns true if pixels with alpha 0 are skipped: the format has alpha, and the parameters request
 * it. */
bool img_histogram_skips(ImgFormat format, const ImgHistogramParams *own);

/* Counts the samples of `src` with the fastest implementation for this processor. It is meant for
 * statistics, and for CPU operations that need a histogram. The caller allocates `counts`:
 * img_histogram_rows() rows of 2^bits entries each, without gaps between rows. The function
 * overwrites all entries. `threads` must be at least 1. Returns IMG_E_MEMORY or IMG_E_UNSUPPORTED
 * on failure. */
ImgStatus img_histogram_count(const ImgView *src, const ImgHistogramParams *own, ImgTeam *team,
                              int threads, uint64_t *counts, ImgError *err);

/* Implements ImgOp.cost.scratch for ImgHistogramParams: returns the bytes of all threads' tables.
 */
uint64_t img_histogram_scratch(ImgShape src, const void *params, int threads);

/* The implementations of histogram, as functions of type ImgRunFunction. */
ImgStatus img_histogram_cpu(const ImgCall *call, ImgError *err);
ImgStatus img_histogram_cpu_avx2(const ImgCall *call, ImgError *err);
ImgStatus img_histogram_cuda_fast(const ImgCall *call, ImgError *err);
IMG_TEXTBOOK ImgRunFunction img_histogram_cuda_global, img_histogram_cuda_shared,
    img_histogram_cuda_warp, img_histogram_cuda_column;

/* The functions with which the CPU implementations process rows as they arrive (ImgByRows). They
 * count on one thread. */
uint64_t img_histogram_by_rows_bytes(ImgShape src, const void *params);
ImgStatus img_histogram_by_rows(const ImgCall *call, void **state, ImgError *err);
ImgStatus img_histogram_by_rows_avx2(const ImgCall *call, void **state, ImgError *err);
void img_histogram_by_rows_take(void *state, const ImgView *rows, int32_t first_row);
void img_histogram_by_rows_end(void *state);

/* The two versions that img_histogram_cuda_fast calls: for samples of up to 8 bits, and of 16
 * bits. */
ImgStatus img_histogram_cuda_columns(const ImgCall *call, ImgError *err);
ImgStatus img_histogram_cuda_slices(const ImgCall *call, ImgError *err);

/* Each of these functions returns the bytes of workspace, aligned to 8, that implementations need
 * for a picture of shape `src` on the current device. */
size_t img_histogram_cuda_workspace(const ImgOp *op, ImgShape src, const void *params);
size_t img_histogram_cuda_columns_workspace(const ImgOp *op, ImgShape src, const void *params);
size_t img_histogram_cuda_slices_workspace(const ImgOp *op, ImgShape src, const void *params);

#ifdef __cplusplus
}
#endif
#endif
