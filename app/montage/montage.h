/* Many pictures on one contact sheet. */
#ifndef IMGTOOL_APP_MONTAGE_MONTAGE_H
#define IMGTOOL_APP_MONTAGE_MONTAGE_H

#include <stddef.h>

#include "app/cli/options.h"
#include "app/sandbox/sandbox.h"
#include "io/step_files.h"
#include "kernels/core/op.h"

/* All borrowed. */
typedef struct Montage {
    char *const *paths; /* or "-" */
    size_t count;
    size_t missing; /* inputs that gave no picture, each of which was reported */
    const char *output;
    const ImgStep *steps; /* done to each picture, upright, before it is made to fit its cell */
    size_t step_count;
    ImgStepFiles *step_files; /* of the steps, to be loaded and to be freed by the caller */
    Sandbox *sandbox;         /* entered before a file is read */
    const Settings *settings; /* --cell, --columns and so on */
} Montage;

/* Makes the sheet, which appears whole or not at all, and reports what fails. Returns the exit
 * code. */
int montage_run(const Montage *montage);

#endif
