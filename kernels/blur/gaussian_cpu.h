/* Private to gaussian_cpu.c and gaussian_lines.c: rows of the Gaussian on the CPU. */
#ifndef IMGTOOL_KERNELS_BLUR_GAUSSIAN_CPU_H
#define IMGTOOL_KERNELS_BLUR_GAUSSIAN_CPU_H

#include "kernels/blur/gaussian.h"
#include "kernels/core/window/rows/window_rows.h"

/* Rows that a sum downwards is made of, by their places. */
typedef struct ImgSourceRows {
    const ImgView *view;
    const ImgLift *lift;
    const ImgGaussian *gaussian;
    const ImgWindowRows *rows;
    /* Lifted rows, `kept` of them, of which the place is that of the source modulo `kept`; NULL:
     * samples are weighed as they are in the source. */
    int16_t *ring;
    const int16_t *background; /* a lifted row */
    int64_t next;              /* the first row that is not in the ring */
    int32_t kept;
} ImgSourceRows;

/* The sum of rows from `first` on, an even `count`, as lifted samples. The next sum of a ring may
 * not begin before `first`; rows of weight 0 need not be kept. */
void img_source_weigh(ImgSourceRows *source, int64_t first, const int16_t *weights, int32_t count,
                      int16_t *to);

/* The same of rows of memory, `stride` samples apart, of `samples` each. */
void img_weigh_rows(const ImgWindowRows *rows, const int16_t *from, size_t stride,
                    const int16_t *weights, int32_t count, int16_t *to, size_t samples);

/* Sets `left` pixels before a lifted row of `width` and `right` behind it. */
void img_pad_row(const ImgGaussian *gaussian, int32_t channels, int16_t *row, int32_t width,
                 int64_t left, int64_t right);

/* Takes a row of groups of `factor` pixels apart, into a row of the first ones of all groups, one
 * of the second ones and so on, each `stride` samples after the one before; and puts such rows
 * together again, `pixels` in all. */
void img_split_groups(const int16_t *from, int32_t channels, int32_t factor, int64_t groups,
                      int16_t *to, size_t stride);
void img_join_groups(const int16_t *from, size_t stride, int32_t channels, int32_t factor,
                     int64_t pixels, int16_t *to);

#endif
