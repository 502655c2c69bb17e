/* Reads the files that the steps of a pipeline use, such as look-up tables and second pictures.
 * Each file is read once, before any picture is processed. */
#ifndef IMGTOOL_IO_STEP_FILES_H
#define IMGTOOL_IO_STEP_FILES_H

#include "io/interrupt.h"
#include "io/limits.h"
#include "io/step_picture.h"
#include "kernels/core/op.h"

/* The contents of the files that the steps of a pipeline use. Steps and their copies borrow them.
 * Must be initialised with zeros. */
typedef struct ImgStepFiles {
    ImgConstants *contents; /* owned */
    size_t count;
    /* Returns the file name that must be opened instead of `name`: an equal string at another
     * address (io/names.h). NULL: `name` itself is opened. */
    const char *(*find)(const char *name);
    ImgInterrupt interrupt; /* called when a signal interrupts a wait for a file */
    ImgStepWarnings warnings;
} ImgStepFiles;

/* Reads all files that the steps use. Error messages contain the operation, the file and the line.
 * Fails with IMG_E_LIMIT if a text has more than 128 MiB, or if a picture exceeds the limits. Must
 * be called only once. img_step_files_free must be called afterwards, even after a failure. */
ImgStatus img_step_files_load(ImgStepFiles *files, ImgStep *steps, size_t count,
                              const ImgLimits *limits, ImgError *err);
void img_step_files_free(ImgStepFiles *files);

/* Estimates the largest number of bytes that img_step_files_load will use at any time, from the
 * sizes and headers of the files. Sets `*bytes` to 0 if no step uses a file. Fails if
 * img_step_files_load would fail because of the header of a picture. */
ImgStatus img_step_files_estimate(const ImgStep *steps, size_t count, const ImgLimits *limits,
                                  uint64_t *bytes, ImgError *err);

/* Frees the contents of the files, and clears the references of the steps. The files can then be
 * loaded again. */
void img_step_files_unload(ImgStepFiles *files, ImgStep *steps, size_t count);

/* Returns the path that parameter `param` of a step contains. Returns NULL if this parameter is not
 * a file or is not set. */
const char *img_step_file_path(const ImgStep *step, const ImgParam *param);

/* Returns the name of a file of the steps that is the same regular file as `path` (same device and
 * inode). Returns NULL if there is none. Writing to `path` would replace this file. */
const char *img_step_files_find_same(const ImgStep *steps, size_t count, const char *path);

#endif
