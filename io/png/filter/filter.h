/* Private: the five row filters of PNG: filtering, choosing a filter, unfiltering. PNG
 * specification, third edition, section 9.
 *
 * Bytes are in file order: 16-bit samples are big-endian, samples of fewer than 8 bits are packed.
 * `pixel` is the distance in bytes to the corresponding byte of the pixel to the left: 1, 2, 3, 4,
 * 6 or 8. A filtered row is one byte with the filter type, then `row_bytes` bytes. */
#ifndef IMGTOOL_IO_PNG_FILTER_FILTER_H
#define IMGTOOL_IO_PNG_FILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/filter/filter_type.h"

/* Rows of an image that are to be unfiltered. */
typedef struct ImgUnfilter {
    size_t pixel, row_bytes;
    const uint8_t *filtered; /* first row, starting with its filter type; rows are 1 + row_bytes
                              * apart */
    uint8_t *rows;           /* output of the first row; the next one is `stride` bytes later. In
                              * place: filtered + 1 with a stride of 1 + row_bytes */
    size_t stride;           /* at least row_bytes */
    const uint8_t *above;    /* the row above the first, already unfiltered; NULL: zeros */
    int32_t count;           /* number of rows */
} ImgUnfilter;

/* Unfilters bytes `from` to `to` of all rows; both are multiples of `pixel`, or the end of the row.
 * Bytes to the left must be unfiltered already. Writes only those bytes. Returns false, with
 * undefined output, for an unknown filter type. */
bool img_png_unfilter(const ImgUnfilter *unfilter, size_t from, size_t to);

/* The plain reference of img_png_unfilter. */
bool img_png_unfilter_reference(const ImgUnfilter *unfilter, size_t from, size_t to);

/* Filters one row and writes 1 + row_bytes bytes. `above` may be NULL: zeros. Buffers must not
 * overlap. */
void img_png_filter_row(ImgFilter filter, size_t pixel, size_t row_bytes, const uint8_t *row,
                        const uint8_t *above, uint8_t *filtered);
void img_png_filter_row_reference(ImgFilter filter, size_t pixel, size_t row_bytes,
                                  const uint8_t *row, const uint8_t *above, uint8_t *filtered);

/* Filters one row with the filter that gives the smallest sum of absolute values of bytes taken as
 * signed (section 12.7 of the specification), the first one of equals. `allowed` has bit 1 <<
 * IMG_FILTER_X for each candidate, at least one. Returns the filter chosen. */
ImgFilter img_png_filter_best(unsigned allowed, size_t pixel, size_t row_bytes, const uint8_t *row,
                              const uint8_t *above, uint8_t *filtered);
ImgFilter img_png_filter_best_reference(unsigned allowed, size_t pixel, size_t row_bytes,
                                        const uint8_t *row, const uint8_t *above,
                                        uint8_t *filtered);

#endif
