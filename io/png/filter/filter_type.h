/* The filter types of PNG, and a description of rows to unfilter. */
#ifndef IMGTOOL_IO_PNG_FILTER_FILTER_TYPE_H
#define IMGTOOL_IO_PNG_FILTER_FILTER_TYPE_H

#include <stddef.h>
#include <stdint.h>

/* A filtered row begins with one of these numbers. */
typedef enum ImgFilter {
    IMG_FILTER_NONE,
    IMG_FILTER_SUB,
    IMG_FILTER_UP,
    IMG_FILTER_AVERAGE,
    IMG_FILTER_PAETH,
    IMG_FILTERS,
} ImgFilter;

/* The filtered rows that img_png_unfilter reads, and the image rows that it writes. */
typedef struct ImgUnfilter {
    size_t pixel, row_bytes;
    /* The first filtered row, which starts with its filter type. The next filtered row starts 1 +
     * row_bytes bytes later. */
    const uint8_t *filtered;
    /* Output of the first row; the next row is `stride` bytes later. To unfilter in place, set
     * `rows` to filtered + 1 and `stride` to 1 + row_bytes. */
    uint8_t *rows;
    /* Distance in bytes between the starts of output rows, at least row_bytes. */
    size_t stride;
    /* The unfiltered row above the first row. NULL means that this row consists of zeros. */
    const uint8_t *above;
    int32_t count; /* number of rows to unfilter */
} ImgUnfilter;

#endif
