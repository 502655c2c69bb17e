/* Private to trim and to its measurement. */
#ifndef IMGTOOL_KERNELS_CANVAS_TRIM_H
#define IMGTOOL_KERNELS_CANVAS_TRIM_H

#include "kernels/core/cuda/host_device.h"
#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgTrimParams {
    int32_t tolerance;  /* in thousandths of a per cent of the largest sample */
    ImgRgba background; /* IMG_TRIM_AUTO: the colour of the upper left pixel */
    /* Result of the measurement, not an option. All 0: not measured, and the whole picture is
     * kept. */
    int32_t x, y, width, height;
} ImgTrimParams;

enum { IMG_TRIM_AUTO = 1 }; /* the value stored for the word "auto" of a colour */

/* The options, for trim and for bounds. */
extern const ImgParam img_trim_params[];

/* Columns of the table of the measurement, which has one row. LEFT and TOP count columns and rows
 * from the first pixel that differs to the right and bottom edge. RIGHT and BOTTOM count those from
 * the left and top edge up to the last pixel that differs. All are 0 if no pixel differs. So each
 * is a maximum over pixels, starting at 0. */
enum { IMG_BOUNDS_LEFT, IMG_BOUNDS_TOP, IMG_BOUNDS_RIGHT, IMG_BOUNDS_BOTTOM, IMG_BOUNDS_COUNT };

/* The values that pixels are compared with. */
typedef struct ImgTrimTest {
    uint32_t background[4]; /* samples */
    bool from_corner;       /* compare with the upper left pixel instead */
    uint32_t threshold;     /* larger differences count */
    uint32_t maximum;       /* of samples */
} ImgTrimTest;

/* Implements ImgOp.keeps_palette: only indices are compared. */
bool img_trim_keeps_palette(const void *params);

ImgTrimTest img_trim_test(ImgFormat format, const ImgTrimParams *own);

IMG_HOST_DEVICE uint32_t img_trim_distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* With alpha, premultiplied colours are compared, so all fully transparent pixels are equal. */
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
