/* Queue of commands between the listening thread and the threads that run them, with counts of
 * results. */
#ifndef IMGTOOL_APP_SERVE_QUEUE_H
#define IMGTOOL_APP_SERVE_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "app/serve/socket/wire.h"

/* A command of a client that waits for the answer on the socket. */
typedef struct ServeRequest {
    WireRequest wire; /* owned */
    int socket;       /* owned */
    struct ServeRequest *next;
} ServeRequest;

typedef struct QueueCounts {
    size_t waiting, under_way;
    size_t done, failed; /* exit code 0, or another; both include clients that disconnected */
    double idle_since;   /* img_clock when the last command ended */
} QueueCounts;

/* A thread without work. */
typedef struct RestingThread {
    pthread_cond_t call;
    bool called;
    struct RestingThread *before; /* thread that has been idle for longer */
} RestingThread;

typedef struct ServeQueue {
    pthread_mutex_t mutex;
    /* Last in, first out: the thread that became idle last wakes first, because its memory is warm
     * or still allocated. */
    RestingThread *resting;
    ServeRequest *first, *last;
    QueueCounts counts;
    bool closed;
    int wake; /* eventfd, borrowed: written when a command ends */
} ServeQueue;

void queue_init(ServeQueue *queue, int wake);
void queue_destroy(ServeQueue *queue);

/* Takes ownership of `request`. */
void queue_put(ServeQueue *queue, ServeRequest *request);

/* Waits for the next command and marks it as running. NULL: there will be no more. */
ServeRequest *queue_take(ServeQueue *queue);

/* Counts a command as ended. Call it before answering the client, which may request the counts at
 * once. */
void queue_end(ServeQueue *queue, bool done);

/* Stops giving out commands. Returns the waiting ones, for the caller to answer and free. */
ServeRequest *queue_close(ServeQueue *queue);

QueueCounts queue_counts(ServeQueue *queue);

/* Closes the socket and frees the request. */
void serve_request_free(ServeRequest *request);

#endif
