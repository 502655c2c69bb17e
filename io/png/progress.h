/* Reports the progress of decoding or encoding a picture to a callback, which may cancel it. */
#ifndef IMGTOOL_IO_PNG_PROGRESS_H
#define IMGTOOL_IO_PNG_PROGRESS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/core/status.h"

typedef struct ImgProgress {
    /* Called after `done` of `total` rows, on the thread that called img_progress_start. A failure
     * cancels the work, which then fails with the same error. */
    ImgStatus (*report)(void *context, uint64_t done, uint64_t total, ImgError *err);
    void *context;
    /* Private fields. */
    pthread_t caller;
    atomic_uint_fast64_t done;
    uint64_t total;
    atomic_bool cancelled;
    ImgError failure;
} ImgProgress;

/* Starts counting `rows` rows. `report` is called only on the thread that calls this function. The
 * caller has set `report` and `context`. `progress` may be NULL in all three functions. */
void img_progress_start(ImgProgress *progress, uint64_t rows);

/* Adds finished rows; any thread may call it. Returns false if the work is cancelled. */
bool img_progress_add_rows(ImgProgress *progress, uint64_t rows);

/* Returns true if the work was cancelled. `*err` then receives the error of `report`. */
bool img_progress_is_cancelled(const ImgProgress *progress, ImgError *err);

#endif
