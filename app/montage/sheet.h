/* A contact sheet: its grid, the steps for each picture, and its pixels. */
#ifndef IMGTOOL_APP_MONTAGE_SHEET_H
#define IMGTOOL_APP_MONTAGE_SHEET_H

#include <stddef.h>
#include <stdint.h>

#include "app/cli/options.h"
#include "kernels/core/geometry/gravity.h"
#include "kernels/core/image.h"
#include "kernels/core/op.h"
#include "kernels/core/status.h"

/* --- Grid ------------------------------------------------------------------------------------- */

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

/* --- Steps for each picture ------------------------------------------------------------------- */

/* Initialise to zeros. */
typedef struct CellSteps {
    ImgStep *steps; /* owned */
    size_t count;
} CellSteps;

/* Makes the steps: autorotate, the user's steps, resize to the cell by --fit, --enlarge and
 * --gravity, and depth. The result has 8 bits per sample and is no larger than the cell.
 * IMG_E_USAGE for too many steps. Call cell_steps_free also after a failure. */
ImgStatus cell_steps_make(const ImgStep *own, size_t own_count, const SheetGrid *grid,
                          const Settings *settings, CellSteps *steps, ImgError *err);
void cell_steps_free(CellSteps *steps);

/* --- Pixels --------------------------------------------------------------------------------------
 *
 * The pixels of a contact sheet: RGB of 8 bits, or RGBA if the background is not opaque. */

/* Returns the format of a sheet with that background. */
ImgFormat sheet_format(ImgRgba background);

/* Sets every pixel to that colour. */
void sheet_clear(const ImgView *sheet, ImgRgba background);

/* Blends a picture with 8 bits per sample over `place`, a part of the sheet of the same size. */
void sheet_lay(const ImgView *place, const ImgView *picture);

#endif
