/* Private to app/serve: state of a running server, and the functions that share it. */
#ifndef IMGTOOL_APP_SERVE_SERVE_PRIV_H
#define IMGTOOL_APP_SERVE_SERVE_PRIV_H

#include <signal.h>

#include "app/serve/queue.h"
#include "app/serve/serve.h"
#include "app/serve/socket/endpoint.h"

enum {
    SERVE_CLIENTS_MAX = 64, /* maximum number of connected clients that have not sent a request */
    /* maximum number of queued requests; further clients wait to be accepted */
    SERVE_QUEUE_MAX = 64,
};

typedef struct Server {
    Settings settings; /* settings of the server, with one GPU chosen */
    ServedCommand *command;
    uint64_t idle_seconds; /* idle timeout; 0: the server does not end by itself */
    uint64_t memory;       /* limit in bytes for all jobs together */
    int jobs;              /* number of threads that run jobs */
    /* number of jobs that work at the same time; further jobs wait for a GPU */
    int at_work;
    Identity identity;
    Endpoint endpoint;
    ServeQueue queue;
    int wake; /* eventfd: written when a job or all threads have ended */
    ImgTeam *team;
    /* Device pools, indexed by --backend of the job. IMG_BACKEND_AUTO stands for the backend of the
     * server. */
    DevicePool *devices[IMG_BACKEND_CUDA + 1];
    Settings
        /* settings of the pools whose backend is not the server's, by backend */
        held_to[IMG_BACKEND_CUDA + 1];
    bool has_gpu;
    double start;
} Server;

/* listen.c: accepts clients, queues commands and answers other requests. Returns when all threads
 * have ended (serve_note_end) after a signal, a stop request or an idle timeout. `signals` is the
 * signal mask that applies while it waits. */
void serve_listen(Server *server, const sigset_t *signals);

/* listen.c: notes that the last worker thread has exited. */
void serve_note_end(Server *server);

/* devices.c: opens the GPU if the settings and the machine have one. Call serve_close_devices even
 * after a failure. */
ImgStatus serve_open_devices(Server *server, ImgError *err);
void serve_close_devices(Server *server);

/* devices.c: reports the GPUs that failed since the last call. */
void serve_report_lost(Server *server);

/* job.c: runs the next command. It is a PoolWork; its context is the Server. */
void serve_next(void *context, Pool *pool, int worker, size_t index);

/* status.c: writes the status of the server as one line with a newline. */
void serve_status(Server *server, char *text, size_t size);

/* status.c: writes where the server works, for example "4 CPU threads" or "GPU 0, 20 CPU threads".
 * Returns `text`. */
enum { SERVE_WHERE_SIZE = 64 };
const char *serve_where(const Server *server, char text[SERVE_WHERE_SIZE]);

/* rules.c: checks the settings of a job, and lowers its limits to those of the server.
 * IMG_E_UNAVAILABLE if the server does not have the backend or device. */
ImgStatus serve_bound(const Server *server, Settings *settings, ImgError *err);

#endif
