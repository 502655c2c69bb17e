/* Whether a file is still what it was: its size and the time of its last change. */
#ifndef IMGTOOL_APP_BATCH_RECORD_FILE_STATE_H
#define IMGTOOL_APP_BATCH_RECORD_FILE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* A file as it is at a moment: what changes when somebody writes to it. */
typedef struct FileState {
    uint64_t size;
    int64_t seconds, nanoseconds; /* of its last change */
    uint64_t inode; /* which file it is, as long as its directory is not copied; not compared */
} FileState;

/* False where there is no such file, or it cannot be asked; errno says which. */
bool file_state(const char *path, FileState *state);

/* The same where it matters which: *there tells whether there is such a file, and a failure that
 * nobody knows. IMG_E_IO, IMG_E_MEMORY, IMG_E_TEMPORARY. */
ImgStatus file_state_find(const char *path, bool *there, FileState *state, ImgError *err);

bool file_state_equal(const FileState *a, const FileState *b);

#endif
