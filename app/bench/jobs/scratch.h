/* A private temporary directory in $TMPDIR or /tmp, accessible to its user only. scratch_close
 * removes it with its content; so do signals, after interrupt_install. */
#ifndef IMGTOOL_APP_BENCH_JOBS_SCRATCH_H
#define IMGTOOL_APP_BENCH_JOBS_SCRATCH_H

#include "kernels/core/image.h"

enum { SCRATCH_FILES = 8 };

/* Initialise with SCRATCH_NONE. */
typedef struct Scratch {
    char *directory; /* owned; NULL: no directory */
    char *files[SCRATCH_FILES];
    size_t count;
} Scratch;

#define SCRATCH_NONE ((Scratch){.directory = NULL})

ImgStatus scratch_open(Scratch *scratch, ImgError *err);

/* Returns the path of a file with that name in the directory; the caller may create it. The scratch
 * owns the text, valid until scratch_close. At most SCRATCH_FILES paths: a signal removes these
 * files. */
ImgStatus scratch_path(Scratch *scratch, const char *name, const char **path, ImgError *err);

/* Removes the directory. Does nothing for SCRATCH_NONE. Links are removed, never followed. */
void scratch_close(Scratch *scratch);

/* Writes picture.png: bench_fill_photo of that shape, at the default level. No palettes and no
 * counts. Call it once per scratch. */
ImgStatus bench_scratch_picture(Scratch *scratch, ImgShape shape, const char **path, ImgError *err);

#endif
