/* The queue of commands between the listening thread and the threads that run them. It also counts
 * how the commands ended. */
#ifndef IMGTOOL_APP_SERVE_QUEUE_H
#define IMGTOOL_APP_SERVE_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "app/serve/socket/wire.h"

/* A command of a client. The client waits at the other end of `socket` for the answer. */
typedef struct ServeRequest {
    WireRequest wire; /* the command line and its environment; owned */
    int socket;       /* connection to the client; owned */
    struct ServeRequest *next;
} ServeRequest;

typedef struct QueueCounts {
    size_t waiting, under_way;
    /* Number of commands that ended with exit code 0, and with another exit code. A command that
     * does not run because its client has disconnected counts as failed. */
    size_t done, failed;
    double idle_since; /* time on img_clock at which the last command ended */
} QueueCounts;

/* A thread of the pool that has no command to run. */
typedef struct RestingThread {
    pthread_cond_t call;
    bool called;
    /* thread that became idle before this one, and is still idle; NULL: there is none */
    struct RestingThread *before;
} RestingThread;

typedef struct ServeQueue {
    pthread_mutex_t mutex;
    /* The thread that became idle last. It is woken first, because its memory is most likely still
     * allocated and in the cache. */
    RestingThread *resting;
    ServeRequest *first, *last;
    QueueCounts counts;
    bool closed;
    int wake; /* eventfd, borrowed. The queue writes to it when a command ends */
} ServeQueue;

void queue_init(ServeQueue *queue, int wake);
void queue_destroy(ServeQueue *queue);

/* Adds `request` at the end of the queue, and takes ownership of it. */
void queue_put(ServeQueue *queue, ServeRequest *request);

/* Waits for a command, removes it from the queue and counts it as running. Returns NULL after
 * queue_close. The caller frees the request. */
ServeRequest *queue_take(ServeQueue *queue);

/* Counts a running command as ended. `done` is true if its exit code is 0. Call it before the
 * answer is sent, because the client may then ask for the counts at once. */
void queue_end(ServeQueue *queue, bool done);

/* Closes the queue, so that queue_take returns no more commands. Returns the list of the waiting
 * requests, which the caller answers and frees. */
ServeRequest *queue_close(ServeQueue *queue);

QueueCounts queue_counts(ServeQueue *queue);

/* Closes the socket and frees the request. */
void serve_request_free(ServeRequest *request);

#endif
