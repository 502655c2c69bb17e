/* The state of a file, which tells whether it has changed: size and time of the last change. */
#ifndef IMGTOOL_APP_BATCH_RECORD_FILE_STATE_H
#define IMGTOOL_APP_BATCH_RECORD_FILE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* State of a file at one moment. */
typedef struct FileState {
    uint64_t size;
    int64_t seconds, nanoseconds; /* of the last change */
    uint64_t inode; /* identifies the file until its directory is copied; not compared */
} FileState;

/* Reads the state. Returns false if there is no such file or stat fails; errno tells which. */
bool file_state(const char *path, FileState *state);

/* The same for callers that must know: *there tells whether the file exists, and a failure means
 * that this is unknown. IMG_E_IO, IMG_E_MEMORY, IMG_E_TEMPORARY. */
ImgStatus file_state_find(const char *path, bool *there, FileState *state, ImgError *err);

bool file_state_equal(const FileState *a, const FileState *b);

#endif
