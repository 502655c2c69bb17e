/* Counts samples on the CPU, in parts: the counting job, the inner loops that count a range of
 * pixels into the tables of one thread, and the functions that compute a row of luma (luma_*.c). */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_COUNT_H
#define IMGTOOL_KERNELS_HISTOGRAM_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/color/luma.h"

/* Computes the luma of `count` pixels whose samples have the type of `src`. Reads nothing past
 * these pixels. */
typedef void ImgLumaRow(const uint8_t *src, size_t count, ImgLumaWeights weights, void *luma);

typedef struct ImgLumaRows {
    ImgLumaRow *rgb8, *rgba8, *rgb16, *rgba16;
} ImgLumaRows;

extern const ImgLumaRows img_luma_rows_portable;
extern const ImgLumaRows img_luma_rows_avx2;

/* A counting job. Pixels are numbered row by row. If rows have no gaps between them, the job treats
 * all of them as one long row. */
typedef struct ImgCountJob {
    const uint8_t *data;
    size_t stride, pixel_size;
    int64_t width, height;
    int channels;         /* channels of the picture, 1 to 4 */
    int rows;             /* rows of the table: one per channel, and one for luma */
    bool has_luma, skips; /* skips: pixels whose last channel (alpha) is 0 do not count */
    ImgLumaWeights weights;
    ImgLumaRow *luma_row; /* NULL unless has_luma */
} ImgCountJob;

/* A method of counting. `tables` are the tables of one thread: `bytes(job)` bytes, aligned to 64
 * and initially zero. `count` must be called only once for them, with at most IMG_COUNT_PIXELS_MAX
 * pixels. */
typedef struct ImgCountLoops {
    size_t (*bytes)(const ImgCountJob *job);
    void (*count)(const ImgCountJob *job, int64_t first, int64_t end, void *tables);
    /* Adds entries `first` to before `end` of a row to `counts`; counts[0] receives entry
     * `first`. */
    void (*add)(const ImgCountJob *job, const void *tables, int row, int32_t first, int32_t end,
                uint64_t *counts);
} ImgCountLoops;

enum { IMG_COUNT_PIXELS_MAX = 1 << 28 };

extern const ImgCountLoops img_count_narrow; /* for samples of up to 8 bits */
/* for large pictures without colour, with samples of up to 8 bits */
extern const ImgCountLoops img_count_pairs;
extern const ImgCountLoops img_count_wide; /* for samples of 16 bits */

/* Adjacent pixels in memory. */
typedef struct ImgRun {
    const uint8_t *src;
    size_t count;
} ImgRun;

/* Returns the run that starts at pixel `first`. It ends at the end of the row, at `end`, or after
 * `longest` pixels, whichever comes first. */
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
