/* Private: the five row filters of PNG (specification, third edition, section 9): filtering,
 * choosing a filter, unfiltering.
 *
 * Bytes are in file order: 16-bit samples are big-endian, samples of fewer than 8 bits are packed.
 * `pixel` is the distance in bytes to the corresponding byte of the pixel on the left: 1, 2, 3, 4,
 * 6 or 8. A filtered row has one byte with the filter type, then `row_bytes` bytes. */
#ifndef IMGTOOL_IO_PNG_FILTER_FILTER_H
#define IMGTOOL_IO_PNG_FILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/filter/filter_type.h"

/* Rows of an image to unfilter. */
typedef struct ImgUnfilter {
    size_t pixel, row_bytes;
    /* First filtered row, starting with its filter type; rows are 1 + row_bytes bytes apart. */
    const uint8_t *filtered;
    /* Output of the first row; the next one is `stride` bytes later. To unfilter in place: filtered
     * + 1 with a stride of 1 + row_bytes. */
    uint8_t *rows;
    size_t stride;        /* bytes between rows of the output, at least row_bytes */
    const uint8_t *above; /* the row above the first one, already unfiltered; NULL means zeros */
    int32_t count;        /* number of rows */
} ImgUnfilter;

/* Unfilters bytes `from` to `to` of all rows. Both offsets are multiples of `pixel`, or the end of
 * the row. The bytes to the left must be unfiltered already. Writes no other bytes. If a filter
 * type is unknown, returns false, and the output is undefined. */
bool img_png_unfilter(const ImgUnfilter *unfilter, size_t from, size_t to);

/* The reference for tests of img_png_unfilter: plain code with the same results. */
bool img_png_unfilter_reference(const ImgUnfilter *unfilter, size_t from, size_t to);

/* Filters one row and writes 1 + row_bytes bytes. If `above` is NULL, the row above counts as
 * zeros. Buffers must not overlap. */
void img_png_filter_row(ImgFilter filter, size_t pixel, size_t row_bytes, const uint8_t *row,
                        const uint8_t *above, uint8_t *filtered);
void img_png_filter_row_reference(ImgFilter filter, size_t pixel, size_t row_bytes,
                                  const uint8_t *row, const uint8_t *above, uint8_t *filtered);

/* Filters one row with the filter whose result has the smallest sum of absolute values, with bytes
 * taken as signed (section 12.7 of the specification); of equal sums the first filter. `allowed`
 * has a bit 1 << IMG_FILTER_X for each candidate, at least one. Returns the filter chosen. */
ImgFilter img_png_filter_best(unsigned allowed, size_t pixel, size_t row_bytes, const uint8_t *row,
                              const uint8_t *above, uint8_t *filtered);
ImgFilter img_png_filter_best_reference(unsigned allowed, size_t pixel, size_t row_bytes,
                                        const uint8_t *row, const uint8_t *above,
                                        uint8_t *filtered);

#endif
