/* Private: the five row filters of PNG, applied, chosen and undone.
 * PNG specification, third edition, section 9 (filtering).
 *
 * Bytes here are those of the file: samples of 16 bits are big-endian, samples of fewer than 8 bits
 * are packed. `pixel` is the distance in bytes to the corresponding byte of the pixel to the left:
 * 1, 2, 3, 4, 6 or 8. A filtered row is one byte of the filter's type and then `row_bytes` bytes.
 */
#ifndef IMGTOOL_IO_PNG_FILTER_FILTER_H
#define IMGTOOL_IO_PNG_FILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/filter/filter_type.h"

/* Some rows of an image on their way back. */
typedef struct ImgUnfilter {
    size_t pixel, row_bytes;
    const uint8_t *filtered; /* the first row, from its type on; rows are 1 + row_bytes apart */
    uint8_t *rows;           /* where the first row goes, and `stride` bytes on the next. May be
                              * filtered + 1 with a stride of 1 + row_bytes: in place */
    size_t stride;           /* at least row_bytes */
    const uint8_t *above;    /* the row before the first, undone; NULL: zeros */
    int32_t count;           /* rows */
} ImgUnfilter;

/* Undoes bytes `from` to `to` (both multiples of `pixel`, or the end of the row) of all rows; what
 * is to the left must have been undone before. Nothing outside those bytes is written. False, with
 * what was written undefined, where a type is none of the five. */
bool img_png_unfilter(const ImgUnfilter *unfilter, size_t from, size_t to);

/* The plain reference of the same. */
bool img_png_unfilter_reference(const ImgUnfilter *unfilter, size_t from, size_t to);

/* Writes 1 + row_bytes bytes to `filtered`. `above` may be NULL: zeros. No buffers overlap. */
void img_png_filter_row(ImgFilter filter, size_t pixel, size_t row_bytes, const uint8_t *row,
                        const uint8_t *above, uint8_t *filtered);
void img_png_filter_row_reference(ImgFilter filter, size_t pixel, size_t row_bytes,
                                  const uint8_t *row, const uint8_t *above, uint8_t *filtered);

/* Writes the row filtered as suits it best: by the least sum of absolute values, bytes taken as
 * signed (section 12.7 of the specification), the first of equals. `allowed` has bit 1 <<
 * IMG_FILTER_X for each filter that may be taken, at least one. Says which it was. */
ImgFilter img_png_filter_best(unsigned allowed, size_t pixel, size_t row_bytes, const uint8_t *row,
                              const uint8_t *above, uint8_t *filtered);
ImgFilter img_png_filter_best_reference(unsigned allowed, size_t pixel, size_t row_bytes,
                                        const uint8_t *row, const uint8_t *above,
                                        uint8_t *filtered);

#endif
