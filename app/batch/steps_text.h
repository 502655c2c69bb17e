/* The steps and options of a batch as text. Its record compares them to recognise the same run. */
#ifndef IMGTOOL_APP_BATCH_STEPS_TEXT_H
#define IMGTOOL_APP_BATCH_STEPS_TEXT_H

#include "app/cli/options.h"
#include "kernels/core/exec/exec.h"

/* Steps with all parameters and the contents of the files that they name, which were loaded. With
 * the settings of the encoder and the version of the program the text stands for the bytes of an
 * output. In place it lacks these: a file that was done must not be done twice, whatever its bytes.
 * The caller frees it; NULL: no memory. */
char *steps_text(const ImgStep *steps, size_t count, const Settings *settings);

#endif
