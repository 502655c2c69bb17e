/* Private: rows of this family on the CPU, in the variants that are compiled of the same source,
 * weighed_rows_source.h and what it includes. */
#ifndef IMGTOOL_KERNELS_DENOISE_WEIGHED_ROWS_H
#define IMGTOOL_KERNELS_DENOISE_WEIGHED_ROWS_H

#include "kernels/denoise/bilateral.h"

/* Vectors are read and written whole: so much is readable behind what is needed of a plane. */
enum { IMG_WEIGHED_SLACK = 64 };

typedef struct ImgWeighedRows {
    /* Takes a row of samples apart into planes of `pitch` numbers, one for each channel. */
    void (*split)(const ImgWeighed *own, const uint8_t *from, int src_bits, int32_t width,
                  uint16_t *planes, size_t pitch);
    /* And puts it together again, of 8 or 16 bits. */
    void (*join)(const ImgWeighed *own, const uint16_t *planes, size_t pitch, int32_t width,
                 uint8_t *to);
    /* Of rows number -radius to radius, the planes of the pixel at x 0 (bilateral_cpu.c); colours
     * go to planes of the same pitch. */
    void (*bilateral)(const ImgBilateral *own, const uint16_t *const *rows, size_t pitch,
                      int32_t width, uint16_t *to);
} ImgWeighedRows;

extern const ImgWeighedRows img_weighed_rows_portable, img_weighed_rows_avx2,
    img_weighed_rows_avx512;

#endif
