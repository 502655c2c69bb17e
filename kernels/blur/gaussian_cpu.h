/* Private to gaussian_cpu.c and gaussian_lines.c: functions for rows of the Gaussian on the CPU. */
#ifndef IMGTOOL_KERNELS_BLUR_GAUSSIAN_CPU_H
#define IMGTOOL_KERNELS_BLUR_GAUSSIAN_CPU_H

#include "kernels/blur/gaussian.h"
#include "kernels/core/window/rows/window_rows.h"

/* The source rows that vertical sums use, addressed by their row number. */
typedef struct ImgSourceRows {
    const ImgView *view;
    const ImgLift *lift;
    const ImgGaussian *gaussian;
    const ImgWindowRows *rows;
    /* A ring of `kept` lifted rows: source row y is at index y modulo `kept`. NULL if the sums use
     * samples of the source without lifting. */
    int16_t *ring;
    const int16_t *background; /* the background as a lifted row */
    int64_t next;              /* first row that is not in the ring yet */
    int32_t kept;
} ImgSourceRows;

/* Computes the weighted sum of `count` rows from row `first` on, as lifted samples; `count` must be
 * even. If there is a ring, `first` must not decrease from call to call. Rows of weight 0 need not
 * be in the ring. */
void img_source_weigh(ImgSourceRows *source, int64_t first, const int16_t *weights, int32_t count,
                      int16_t *to);

/* Computes the weighted sum of `count` rows in memory; each has `samples` samples, and they are
 * `stride` samples apart. */
void img_weigh_rows(const ImgWindowRows *rows, const int16_t *from, size_t stride,
                    const int16_t *weights, int32_t count, int16_t *to, size_t samples);

/* Fills the `left` pixels before a lifted row of `width` pixels, and the `right` pixels after it,
 * as the border defines. */
void img_pad_row(const ImgGaussian *gaussian, int32_t channels, int16_t *row, int32_t width,
                 int64_t left, int64_t right);

/* `split` separates a row of groups of `factor` pixels into `factor` rows: all first pixels, all
 * second pixels and so on. These rows are `stride` samples apart. `join` is the inverse, for
 * `pixels` pixels in all. */
void img_split_groups(const int16_t *from, int32_t channels, int32_t factor, int64_t groups,
                      int16_t *to, size_t stride);
void img_join_groups(const int16_t *from, size_t stride, int32_t channels, int32_t factor,
                     int64_t pixels, int16_t *to);

#endif
