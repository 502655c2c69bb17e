/* Private to trim, and to the measurement of what it keeps. */
#ifndef IMGTOOL_KERNELS_CANVAS_TRIM_H
#define IMGTOOL_KERNELS_CANVAS_TRIM_H

#include "kernels/core/cuda/host_device.h"
#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgTrimParams {
    int32_t tolerance;  /* thousandths of a per cent of the largest sample */
    ImgRgba background; /* IMG_TRIM_AUTO: the colour of the left upper corner */
    /* What was measured, no option; all 0: nothing was, and the whole picture is kept. */
    int32_t x, y, width, height;
} ImgTrimParams;

enum { IMG_TRIM_AUTO = 1 }; /* as a colour's word is stored */

/* The options, for both. */
extern const ImgParam img_trim_params[];

/* The table of the measurement, one row: columns and rows of the picture from the first in which a
 * pixel differs from the background, counted from the right and from the bottom; then those up to
 * the last such, counted from the left and from the top. All 0 where no pixel differs: so each is a
 * maximum over pixels, of which 0 is the least. */
enum { IMG_BOUNDS_LEFT, IMG_BOUNDS_TOP, IMG_BOUNDS_RIGHT, IMG_BOUNDS_BOTTOM, IMG_BOUNDS_COUNT };

/* What pixels are held against. */
typedef struct ImgTrimTest {
    uint32_t background[4]; /* samples */
    bool from_corner;       /* they are those of the left upper pixel instead */
    uint32_t threshold;     /* differences of more than this count */
    uint32_t maximum;       /* of samples */
} ImgTrimTest;

/* For ImgOp.keeps_palette: indices are all that counts. */
bool img_trim_keeps_palette(const void *params);

ImgTrimTest img_trim_test(ImgFormat format, const ImgTrimParams *own);

IMG_HOST_DEVICE uint32_t img_trim_distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* With alpha colours count by it: what is wholly transparent is all the same. */
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
