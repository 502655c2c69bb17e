/* Private to gaussian_cpu.c and gaussian_lines.c: filters and rearranges rows for the Gaussian on
 * the CPU. */
#ifndef IMGTOOL_KERNELS_BLUR_GAUSSIAN_CPU_H
#define IMGTOOL_KERNELS_BLUR_GAUSSIAN_CPU_H

#include "kernels/blur/gaussian.h"
#include "kernels/window/window_rows.h"

/* The source rows that vertical sums read. Row numbers may be beyond the picture; the border mode
 * then determines the row. */
typedef struct ImgSourceRows {
    const ImgView *view;
    const ImgLift *lift;
    const ImgGaussian *gaussian;
    const ImgWindowRows *rows;
    /* Ring of `kept` rows of lifted samples (window/lift.h): source row y is at index y modulo
     * `kept`. NULL if sums read the samples of the source without lifting. */
    int16_t *ring;
    const int16_t *background; /* a row of the background as lifted samples (window/lift.h) */
    int64_t next;              /* first row that is not yet in the ring */
    int32_t kept;
} ImgSourceRows;

/* Computes the weighted sum of `count` rows from row `first` on, as lifted samples
 * (window/lift.h). `count` must be even; if the last weight is 0, the last row is not read. If
 * there is a ring, `first` must not decrease from call to call. */
void img_source_weigh(ImgSourceRows *source, int64_t first, const int16_t *weights, int32_t count,
                      int16_t *to);

/* Computes the weighted sum of `count` rows of `samples` lifted samples each (window/lift.h).
 * Adjacent rows are `stride` samples apart in memory. */
void img_weigh_rows(const ImgWindowRows *rows, const int16_t *from, size_t stride,
                    const int16_t *weights, int32_t count, int16_t *to, size_t samples);

/* Fills the `left` pixels before a row of `width` pixels and the `right` pixels after it, as the
 * border mode defines. Samples are lifted (window/lift.h). */
void img_pad_row(const ImgGaussian *gaussian, int32_t channels, int16_t *row, int32_t width,
                 int64_t left, int64_t right);

/* img_split_groups separates a row of groups of `factor` pixels into `factor` rows: all first
 * pixels, all second pixels and so on. These rows are `stride` samples apart. img_join_groups is
 * the inverse; it writes `pixels` pixels. */
void img_split_groups(const int16_t *from, int32_t channels, int32_t factor, int64_t groups,
                      int16_t *to, size_t stride);
void img_join_groups(const int16_t *from, size_t stride, int32_t channels, int32_t factor,
                     int64_t pixels, int16_t *to);

#endif
