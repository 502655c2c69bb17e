/* Private to filter.c: the loops that filter and unfilter rows, one set per instruction set. */
#ifndef IMGTOOL_IO_PNG_FILTER_FILTER_LOOPS_H
#define IMGTOOL_IO_PNG_FILTER_FILTER_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/filter/filter_type.h"

/* Smallest size of a row in bytes for these loops. It is the sum of the sizes of the largest vector
 * (64 bytes) and the largest pixel (8 bytes). The reference code filters shorter rows. */
#define IMG_FILTER_LEAST_BYTES 72

typedef struct ImgFilterLoops {
    /* Filters a row in the same way as img_png_filter_row. */
    void (*filter_row)(ImgFilter filter, size_t pixel, size_t row_bytes, const uint8_t *row,
                       const uint8_t *above, uint8_t *filtered);
    /* Computes, for each filter, the sum of absolute values of the filtered row; bytes count as
     * signed. The sums of filters that are not `allowed` may be wrong. */
    void (*sums)(unsigned allowed, size_t pixel, size_t row_bytes, const uint8_t *row,
                 const uint8_t *above, uint64_t sums[IMG_FILTERS]);
} ImgFilterLoops;

extern const ImgFilterLoops img_filter_portable;
extern const ImgFilterLoops img_filter_avx2;
extern const ImgFilterLoops img_filter_avx512;

/* Unfilters rows in the same way as img_png_unfilter. The filter types must be valid. `from` must
 * be less than `to`, and both must be multiples of `pixel`. */
typedef void ImgUnfilterLoops(const ImgUnfilter *unfilter, size_t from, size_t to);

ImgUnfilterLoops img_unfilter_portable, img_unfilter_avx2;

#endif
