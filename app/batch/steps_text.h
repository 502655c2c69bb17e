/* What is done to every file of a batch, as text that is the same for the same bytes. */
#ifndef IMGTOOL_APP_BATCH_STEPS_TEXT_H
#define IMGTOOL_APP_BATCH_STEPS_TEXT_H

#include "app/cli/options.h"
#include "kernels/core/exec/exec.h"

/* Steps with all parameters and the contents of the files that they name, which were loaded, the
 * settings of the encoder, and the version of the program. The caller frees it; NULL: no memory. */
char *steps_text(const ImgStep *steps, size_t count, const Settings *settings);

#endif
