/* Private to canny on the CPU: functions that process rows. */
#ifndef IMGTOOL_KERNELS_EDGE_CANNY_CPU_PRIV_H
#define IMGTOOL_KERNELS_EDGE_CANNY_CPU_PRIV_H

#include "kernels/core/image.h"
#include "kernels/edge/canny.h"
#include "kernels/window/window_rows.h"

typedef struct ImgCannyGradient {
    int16_t *across, *down;
    /* squared magnitudes; the numbers before the first and after the last one are readable too */
    int32_t *magnitude;
} ImgCannyGradient;

/* Functions that process rows, in variants for several instruction sets. */
typedef struct ImgCannyRows {
    const ImgWindowRows *window;
    /* Computes the gray of `width` pixels, which have `bits` bits per sample. */
    void (*gray)(const ImgCanny *canny, int32_t bits, const uint8_t *from, int16_t *to,
                 int32_t width);
    /* Computes the gradients of a row from three smoothed rows: the row above, the row itself, and
     * the row below. Smoothed rows have one more pixel at each end. */
    void (*gradient)(const int16_t *const rows[3], const ImgCannyGradient *to, int32_t width);
    /* Computes the class of each pixel in the second of three rows: 0, IMG_CANNY_WEAK or
     * IMG_CANNY_STRONG. */
    void (*classify)(const ImgCanny *canny, const ImgCannyGradient rows[3], uint8_t *to,
                     int32_t width);
    /* Converts the classes of a row to the result: strong pixels become white, and all others
     * black. */
    void (*finish)(uint8_t *row, int32_t width);
} ImgCannyRows;

extern const ImgCannyRows img_canny_rows_portable, img_canny_rows_avx2, img_canny_rows_avx512;

#endif
