/* Arranges many pictures on one contact sheet. */
#ifndef IMGTOOL_APP_MONTAGE_MONTAGE_H
#define IMGTOOL_APP_MONTAGE_MONTAGE_H

#include <stddef.h>

#include "app/cli/options.h"
#include "app/sandbox/sandbox.h"
#include "io/step_files.h"
#include "kernels/core/op.h"

/* A job for montage_run; everything is borrowed. */
typedef struct Montage {
    char *const *paths; /* paths, or "-" */
    size_t count;
    size_t missing; /* inputs that gave no picture; each was reported */
    const char *output;
    const ImgStep *steps; /* applied to each picture after it is turned upright, before it is fitted
                             to its cell */
    size_t step_count;
    ImgStepFiles *step_files; /* loaded here, freed by the caller */
    Sandbox *sandbox;         /* entered before a file is read */
    const Settings *settings; /* --cell, --columns and others */
} Montage;

/* Makes the sheet, writes it atomically, and reports failures. Returns the exit code. */
int montage_run(const Montage *montage);

#endif
