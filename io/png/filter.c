/* Choosing and applying the filters of a row. */
#include "io/png/filter.h"

void img_png_filter_row(ImgFilter filter, size_t pixel, size_t row_bytes, const uint8_t *row,
                        const uint8_t *above, uint8_t *filtered)
{
    img_png_filter_row_reference(filter, pixel, row_bytes, row, above, filtered);
}

ImgFilter img_png_filter_best(unsigned allowed, size_t pixel, size_t row_bytes, const uint8_t *row,
                              const uint8_t *above, uint8_t *filtered)
{
    return img_png_filter_best_reference(allowed, pixel, row_bytes, row, above, filtered);
}
