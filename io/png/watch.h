/* How far coding a picture is, told to whoever asked for it, who may end it. */
#ifndef IMGTOOL_IO_PNG_WATCH_H
#define IMGTOOL_IO_PNG_WATCH_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/core/status.h"

typedef struct ImgWatch {
    /* After `done` of `total` rows, on the thread that started the watch. A failure ends the work,
     * which then fails so. */
    ImgStatus (*tell)(void *context, uint64_t done, uint64_t total, ImgError *err);
    void *context;
    /* Its own. */
    pthread_t caller;
    atomic_uint_fast64_t done;
    uint64_t total;
    atomic_bool stopped;
    ImgError failure;
} ImgWatch;

/* Of work on so many rows, on this thread. `watch`, of which `tell` and `context` are set, may be
 * NULL, here and below: nobody asked. */
void img_watch_start(ImgWatch *watch, uint64_t rows);

/* So many rows more are done, on any thread. False: the work is to end. */
bool img_watch_rows(ImgWatch *watch, uint64_t rows);

/* Was it ended? Then *err has the reason. */
bool img_watch_stopped(const ImgWatch *watch, ImgError *err);

#endif
