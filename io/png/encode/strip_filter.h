/* Private: filters the rows of a strip. For each row chooses the filter with the smallest sum of
 * absolute values or with the smallest estimated cost. */
#ifndef IMGTOOL_IO_PNG_ENCODE_STRIP_FILTER_H
#define IMGTOOL_IO_PNG_ENCODE_STRIP_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"

/* Estimated cost of each byte value after compression, in sixteenths of a bit. */
typedef struct ImgByteCosts {
    uint16_t of[256];
} ImgByteCosts;

typedef struct ImgStripFilter {
    const ImgView *view;
    size_t row_bytes, pixel;
    /* Buffers for the current row and for the row above. They are used only if rows must be
     * converted. */
    uint8_t *rows[2];
    /* Buffers for a filtered row with its filter type: the best one so far, and the next
     * candidate. */
    uint8_t *filtered[2];
} ImgStripFilter;

/* Allocates the buffers. Returns false if memory is short. img_strip_filter_free must be called
 * even then. */
bool img_strip_filter_init(ImgStripFilter *filter, const ImgView *view);
void img_strip_filter_free(ImgStripFilter *filter);

/* Returns the filters among `filters` that may be used for a row. If `is_first` is true, these are
 * only None and Sub, because other filters refer to the row above. If `filters` has neither,
 * returns Sub. */
unsigned img_strip_filters_of_row(unsigned filters, bool is_first);

/* Filters rows `from` to `to` (exclusive), and writes them with their filter types. The first row
 * refers to no other row. `filters` has a bit for each allowed filter, as in img_png_filter_best.
 *
 * If `costs` is NULL, each row gets the filter with the smallest sum of absolute values. Otherwise
 * it gets the filter with the smallest cost. Returns the number of bytes written. */
size_t img_strip_filter(const ImgStripFilter *filter, int32_t from, int32_t to, unsigned filters,
                        const ImgByteCosts *costs, uint8_t *out);

/* Computes the cost of each byte value from its frequency in `data`. `size` must not be 0. */
void img_byte_costs(const uint8_t *data, size_t size, ImgByteCosts *costs);

#endif
