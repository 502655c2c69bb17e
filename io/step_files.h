/* The files that steps name, such as look-up tables and second pictures: read once, before any
 * picture. */
#ifndef IMGTOOL_IO_STEP_FILES_H
#define IMGTOOL_IO_STEP_FILES_H

#include "io/interrupt.h"
#include "io/limits.h"
#include "io/step_damage.h"
#include "kernels/core/op.h"

/* What they say, which the steps and copies of them borrow. Start from zeros. */
typedef struct ImgStepFiles {
    ImgConstants *contents; /* owned */
    size_t count;
    /* What is opened for a name: the same one, elsewhere in memory (io/names.h). NULL: the name. */
    const char *(*find)(const char *name);
    ImgInterrupt interrupt; /* of waits for them */
    ImgStepWarned warned;
} ImgStepFiles;

/* Reads the files of steps that have some. Fails as img_fail does, naming the operation, the file
 * and its line; text of more than 128 MiB, and a picture beyond the limits, is IMG_E_LIMIT. To be
 * called once; also after a failure followed by img_step_files_free. */
ImgStatus img_step_files_load(ImgStepFiles *files, ImgStep *steps, size_t count,
                              const ImgLimits *limits, ImgError *err);
void img_step_files_free(ImgStepFiles *files);

/* Before they are read, the most bytes that img_step_files_load has at a time, or keeps, as far as
 * headers and sizes of the files say; 0: no step has files. Fails where that would, at the header
 * of a picture. */
ImgStatus img_step_files_look(const ImgStep *steps, size_t count, const ImgLimits *limits,
                              uint64_t *bytes, ImgError *err);

/* As img_step_files_free, and the steps forget them: they may be loaded again. */
void img_step_files_unload(ImgStepFiles *files, ImgStep *steps, size_t count);

/* The path of parameter `param`; NULL where that is not a file, or none was given. */
const char *img_step_file_path(const ImgStep *step, const ImgParam *param);

/* The name of a file that the steps read where it is the regular file at `path`, whatever that is
 * called; NULL: there is none. What is written to `path` would replace it. */
const char *img_step_files_same(const ImgStep *steps, size_t count, const char *path);

#endif
