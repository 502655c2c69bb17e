/* Reads the files that steps name, such as look-up tables and second pictures, once, before any
 * picture is processed. */
#ifndef IMGTOOL_IO_STEP_FILES_H
#define IMGTOOL_IO_STEP_FILES_H

#include "io/interrupt.h"
#include "io/limits.h"
#include "io/step_picture.h"
#include "kernels/core/op.h"

/* The contents of the files that steps name. Steps and their copies borrow them. Must start as
 * zeros. */
typedef struct ImgStepFiles {
    ImgConstants *contents; /* owned */
    size_t count;
    /* Returns the name under which to open `name`: an equal string at another address (io/names.h).
     * NULL: open `name` itself. */
    const char *(*find)(const char *name);
    ImgInterrupt interrupt; /* called when a signal interrupts a wait for a file */
    ImgStepWarnings warnings;
} ImgStepFiles;

/* Reads all files that the steps name. Messages name the operation, the file and the line. Fails
 * with IMG_E_LIMIT for text of more than 128 MiB, or a picture beyond the limits. Must be called
 * only once; img_step_files_free must be called afterwards, even after a failure. */
ImgStatus img_step_files_load(ImgStepFiles *files, ImgStep *steps, size_t count,
                              const ImgLimits *limits, ImgError *err);
void img_step_files_free(ImgStepFiles *files);

/* Estimates, before the files are read, the largest number of bytes that img_step_files_load uses
 * at any time. The estimate is based on file sizes and headers; it is 0 if no step names a file.
 * Fails if a picture's header would make img_step_files_load fail. */
ImgStatus img_step_files_estimate(const ImgStep *steps, size_t count, const ImgLimits *limits,
                                  uint64_t *bytes, ImgError *err);

/* Frees the contents and clears the steps' references to them, so that they can be loaded again. */
void img_step_files_unload(ImgStepFiles *files, ImgStep *steps, size_t count);

/* Returns the path in parameter `param` of a step; NULL if the parameter is not a file or is not
 * set. */
const char *img_step_file_path(const ImgStep *step, const ImgParam *param);

/* Returns the name of a file of the steps that is the same regular file as `path` (same device and
 * inode), or NULL if there is none. Writing to `path` would replace that file. */
const char *img_step_files_find_same(const ImgStep *steps, size_t count, const char *path);

#endif
