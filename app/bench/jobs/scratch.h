/* A private directory for files that a benchmark writes: in $TMPDIR or /tmp, for its user only,
 * removed with all that is in it by scratch_close, and by signals where interrupt_install was
 * called. */
#ifndef IMGTOOL_APP_BENCH_JOBS_SCRATCH_H
#define IMGTOOL_APP_BENCH_JOBS_SCRATCH_H

#include "kernels/core/image.h"

enum { SCRATCH_FILES = 8 };

/* Start with SCRATCH_NONE. */
typedef struct Scratch {
    char *directory; /* owned; NULL while there is none */
    char *files[SCRATCH_FILES];
    size_t count;
} Scratch;

#define SCRATCH_NONE ((Scratch){.directory = NULL})

ImgStatus scratch_open(Scratch *scratch, ImgError *err);

/* The path of a file by that name in the directory; whether it ever exists is up to the caller. It
 * belongs to the scratch and is good until scratch_close. At most SCRATCH_FILES of them: those are
 * what a signal finds. */
ImgStatus scratch_path(Scratch *scratch, const char *name, const char **path, ImgError *err);

/* Harmless on SCRATCH_NONE. Links in the directory are removed, never followed. */
void scratch_close(Scratch *scratch);

/* Writes picture.png, which holds bench_fill_photo of that shape, with the encoder's default level.
 * No palettes and no tables. Once a scratch. */
ImgStatus bench_scratch_picture(Scratch *scratch, ImgShape shape, const char **path, ImgError *err);

#endif
