/* Reports the progress of decoding or encoding a picture to a callback, which can cancel the
 * work. */
#ifndef IMGTOOL_IO_PNG_PROGRESS_H
#define IMGTOOL_IO_PNG_PROGRESS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/core/status.h"

typedef struct ImgProgress {
    /* Called after `done` of `total` rows, on the thread that called img_progress_start. If it
     * fails, the work is cancelled and fails with the same error. */
    ImgStatus (*report)(void *context, uint64_t done, uint64_t total, ImgError *err);
    void *context;
    /* Called after `done` rows, on any thread, which continues when it returns. It may wait. NULL:
     * it is not called. */
    void (*go_on)(void *context, uint64_t done);
    void *go_on_context;
    /* The fields from here on are private to progress.c. */
    pthread_t caller;
    atomic_uint_fast64_t done;
    uint64_t total;
    atomic_bool cancelled;
    ImgError failure;
} ImgProgress;

/* Starts counting up to `rows` rows. Calls of `report` happen only on the thread that calls this
 * function. The caller must have set the fields above, of which functions may be NULL. `progress`
 * may be NULL; then this and the following functions do nothing. */
void img_progress_start(ImgProgress *progress, uint64_t rows);

/* Adds `rows` finished rows. Any thread may call it. Returns false if the work is cancelled. */
bool img_progress_add_rows(ImgProgress *progress, uint64_t rows);

/* Returns true if the work was cancelled, and stores the error of `report` in `*err`. */
bool img_progress_is_cancelled(const ImgProgress *progress, ImgError *err);

#endif
