/* Private: functions of canny for rows on the CPU, in variants for several instruction sets. */
#ifndef IMGTOOL_KERNELS_EDGE_CANNY_ROWS_H
#define IMGTOOL_KERNELS_EDGE_CANNY_ROWS_H

#include "kernels/core/window/rows/window_rows.h"
#include "kernels/edge/canny.h"

typedef struct ImgCannyGradient {
    int16_t *across, *down;
    /* squared magnitudes; one number before the first and one after the last are readable */
    int32_t *magnitude;
} ImgCannyGradient;

typedef struct ImgCannyRows {
    const ImgWindowRows *window;
    /* Computes the gray of a row of pixels with `bits` per sample. */
    void (*gray)(const ImgCanny *canny, int32_t bits, const uint8_t *from, int16_t *to,
                 int32_t width);
    /* Computes gradients from the smoothed rows above, here and below. These have one more pixel at
     * each end. */
    void (*gradient)(const int16_t *const rows[3], const ImgCannyGradient *to, int32_t width);
    /* Computes the class of each pixel in the middle one of three rows: 0, IMG_CANNY_WEAK or
     * IMG_CANNY_STRONG. */
    void (*classify)(const ImgCanny *canny, const ImgCannyGradient rows[3], uint8_t *to,
                     int32_t width);
    /* Converts classes to the result: strong pixels become white and all others black. */
    void (*finish)(uint8_t *row, int32_t width);
} ImgCannyRows;

extern const ImgCannyRows img_canny_rows_portable, img_canny_rows_avx2, img_canny_rows_avx512;

#endif
