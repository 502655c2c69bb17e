/* Private to histogram on the CPU: counts samples in several threads. It declares the counting job,
 * and the loops that count a range of pixels in the tables of one thread. It also declares the
 * functions that compute rows of luma (luma_*.c). */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_COUNT_H
#define IMGTOOL_KERNELS_HISTOGRAM_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/color/luma.h"

/* Computes the luma of `count` pixels at `src`. `luma` has one sample per pixel, of the same type
 * as the samples of `src`. The function reads nothing past these pixels. */
typedef void ImgLumaRow(const uint8_t *src, size_t count, ImgLumaWeights weights, void *luma);

typedef struct ImgLumaRows {
    ImgLumaRow *rgb8, *rgba8, *rgb16, *rgba16;
} ImgLumaRows;

extern const ImgLumaRows img_luma_rows_portable;
extern const ImgLumaRows img_luma_rows_avx2;

/* A counting job. Pixels are numbered row by row. If rows have no gaps between them, the job treats
 * the picture as one long row. */
typedef struct ImgCountJob {
    const uint8_t *data;
    size_t stride, pixel_size;
    int64_t width, height;
    int channels;         /* number of channels of the picture, 1 to 4 */
    int rows;             /* number of rows of the table: one per channel, and one for luma */
    bool has_luma, skips; /* `skips`: pixels whose last channel (alpha) is 0 do not count */
    ImgLumaWeights weights;
    ImgLumaRow *luma_row; /* function that computes luma; NULL unless has_luma */
} ImgCountJob;

/* A method of counting. `tables` are the tables of one thread, aligned to 64 bytes and initially
 * zero. Their size in bytes is the result of `bytes(job)`. All calls of `count` for the same tables
 * together must count at most IMG_COUNT_PIXELS_MAX pixels. */
typedef struct ImgCountLoops {
    size_t (*bytes)(const ImgCountJob *job);
    void (*count)(const ImgCountJob *job, int64_t first, int64_t end, void *tables);
    /* Must be called once, after the last call of `count` and before `add`. NULL: nothing to do. */
    void (*finish)(const ImgCountJob *job, void *tables);
    /* Adds the entries `first` to `end` - 1 of row `row` of the tables to `counts`. counts[0]
     * receives entry `first`. */
    void (*add)(const ImgCountJob *job, const void *tables, int row, int32_t first, int32_t end,
                uint64_t *counts);
} ImgCountLoops;

enum { IMG_COUNT_PIXELS_MAX = 1 << 28 };

extern const ImgCountLoops img_count_narrow; /* method for samples of up to 8 bits */
/* method for samples of up to 8 bits, in large pictures without colour */
extern const ImgCountLoops img_count_pairs;
extern const ImgCountLoops img_count_wide; /* method for samples of 16 bits */

/* A run of `count` pixels that are adjacent in memory. */
typedef struct ImgRun {
    const uint8_t *src;
    size_t count;
} ImgRun;

/* Returns the run that starts at pixel number `first`. It ends at the end of the row, at pixel
 * `end`, or after `longest` pixels, whichever comes first. */
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
