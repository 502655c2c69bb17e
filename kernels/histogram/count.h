/* Counting on the CPU, by parts: what the picture asks for, the inner loops that count a range of
 * its pixels into tables of one thread, and the rows of luma that they count (luma_*.c). */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_COUNT_H
#define IMGTOOL_KERNELS_HISTOGRAM_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/color/luma.h"

/* The luma of `count` pixels, whose samples are as wide as those of `src`; reads nothing past
 * them. */
typedef void ImgLumaRow(const uint8_t *src, size_t count, ImgLumaWeights weights, void *luma);

typedef struct ImgLumaRows {
    ImgLumaRow *rgb8, *rgba8, *rgb16, *rgba16;
} ImgLumaRows;

extern const ImgLumaRows img_luma_rows_portable;
extern const ImgLumaRows img_luma_rows_avx2;

/* Pixels are numbered row by row. Rows without gaps between them are one long row here. */
typedef struct ImgCountJob {
    const uint8_t *data;
    size_t stride, pixel_size;
    int64_t width, height;
    int channels;         /* of the picture: 1 to 4 */
    int rows;             /* of the table: the channels and luma */
    bool has_luma, skips; /* skips: pixels whose last channel is 0 count nowhere */
    ImgLumaWeights weights;
    ImgLumaRow *luma_row; /* where has_luma */
} ImgCountJob;

/* A way of counting. `tables` are one thread's, `bytes(job)` of them at a multiple of 64, zero at
 * first; `count` is called for them once, with up to IMG_COUNT_PIXELS_MAX pixels. */
typedef struct ImgCountLoops {
    size_t (*bytes)(const ImgCountJob *job);
    void (*count)(const ImgCountJob *job, int64_t first, int64_t end, void *tables);
    /* Adds entries `first` to `end` of a row to `counts`, which stands for entry 0. */
    void (*add)(const ImgCountJob *job, const void *tables, int row, int32_t first, int32_t end,
                uint64_t *counts);
} ImgCountLoops;

enum { IMG_COUNT_PIXELS_MAX = 1 << 28 };

extern const ImgCountLoops img_count_narrow; /* samples of up to 8 bits */
extern const ImgCountLoops img_count_pairs;  /* the same, without colour and in large pictures */
extern const ImgCountLoops img_count_wide;   /* 16 bits */

/* Pixels that lie one after another. */
typedef struct ImgRun {
    const uint8_t *src;
    size_t count;
} ImgRun;

/* The run that starts at pixel `first`: up to the end of the row, to `end` or `longest` pixels. */
static inline ImgRun img_run_at(const ImgCountJob *job, int64_t first, int64_t end, int64_t longest)
{
    int64_t y = first / job->width, x = first % job->width;
    int64_t count = job->width - x;
    if (count > end - first)
        count = end - first;
    if (count > longest)
        count = longest;
    return (ImgRun){job->data + (size_t)y * job->stride + (size_t)x * job->pixel_size,
                    (size_t)count};
}

#endif
