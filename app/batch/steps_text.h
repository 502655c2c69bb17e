/* Text that identifies the steps and options of a batch. The record compares it to recognise the
 * same run. */
#ifndef IMGTOOL_APP_BATCH_STEPS_TEXT_H
#define IMGTOOL_APP_BATCH_STEPS_TEXT_H

#include "app/cli/options.h"
#include "kernels/core/exec/exec.h"

/* Prints steps with all parameters, and size and CRC of the files that they name, which must be
 * loaded. Outside --in-place it also has the encoder settings and the version of the program, so
 * that equal text means equal bytes. With --in-place these are left out: a finished file must not
 * be processed twice, even if its bytes would differ. The caller frees the text; NULL: no memory.
 */
char *steps_text(const ImgStep *steps, size_t count, const Settings *settings);

#endif
