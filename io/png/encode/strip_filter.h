/* Private: filtering the rows of a strip, with the filter of each row chosen in one of two ways. */
#ifndef IMGTOOL_IO_PNG_ENCODE_STRIP_FILTER_H
#define IMGTOOL_IO_PNG_ENCODE_STRIP_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"

/* What bytes cost once they are compressed, roughly, in sixteenths of a bit. */
typedef struct ImgByteCosts {
    uint16_t of[256];
} ImgByteCosts;

typedef struct ImgStripFilter {
    const ImgView *view;
    size_t row_bytes, pixel;
    uint8_t *rows[2];     /* for the bytes of a row and of that above it, where they are made */
    uint8_t *filtered[2]; /* a row with its type: the best so far, and another */
} ImgStripFilter;

/* False: no memory; img_strip_filter_free is due in any case. */
bool img_strip_filter_init(ImgStripFilter *filter, const ImgView *view);
void img_strip_filter_free(ImgStripFilter *filter);

/* Those of `filters` that a row may have: where there is none above, some refer to nothing. */
unsigned img_strip_filters_of_row(unsigned filters, bool is_first);

/* Filters rows `from` to `to`, of which the first refers to no other, and writes them with their
 * types. `filters` are those to choose from, as in img_png_filter_best: by the least sum of
 * absolute values or, where `costs` is not NULL, by what they cost. Returns the bytes written. */
size_t img_strip_filter(const ImgStripFilter *filter, int32_t from, int32_t to, unsigned filters,
                        const ImgByteCosts *costs, uint8_t *out);

/* The costs of bytes by how often they are in data of `size` bytes, more than none. */
void img_byte_costs(const uint8_t *data, size_t size, ImgByteCosts *costs);

#endif
