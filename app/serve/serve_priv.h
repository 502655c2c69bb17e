/* Private: a server at work. */
#ifndef IMGTOOL_APP_SERVE_SERVE_PRIV_H
#define IMGTOOL_APP_SERVE_SERVE_PRIV_H

#include <signal.h>

#include "app/serve/queue.h"
#include "app/serve/serve.h"
#include "app/serve/socket/endpoint.h"

enum {
    SERVE_CLIENTS_MAX = 64, /* clients that are connected and have not sent their request */
    SERVE_QUEUE_MAX = 64,   /* requests that wait for a thread; further clients wait to be let in */
};

typedef struct Server {
    Settings settings; /* of the server, with one GPU chosen */
    ServedCommand *command;
    uint64_t idle_seconds; /* 0: never ends by itself */
    uint64_t memory;       /* bytes for all jobs together */
    int jobs;              /* threads for all of them */
    Identity identity;
    Endpoint endpoint;
    ServeQueue queue;
    int wake; /* eventfd: a job has ended, or all threads have */
    ImgTeam *team;
    /* By a job's --backend: `auto` stands for what the server was started with. */
    DevicePool *devices[IMG_BACKEND_CUDA + 1];
    Settings
        held_to[IMG_BACKEND_CUDA + 1]; /* of those that are not what the server was started for */
    bool has_gpu;
    double start;
} Server;

/* listen.c: receives requests, and answers those that are no commands, until all threads have ended
 * (serve_note_end) after a signal, a request to stop, or a long idle time. Signals of `signals` are
 * blocked, and come in while it waits. */
void serve_listen(Server *server, const sigset_t *signals);

/* By whoever runs the threads, when all of them have ended. */
void serve_note_end(Server *server);

/* devices.c: opens the GPU, if there is one to be used. serve_close_devices in any case. */
ImgStatus serve_open_devices(Server *server, ImgError *err);
void serve_close_devices(Server *server);

/* devices.c: says which GPU failed since the last call. */
void serve_report_lost(Server *server);

/* job.c: a PoolWork, whose context is the Server: the next command that is sent. */
void serve_next(void *context, Pool *pool, int worker, size_t index);

/* status.c: what it is and has done, on one line with its end. */
void serve_status(Server *server, char *text, size_t size);

/* status.c: "4 CPU threads", "GPU 0, 20 CPU threads" */
enum { SERVE_WHERE_SIZE = 64 };
const char *serve_where(const Server *server, char text[SERVE_WHERE_SIZE]);

/* rules.c: what a job may ask of the server, and how it is bounded by it. `settings` is the job's,
 * and changed. IMG_E_UNAVAILABLE for a backend or device that the server does not have. */
ImgStatus serve_bound(const Server *server, Settings *settings, ImgError *err);

#endif
