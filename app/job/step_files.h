/* The files that steps name, such as look-up tables and second pictures: read once, before any
 * picture. */
#ifndef IMGTOOL_APP_JOB_STEP_FILES_H
#define IMGTOOL_APP_JOB_STEP_FILES_H

#include "app/cli/options.h"
#include "kernels/core/op.h"

/* What they say, which the steps and copies of them borrow. Start from zeros. */
typedef struct StepFiles {
    ImgConstants *contents; /* owned */
    size_t count;
} StepFiles;

/* Reads the files of steps that have some. Fails as img_fail does, naming the operation, the file
 * and its line; text of more than 128 MiB, and a picture beyond --max-pixels or --max-memory, is
 * IMG_E_LIMIT. To be called once; also after a failure followed by step_files_free. */
ImgStatus step_files_load(StepFiles *files, ImgStep *steps, size_t count, const Settings *settings,
                          ImgError *err);
void step_files_free(StepFiles *files);

/* The path of parameter `param`; NULL where that is not a file, or none was given. */
const char *step_file_path(const ImgStep *step, const ImgParam *param);

#endif
