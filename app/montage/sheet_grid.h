/* The grid of a contact sheet: cells of equal size, row by row. */
#ifndef IMGTOOL_APP_MONTAGE_SHEET_GRID_H
#define IMGTOOL_APP_MONTAGE_SHEET_GRID_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/core/geometry/gravity.h"
#include "kernels/core/status.h"

/* Sizes in pixels. */
typedef struct SheetGrid {
    int32_t cell_width, cell_height;
    int32_t spacing; /* between cells */
    int32_t margin;  /* around all cells */
    int64_t columns, rows;
    int32_t width, height; /* of the sheet */
} SheetGrid;

/* Computes the fields after `margin` for `count` pictures, at least 1. `columns` 0 takes the fewest
 * with which the sheet is no higher than wide. There are never more columns than pictures.
 * IMG_E_LIMIT, with a remedy, if a side is longer than a picture can have, or the sheet has more
 * than `max_pixels`. */
ImgStatus sheet_grid_fit(SheetGrid *grid, size_t count, int32_t columns, uint64_t max_pixels,
                         ImgError *err);

/* Returns the top left corner on the sheet of picture `number`, from 0. Its width and height are at
 * most those of the cell, in which `gravity` positions it. */
ImgPlace sheet_grid_place(const SheetGrid *grid, size_t number, int32_t gravity, int32_t width,
                          int32_t height);

#endif
