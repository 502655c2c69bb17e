/* Arranges many pictures on one contact sheet. */
#ifndef IMGTOOL_APP_MONTAGE_MONTAGE_H
#define IMGTOOL_APP_MONTAGE_MONTAGE_H

#include <stddef.h>

#include "app/cli/options.h"
#include "app/sandbox/sandbox.h"
#include "io/step_files.h"
#include "kernels/core/op.h"

/* A job for montage_run. All pointers are borrowed. */
typedef struct Montage {
    char *const *paths; /* paths of the pictures; "-" is standard input */
    size_t count;
    size_t missing; /* number of inputs that led to no picture; a failure was printed for each */
    const char *output;
    /* Steps that are applied to each picture after it is turned upright and before it is fitted to
     * its cell. */
    const ImgStep *steps;
    size_t step_count;
    ImgStepFiles *step_files; /* files of the steps; loaded by montage_run, freed by the caller */
    Sandbox *sandbox;         /* sandbox of the process; entered before any file is read */
    const Settings *settings; /* the options, such as --cell and --columns */
} Montage;

/* Makes the sheet, writes it atomically, and prints failures. Returns the exit code. */
int montage_run(const Montage *montage);

#endif
