/* Steps for each picture of a contact sheet. */
#ifndef IMGTOOL_APP_MONTAGE_CELL_STEPS_H
#define IMGTOOL_APP_MONTAGE_CELL_STEPS_H

#include "app/cli/options.h"
#include "app/montage/sheet_grid.h"
#include "kernels/core/op.h"

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

#endif
