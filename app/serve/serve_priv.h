/* Private to app/serve: the state of a running server. */
#ifndef IMGTOOL_APP_SERVE_SERVE_PRIV_H
#define IMGTOOL_APP_SERVE_SERVE_PRIV_H

#include <signal.h>

#include "app/serve/queue.h"
#include "app/serve/serve.h"
#include "app/serve/socket/endpoint.h"

enum {
    SERVE_CLIENTS_MAX = 64, /* clients that are connected and have not sent a request */
    SERVE_QUEUE_MAX = 64,   /* queued requests; further clients wait to be accepted */
};

typedef struct Server {
    Settings settings; /* settings of the server, with one GPU chosen */
    ServedCommand *command;
    uint64_t idle_seconds; /* timeout; 0: the server does not end by itself */
    uint64_t memory;       /* limit in bytes for all jobs together */
    int jobs;              /* number of threads for all jobs */
    int at_work;           /* number of them that work at a time; the others wait for a GPU */
    Identity identity;
    Endpoint endpoint;
    ServeQueue queue;
    int wake; /* eventfd: written when a job or all threads have ended */
    ImgTeam *team;
    /* Device pools by the job's --backend. IMG_BACKEND_AUTO means the backend of the server. */
    DevicePool *devices[IMG_BACKEND_CUDA + 1];
    Settings
        /* settings of the pools with another backend than the server's */
        held_to[IMG_BACKEND_CUDA + 1];
    bool has_gpu;
    double start;
} Server;

/* listen.c: receives requests and answers those that are not commands. Returns after all threads
 * have ended (serve_note_end), following a signal, a stop request or an idle timeout. `signals` is
 * the signal mask while it waits. */
void serve_listen(Server *server, const sigset_t *signals);

/* Called after the last worker thread has exited. */
void serve_note_end(Server *server);

/* devices.c: opens the GPU, if there is one to use. Call serve_close_devices even after a
 * failure. */
ImgStatus serve_open_devices(Server *server, ImgError *err);
void serve_close_devices(Server *server);

/* devices.c: reports GPUs that failed since the last call. */
void serve_report_lost(Server *server);

/* job.c: runs the next command. A PoolWork whose context is the Server. */
void serve_next(void *context, Pool *pool, int worker, size_t index);

/* status.c: writes the status of the server as one line with a newline. */
void serve_status(Server *server, char *text, size_t size);

/* status.c: returns a text such as "4 CPU threads" or "GPU 0, 20 CPU threads". */
enum { SERVE_WHERE_SIZE = 64 };
const char *serve_where(const Server *server, char text[SERVE_WHERE_SIZE]);

/* rules.c: checks the settings of a job and limits them to those of the server. IMG_E_UNAVAILABLE
 * for a backend or device that the server does not have. */
ImgStatus serve_bound(const Server *server, Settings *settings, ImgError *err);

#endif
