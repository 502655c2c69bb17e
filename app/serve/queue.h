/* Commands that wait for a thread, and what has become of those before. Between the one thread that
 * receives them and those that do them. */
#ifndef IMGTOOL_APP_SERVE_QUEUE_H
#define IMGTOOL_APP_SERVE_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "app/serve/socket/wire.h"

/* Of a client that waits for its answer at the other end of the socket. */
typedef struct ServeRequest {
    WireRequest wire; /* owned */
    int socket;       /* owned */
    struct ServeRequest *next;
} ServeRequest;

typedef struct QueueCounts {
    size_t waiting, under_way;
    size_t done, failed; /* with exit code 0, or another; also those whose client left */
    double idle_since;   /* img_clock, when the last one ended */
} QueueCounts;

/* A thread that has nothing to do. */
typedef struct RestingThread {
    pthread_cond_t call;
    bool called;
    struct RestingThread *before; /* that has been resting for longer */
} RestingThread;

typedef struct ServeQueue {
    pthread_mutex_t mutex;
    RestingThread *resting; /* the last one to rest is called first: its memory is warm, or there */
    ServeRequest *first, *last;
    QueueCounts counts;
    bool closed;
    int wake; /* eventfd, borrowed: written to whenever a command ends */
} ServeQueue;

void queue_init(ServeQueue *queue, int wake);
void queue_destroy(ServeQueue *queue);

/* Takes `request` over. */
void queue_put(ServeQueue *queue, ServeRequest *request);

/* The next one, which is under way from now on; waits for it. NULL: there will be none. */
ServeRequest *queue_take(ServeQueue *queue);

/* One that was taken has ended. To be called before its client is told, who may ask for the counts
 * at once. */
void queue_end(ServeQueue *queue, bool done);

/* No thread gets another one. Returns those that wait, for the caller to answer and free. */
ServeRequest *queue_close(ServeQueue *queue);

QueueCounts queue_counts(ServeQueue *queue);

/* Closes the socket, and frees. */
void serve_request_free(ServeRequest *request);

#endif
