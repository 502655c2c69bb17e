/* Private to trim and to the measurement that it uses. */
#ifndef IMGTOOL_KERNELS_CANVAS_TRIM_H
#define IMGTOOL_KERNELS_CANVAS_TRIM_H

#include "kernels/core/cuda/host_device.h"
#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgTrimParams {
    int32_t tolerance;  /* tolerance, in thousandths of a per cent of the largest sample */
    ImgRgba background; /* IMG_TRIM_AUTO stands for the colour of the upper left pixel */
    /* Result of the measurement, not an option. If all are 0, nothing was measured, and the whole
     * picture is kept. */
    int32_t x, y, width, height;
} ImgTrimParams;

enum { IMG_TRIM_AUTO = 1 }; /* value of a colour option for the word "auto" */

/* The options of trim and of bounds. */
extern const ImgParam img_trim_params[];

/* Columns of the table of the measurement, which has one row. LEFT is the number of columns from
 * the first column with a pixel that differs to the right edge, and TOP the number of rows from the
 * first such row to the bottom edge. RIGHT and BOTTOM are the numbers of columns and rows from the
 * left and top edge up to the last such column and row. So each number is a maximum over pixels;
 * all are 0 if no pixel differs. */
enum { IMG_BOUNDS_LEFT, IMG_BOUNDS_TOP, IMG_BOUNDS_RIGHT, IMG_BOUNDS_BOTTOM, IMG_BOUNDS_COUNT };

/* Background and tolerance with which pixels are compared. */
typedef struct ImgTrimTest {
    uint32_t background[4]; /* samples of the background */
    bool from_corner;       /* true: compare with the upper left pixel instead */
    uint32_t threshold;     /* a pixel differs if a difference exceeds this */
    uint32_t maximum;       /* largest value of a sample */
} ImgTrimTest;

/* Implements ImgOp.keeps_palette. Pixels of palette pictures are compared by their indices. */
bool img_trim_keeps_palette(const void *params);

ImgTrimTest img_trim_test(ImgFormat format, const ImgTrimParams *own);

IMG_HOST_DEVICE uint32_t img_trim_distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* Returns true if a pixel differs from the background. With alpha, premultiplied colours are
 * compared, so that all fully transparent pixels are equal. */
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
ImgStatus img_bounds_cuda_naive(const ImgCall *call, ImgError *err);
ImgStatus img_bounds_cuda_fast(const ImgCall *call, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
