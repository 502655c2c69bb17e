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

/* Grid of a contact sheet. All sizes are in pixels. */
typedef struct SheetGrid {
    int32_t cell_width, cell_height;
    int32_t spacing; /* space between cells */
    int32_t margin;  /* space around all cells */
    int64_t columns, rows;
    int32_t width, height; /* size of the sheet */
} SheetGrid;

/* Computes the fields after `margin` for `count` pictures (at least 1). If `columns` is 0, uses the
 * smallest number of columns for which the sheet is no higher than wide. There are never more
 * columns than pictures. Fails with IMG_E_LIMIT if a side is longer than a picture can have, or the
 * sheet has more than `max_pixels` pixels. The message names a remedy. */
ImgStatus sheet_grid_fit(SheetGrid *grid, size_t count, int32_t columns, uint64_t max_pixels,
                         ImgError *err);

/* Returns the top left corner of picture `number` (counted from 0) on the sheet. `width` and
 * `height`, the size of the picture, are at most the size of the cell. `gravity` determines its
 * position in the cell. */
ImgPlace sheet_grid_place(const SheetGrid *grid, size_t number, int32_t gravity, int32_t width,
                          int32_t height);

/* --- Steps for each picture ------------------------------------------------------------------- */

/* The steps that fit each picture to its cell. Initialise it with zeros, and free it with
 * cell_steps_free. */
typedef struct CellSteps {
    ImgStep *steps; /* array of `count` steps; owned */
    size_t count;
} CellSteps;

/* Makes the steps for each picture: autorotate, the steps of the user (`own`), resize to the cell
 * according to --fit, --enlarge and --gravity, and depth. Results have 8 bits per sample, and are
 * no larger than the cell. Fails with IMG_E_USAGE if there are too many steps. Call cell_steps_free
 * also after a failure. */
ImgStatus cell_steps_make(const ImgStep *own, size_t own_count, const SheetGrid *grid,
                          const Settings *settings, CellSteps *steps, ImgError *err);
void cell_steps_free(CellSteps *steps);

/* --- Pixels --------------------------------------------------------------------------------------
 *
 * The pixels of a contact sheet: RGB of 8 bits, or RGBA if the background is not opaque. */

/* Returns the format of a sheet with this background: RGB if it is opaque, otherwise RGBA. */
ImgFormat sheet_format(ImgRgba background);

/* Sets every pixel to the colour `background`. */
void sheet_clear(const ImgView *sheet, ImgRgba background);

/* Blends a picture with 8 bits per sample over `place`, a part of the sheet that has the size of
 * the picture. */
void sheet_lay(const ImgView *place, const ImgView *picture);

#endif
