/* Private: operations of canny on rows on the CPU, in variants for different instruction sets. */
#ifndef IMGTOOL_KERNELS_EDGE_CANNY_ROWS_H
#define IMGTOOL_KERNELS_EDGE_CANNY_ROWS_H

#include "kernels/core/window/rows/window_rows.h"
#include "kernels/edge/canny.h"

typedef struct ImgCannyGradient {
    int16_t *across, *down;
    int32_t *magnitude; /* with readable numbers before the first and after the last */
} ImgCannyGradient;

typedef struct ImgCannyRows {
    const ImgWindowRows *window;
    /* Computes the gray of a row of pixels with `bits` per sample. */
    void (*gray)(const ImgCanny *canny, int32_t bits, const uint8_t *from, int16_t *to,
                 int32_t width);
    /* Computes gradients from the smoothed rows above, here and below, which have one more pixel at
     * either end. */
    void (*gradient)(const int16_t *const rows[3], const ImgCannyGradient *to, int32_t width);
    /* Computes 0, IMG_CANNY_WEAK or IMG_CANNY_STRONG for the middle one of three rows. */
    void (*classify)(const ImgCanny *canny, const ImgCannyGradient rows[3], uint8_t *to,
                     int32_t width);
    /* Sets strong pixels to white and all others to black. */
    void (*finish)(uint8_t *row, int32_t width);
} ImgCannyRows;

extern const ImgCannyRows img_canny_rows_portable, img_canny_rows_avx2, img_canny_rows_avx512;

#endif
