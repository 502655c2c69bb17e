/* The state of a file: its size and the time of its last change. If the state is the same, the file
 * counts as unchanged. */
#ifndef IMGTOOL_APP_BATCH_RECORD_FILE_STATE_H
#define IMGTOOL_APP_BATCH_RECORD_FILE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* Size, time and inode of a file at one moment. */
typedef struct FileState {
    uint64_t size;
    int64_t seconds, nanoseconds; /* time of the last change of the contents, since 1970 */
    /* inode of the file, which file_state_equal ignores; it changes if the directory is copied */
    uint64_t inode;
} FileState;

/* Reads the state of the file. Returns false if the file does not exist or stat fails; errno then
 * has the reason. */
bool file_state(const char *path, FileState *state);

/* Sets *there to whether the file exists and, if it does, sets *state. Fails with IMG_E_IO,
 * IMG_E_MEMORY or IMG_E_TEMPORARY if stat fails for a reason other than a missing file. */
ImgStatus file_state_find(const char *path, bool *there, FileState *state, ImgError *err);

bool file_state_equal(const FileState *a, const FileState *b);

#endif
