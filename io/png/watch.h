/* Reports the progress of decoding or encoding a picture to a callback, which may cancel it. */
#ifndef IMGTOOL_IO_PNG_WATCH_H
#define IMGTOOL_IO_PNG_WATCH_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/core/status.h"

typedef struct ImgWatch {
    /* Called after `done` of `total` rows, on the thread that called img_watch_start. A failure
     * cancels the work, which then fails with the same error. */
    ImgStatus (*tell)(void *context, uint64_t done, uint64_t total, ImgError *err);
    void *context;
    /* Private fields. */
    pthread_t caller;
    atomic_uint_fast64_t done;
    uint64_t total;
    atomic_bool stopped;
    ImgError failure;
} ImgWatch;

/* Starts counting `rows` rows; later calls of `tell` come on this thread. The caller has set `tell`
 * and `context`. `watch` may be NULL in all three functions. */
void img_watch_start(ImgWatch *watch, uint64_t rows);

/* Adds finished rows; any thread may call it. Returns false if the work is cancelled. */
bool img_watch_rows(ImgWatch *watch, uint64_t rows);

/* Returns true if the work was cancelled; *err then has the error of `tell`. */
bool img_watch_stopped(const ImgWatch *watch, ImgError *err);

#endif
