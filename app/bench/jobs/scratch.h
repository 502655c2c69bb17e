/* A private temporary directory in $TMPDIR or /tmp, which only its user can access. scratch_close
 * removes the directory with its files. If interrupt_install was called, a signal that ends the
 * program removes them too. */
#ifndef IMGTOOL_APP_BENCH_JOBS_SCRATCH_H
#define IMGTOOL_APP_BENCH_JOBS_SCRATCH_H

#include "kernels/core/image.h"

enum { SCRATCH_FILES = 8 };

/* A temporary directory and the paths of its files. Initialise with SCRATCH_NONE. */
typedef struct Scratch {
    char *directory; /* path of the directory, owned; NULL: there is no directory */
    char *files[SCRATCH_FILES];
    size_t count;
} Scratch;

#define SCRATCH_NONE ((Scratch){.directory = NULL})

ImgStatus scratch_open(Scratch *scratch, ImgError *err);

/* Sets *path to the path of a file `name` in the directory, which the caller may create. The
 * scratch owns the path until scratch_close. At most SCRATCH_FILES paths can be requested, because
 * a signal handler removes their files. */
ImgStatus scratch_path(Scratch *scratch, const char *name, const char **path, ImgError *err);

/* Removes the directory and its files. A symbolic link is removed, not its target. Does nothing for
 * SCRATCH_NONE. */
void scratch_close(Scratch *scratch);

/* Writes picture.png with the default compression level. The picture has the shape `shape`, and
 * bench_fill_photo fills it. Palettes and tables of counts are not possible as formats. Call it
 * once per scratch directory. */
ImgStatus bench_scratch_picture(Scratch *scratch, ImgShape shape, const char **path, ImgError *err);

#endif
