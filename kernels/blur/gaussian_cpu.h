/* Private to gaussian_cpu.c and gaussian_lines.c: rows of the Gaussian on the CPU. */
#ifndef IMGTOOL_KERNELS_BLUR_GAUSSIAN_CPU_H
#define IMGTOOL_KERNELS_BLUR_GAUSSIAN_CPU_H

#include "kernels/blur/gaussian.h"
#include "kernels/core/window/rows/window_rows.h"

/* The rows that vertical sums use, addressed by position. */
typedef struct ImgSourceRows {
    const ImgView *view;
    const ImgLift *lift;
    const ImgGaussian *gaussian;
    const ImgWindowRows *rows;
    /* A ring of `kept` lifted rows, at the index of the source row modulo `kept`. NULL: samples are
     * weighed as they are in the source. */
    int16_t *ring;
    const int16_t *background; /* a lifted row */
    int64_t next;              /* the first row that is not in the ring */
    int32_t kept;
} ImgSourceRows;

/* Computes the weighted sum of an even `count` of rows, from `first` on, as lifted samples. With a
 * ring, `first` must not decrease from call to call, and rows of weight 0 need not be kept. */
void img_source_weigh(ImgSourceRows *source, int64_t first, const int16_t *weights, int32_t count,
                      int16_t *to);

/* The same for rows in memory of `samples` samples, `stride` samples apart. */
void img_weigh_rows(const ImgWindowRows *rows, const int16_t *from, size_t stride,
                    const int16_t *weights, int32_t count, int16_t *to, size_t samples);

/* Fills the `left` pixels before a lifted row of `width` and the `right` ones after it. */
void img_pad_row(const ImgGaussian *gaussian, int32_t channels, int16_t *row, int32_t width,
                 int64_t left, int64_t right);

/* `split` separates a row of groups of `factor` pixels into a row of all first pixels, one of all
 * second pixels and so on, `stride` samples apart. `join` is the inverse, for `pixels` pixels in
 * all. */
void img_split_groups(const int16_t *from, int32_t channels, int32_t factor, int64_t groups,
                      int16_t *to, size_t stride);
void img_join_groups(const int16_t *from, size_t stride, int32_t channels, int32_t factor,
                     int64_t pixels, int16_t *to);

#endif
