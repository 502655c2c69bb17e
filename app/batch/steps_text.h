/* Makes a text that identifies the steps and options of a batch. The record contains a hash of it,
 * by which a later run recognises files that were made with the same steps. */
#ifndef IMGTOOL_APP_BATCH_STEPS_TEXT_H
#define IMGTOOL_APP_BATCH_STEPS_TEXT_H

#include "app/cli/options.h"
#include "kernels/core/exec/exec.h"

/* Returns a text of the steps with all parameters, and size and CRC of the files that they name.
 * These files must be loaded. Without --in-place the text also has the encoder settings and the
 * version of the program, so that equal texts mean equal bytes of outputs. With --in-place these
 * are left out, since a finished file must not be processed twice, even if its bytes would differ.
 * The caller frees the text; NULL: no memory. */
char *steps_text(const ImgStep *steps, size_t count, const Settings *settings);

#endif
