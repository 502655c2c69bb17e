/* Private: filters the rows of a strip, choosing the filter of each row by one of two criteria. */
#ifndef IMGTOOL_IO_PNG_ENCODE_STRIP_FILTER_H
#define IMGTOOL_IO_PNG_ENCODE_STRIP_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"

/* Approximate costs of compressed bytes, in sixteenths of a bit. */
typedef struct ImgByteCosts {
    uint16_t of[256];
} ImgByteCosts;

typedef struct ImgStripFilter {
    const ImgView *view;
    size_t row_bytes, pixel;
    uint8_t *rows[2];     /* buffers for a row and the one above it, if rows need conversion */
    uint8_t *filtered[2]; /* a row with its filter type: the best one so far, and a candidate */
} ImgStripFilter;

/* Returns false if memory is short; call img_strip_filter_free in any case. */
bool img_strip_filter_init(ImgStripFilter *filter, const ImgView *view);
void img_strip_filter_free(ImgStripFilter *filter);

/* Returns those of `filters` that suit a row: in the first row some have nothing to refer to. */
unsigned img_strip_filters_of_row(unsigned filters, bool is_first);

/* Filters rows `from` to `to` and writes them with their filter types. The first row refers to no
 * other. `filters` are the candidates, as in img_png_filter_best. The choice is by the smallest sum
 * of absolute values or, with `costs`, by the smallest cost. Returns the bytes written. */
size_t img_strip_filter(const ImgStripFilter *filter, int32_t from, int32_t to, unsigned filters,
                        const ImgByteCosts *costs, uint8_t *out);

/* Computes the costs of bytes from their frequency in `data`; `size` is not 0. */
void img_byte_costs(const uint8_t *data, size_t size, ImgByteCosts *costs);

#endif
