/* A private temporary directory in $TMPDIR or /tmp, which only its user can access. scratch_close
 * removes it with its content. A signal also removes it, if interrupt_install was called. */
#ifndef IMGTOOL_APP_BENCH_JOBS_SCRATCH_H
#define IMGTOOL_APP_BENCH_JOBS_SCRATCH_H

#include "kernels/core/image.h"

enum { SCRATCH_FILES = 8 };

/* A temporary directory. Initialise with SCRATCH_NONE. */
typedef struct Scratch {
    char *directory; /* path, owned; NULL: there is no directory */
    char *files[SCRATCH_FILES];
    size_t count;
} Scratch;

#define SCRATCH_NONE ((Scratch){.directory = NULL})

ImgStatus scratch_open(Scratch *scratch, ImgError *err);

/* Sets *path to the path of a file with that name in the directory. The caller may create the file.
 * The scratch owns the text until scratch_close. At most SCRATCH_FILES paths can be requested,
 * because a signal removes these files. */
ImgStatus scratch_path(Scratch *scratch, const char *name, const char **path, ImgError *err);

/* Removes the directory and its files. Links are removed, but not followed. Does nothing for
 * SCRATCH_NONE. */
void scratch_close(Scratch *scratch);

/* Writes picture.png at the default compression level: the picture of bench_fill_photo with that
 * shape. Palettes and tables of counts are not possible. Call it once per scratch. */
ImgStatus bench_scratch_picture(Scratch *scratch, ImgShape shape, const char **path, ImgError *err);

#endif
