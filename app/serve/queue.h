/* Queue of commands between the listening thread and the threads that run them. It also counts the
 * results. */
#ifndef IMGTOOL_APP_SERVE_QUEUE_H
#define IMGTOOL_APP_SERVE_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "app/serve/socket/wire.h"

/* A command of a client, which waits at `socket` for the answer. */
typedef struct ServeRequest {
    WireRequest wire; /* owned */
    int socket;       /* owned */
    struct ServeRequest *next;
} ServeRequest;

typedef struct QueueCounts {
    size_t waiting, under_way;
    /* commands that ended with exit code 0, and with another code; a command whose client
     * disconnected is counted too */
    size_t done, failed;
    double idle_since; /* time on img_clock when the last command ended */
} QueueCounts;

/* A thread of the pool without work. */
typedef struct RestingThread {
    pthread_cond_t call;
    bool called;
    /* the thread that became idle before this one and is still idle */
    struct RestingThread *before;
} RestingThread;

typedef struct ServeQueue {
    pthread_mutex_t mutex;
    /* The idle thread that became idle last. It is the first to be woken, because its memory is
     * warm or still allocated. */
    RestingThread *resting;
    ServeRequest *first, *last;
    QueueCounts counts;
    bool closed;
    int wake; /* eventfd, borrowed: written when a command ends */
} ServeQueue;

void queue_init(ServeQueue *queue, int wake);
void queue_destroy(ServeQueue *queue);

/* Adds `request` to the queue and takes ownership of it. */
void queue_put(ServeQueue *queue, ServeRequest *request);

/* Waits for the next command and counts it as running. Returns NULL if the queue is closed. */
ServeRequest *queue_take(ServeQueue *queue);

/* Counts a running command as ended; `done` if its exit code is 0. Call it before answering the
 * client, which may request the counts at once. */
void queue_end(ServeQueue *queue, bool done);

/* Closes the queue: queue_take returns no more commands. Returns the list of waiting commands,
 * which the caller answers and frees. */
ServeRequest *queue_close(ServeQueue *queue);

QueueCounts queue_counts(ServeQueue *queue);

/* Closes the socket and frees the request. */
void serve_request_free(ServeRequest *request);

#endif
