/* Private to filter.c: the loops that filter rows, one set per instruction set. */
#ifndef IMGTOOL_IO_PNG_FILTER_FILTER_LOOPS_H
#define IMGTOOL_IO_PNG_FILTER_FILTER_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/filter/filter_type.h"

/* Rows shorter than a vector plus a pixel are left to the references. */
#define IMG_FILTER_LEAST_BYTES 72

typedef struct ImgFilterLoops {
    /* Like img_png_filter_row. */
    void (*filter_row)(ImgFilter filter, size_t pixel, size_t row_bytes, const uint8_t *row,
                       const uint8_t *above, uint8_t *filtered);
    /* Computes the sum of absolute values of the filtered row, bytes taken as signed, for each
     * filter that is `allowed`, and possibly for others. */
    void (*sums)(unsigned allowed, size_t pixel, size_t row_bytes, const uint8_t *row,
                 const uint8_t *above, uint64_t sums[IMG_FILTERS]);
} ImgFilterLoops;

extern const ImgFilterLoops img_filter_portable;
extern const ImgFilterLoops img_filter_neon;
extern const ImgFilterLoops img_filter_avx2;
extern const ImgFilterLoops img_filter_avx512;

#endif
