/* Private: the five row filters of PNG (specification, third edition, section 9): filters a row,
 * chooses a filter, and unfilters rows.
 *
 * Bytes are in file order: 16-bit samples are big-endian, samples of fewer than 8 bits are packed.
 * `pixel` is the distance in bytes between corresponding bytes of neighbouring pixels: 1, 2, 3, 4,
 * 6 or 8. A filtered row has one byte with the filter type, then `row_bytes` bytes. */
#ifndef IMGTOOL_IO_PNG_FILTER_FILTER_H
#define IMGTOOL_IO_PNG_FILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/filter/filter_type.h"

/* Unfilters bytes `from` to `to` (exclusive) of all rows, and writes no other bytes. Each offset is
 * a multiple of `pixel` or the end of the row. The bytes to the left must already be unfiltered. If
 * a filter type is unknown, returns false, and the output is undefined. */
bool img_png_unfilter(const ImgUnfilter *unfilter, size_t from, size_t to);

/* Gives the same results as img_png_unfilter, computed with plain code, as a reference for
 * tests. */
bool img_png_unfilter_reference(const ImgUnfilter *unfilter, size_t from, size_t to);

/* Filters one row and writes 1 + row_bytes bytes to `filtered`. If `above` is NULL, the row above
 * counts as zeros. The buffers must not overlap. */
void img_png_filter_row(ImgFilter filter, size_t pixel, size_t row_bytes, const uint8_t *row,
                        const uint8_t *above, uint8_t *filtered);
void img_png_filter_row_reference(ImgFilter filter, size_t pixel, size_t row_bytes,
                                  const uint8_t *row, const uint8_t *above, uint8_t *filtered);

/* Filters one row with the filter whose result has the smallest sum of absolute values; bytes count
 * as signed (section 12.7 of the specification). If sums are equal, uses the first of these
 * filters. `allowed` has a bit 1 << IMG_FILTER_X for each filter that may be used, at least one.
 * Returns the filter that was used. */
ImgFilter img_png_filter_best(unsigned allowed, size_t pixel, size_t row_bytes, const uint8_t *row,
                              const uint8_t *above, uint8_t *filtered);
ImgFilter img_png_filter_best_reference(unsigned allowed, size_t pixel, size_t row_bytes,
                                        const uint8_t *row, const uint8_t *above,
                                        uint8_t *filtered);

#endif
