/* Private to trim, and to bounds, the measurement that trim uses. */
#ifndef IMGTOOL_KERNELS_CANVAS_TRIM_H
#define IMGTOOL_KERNELS_CANVAS_TRIM_H

#include "kernels/core/cuda/host_device.h"
#include "kernels/core/cuda/textbook.h"
#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgTrimParams {
    /* largest difference from the background that still counts as background, in thousandths of a
     * per cent of the largest sample */
    int32_t tolerance;
    /* colour of the margins; IMG_TRIM_AUTO stands for the colour of the upper left pixel */
    ImgRgba background;
    /* The rectangle to keep, in pixels: a result of the measurement, not an option. If all four
     * numbers are 0, no measurement was made, and the whole picture is kept. */
    int32_t x, y, width, height;
} ImgTrimParams;

enum { IMG_TRIM_AUTO = 1 }; /* value of a colour option that stands for the word "auto" */

/* The options that trim and bounds have in common. */
extern const ImgParam img_trim_params[];

/* Columns of the table that bounds computes; the table has one row. LEFT is the number of columns
 * from the first column with a differing pixel to the right edge. TOP is the number of rows from
 * the first row with a differing pixel to the bottom edge. RIGHT and BOTTOM are the numbers of
 * columns and rows from the left and top edges up to the last ones with a differing pixel. So each
 * number is a maximum over pixels, and 0 if no pixel differs from the background. */
enum { IMG_BOUNDS_LEFT, IMG_BOUNDS_TOP, IMG_BOUNDS_RIGHT, IMG_BOUNDS_BOTTOM, IMG_BOUNDS_COUNT };

/* Test that decides whether a pixel differs from the background. */
typedef struct ImgTrimTest {
    uint32_t background[4]; /* samples of the background, one per channel */
    bool from_corner;       /* true: the background is the colour of the upper left pixel */
    /* largest difference between a sample and the background that counts as equal */
    uint32_t threshold;
    uint32_t maximum; /* largest value of a sample */
} ImgTrimTest;

/* Implements ImgOp.palette.keeps. Pixels of palette pictures are compared by their indices. */
bool img_trim_keeps_palette(const void *params);

ImgTrimTest img_trim_test(ImgFormat format, const ImgTrimParams *own);

IMG_HOST_DEVICE uint32_t img_trim_distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* Returns true if a pixel differs from the background in any channel. If the format has alpha,
 * premultiplied colours are compared. So all fully transparent pixels are equal. */
IMG_HOST_DEVICE bool img_trim_differs(const ImgTrimTest *test, const uint32_t pixel[4],
                                      const uint32_t background[4], int channels)
{
    const bool has_alpha = channels % 2 == 0;
    const int colors = channels - (has_alpha ? 1 : 0);
    const uint32_t alpha = has_alpha ? pixel[colors] : 1;
    const uint32_t background_alpha = has_alpha ? background[colors] : 1;
    const uint32_t threshold = has_alpha ? test->threshold * test->maximum : test->threshold;
    bool differs = img_trim_distance(alpha, background_alpha) > test->threshold;
    for (int c = 0; c < colors; c++)
        differs |=
            img_trim_distance(pixel[c] * alpha, background[c] * background_alpha) > threshold;
    return differs;
}

extern const ImgOp img_measure_bounds;

ImgStatus img_bounds_cpu(const ImgCall *call, ImgError *err);
extern const ImgByRows img_bounds_by_rows; /* the row-by-row form of img_bounds_cpu */
IMG_TEXTBOOK ImgStatus img_bounds_cuda_naive(const ImgCall *call, ImgError *err);
ImgStatus img_bounds_cuda_fast(const ImgCall *call, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
