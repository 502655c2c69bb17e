/* What is done to each picture of a contact sheet. */
#ifndef IMGTOOL_APP_MONTAGE_CELL_STEPS_H
#define IMGTOOL_APP_MONTAGE_CELL_STEPS_H

#include "app/cli/options.h"
#include "app/montage/sheet_grid.h"
#include "kernels/core/op.h"

/* Start from zeros. */
typedef struct CellSteps {
    ImgStep *steps; /* owned */
    size_t count;
} CellSteps;

/* autorotate, the user's, resize to the cell as --fit, --enlarge and --gravity say, and depth: the
 * result has 8 bits and is no larger than the cell. IMG_E_USAGE for too many. To be followed by
 * cell_steps_free, on failure too. */
ImgStatus cell_steps_make(const ImgStep *own, size_t own_count, const SheetGrid *grid,
                          const Settings *settings, CellSteps *steps, ImgError *err);
void cell_steps_free(CellSteps *steps);

#endif
