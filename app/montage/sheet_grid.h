/* Where the cells of a contact sheet lie: row by row, all of one size. */
#ifndef IMGTOOL_APP_MONTAGE_SHEET_GRID_H
#define IMGTOOL_APP_MONTAGE_SHEET_GRID_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/core/geometry/gravity.h"
#include "kernels/core/status.h"

/* Pixels. */
typedef struct SheetGrid {
    int32_t cell_width, cell_height;
    int32_t spacing; /* between cells */
    int32_t margin;  /* around all of them */
    int64_t columns, rows;
    int32_t width, height; /* of the sheet */
} SheetGrid;

/* Fills in what follows `margin`, for `count` pictures, at least one. `columns` of 0: the fewest
 * with which the sheet is no higher than wide; there are no more than pictures. IMG_E_LIMIT, and
 * what would help, for a sheet with a side that no picture can have, or of more than `max_pixels`.
 */
ImgStatus sheet_grid_fit(SheetGrid *grid, size_t count, int32_t columns, uint64_t max_pixels,
                         ImgError *err);

/* Where on the sheet the left upper corner of picture `number` is: it has at most the cell's width
 * and height, and stands in the cell by `gravity`. */
ImgPlace sheet_grid_place(const SheetGrid *grid, size_t number, int32_t gravity, int32_t width,
                          int32_t height);

#endif
