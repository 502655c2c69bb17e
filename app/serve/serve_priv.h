/* Private to app/serve: the state of a running server, and the functions of its parts. */
#ifndef IMGTOOL_APP_SERVE_SERVE_PRIV_H
#define IMGTOOL_APP_SERVE_SERVE_PRIV_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "app/serve/queue.h"
#include "app/serve/serve.h"
#include "app/serve/socket/endpoint.h"
#include "kernels/core/status.h"

/* --- The running server ----------------------------------------------------------------------- */

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
    Identity identity;
    Endpoint endpoint;
    ServeQueue queue;
    int wake; /* eventfd: written when a job or all threads have ended */
    ImgTeam *team;
    /* Device pools, indexed by --backend of the job. IMG_BACKEND_AUTO stands for the backend of the
     * server. */
    DevicePool *devices[IMG_BACKEND_CUDA + 1];
    /* settings of the pools whose backend is not the server's, by backend */
    Settings held_to[IMG_BACKEND_CUDA + 1];
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

/* --- Working directory: working_directory.c --------------------------------------------------- */
/* Set the working directory and umask of a client for the thread that runs its command. On Linux
 * each thread can have its own. If the system denies that, as in some containers, threads use the
 * directory and umask of the process, one thread at a time. */

/* Sets directory and umask for the calling thread. `directory` must stay open. If the threads share
 * the directory of the process, this may wait until another thread leaves. After a failure, do not
 * call working_directory_leave. */
ImgStatus working_directory_enter(int directory, mode_t mask, ImgError *err);

/* Restores directory and umask. Afterwards the thread keeps no client's directory in use. */
void working_directory_leave(void);

/* --- Paths that mean a different file in every process: procfs_path.c ------------------------- */

/* Returns true if the path leads to procfs, itself or through symbolic links: to the streams, the
 * directory or the root of the process that opens it, or to other files there. Also true if the
 * path with its links is too long to follow. False if the path does not exist, because opening it
 * reports the error. */
bool leads_to_procfs(const char *path);

/* --- Starting in the background: detach.c ----------------------------------------------------- */

/* Forks this process. Call it before any thread is created. In the caller, *child is false. The
 * function returns there when the child is ready or has failed, and *code is the exit code for the
 * caller. In the child, *child is true, and *ready is the argument for detach_ready. The child has
 * its own session. Of the caller's descriptors it keeps only the standard streams. */
ImgStatus detach(bool *child, int *ready, int *code, ImgError *err);

/* Reports that the child is ready, so that the caller returns. Redirects the standard streams to
 * /dev/null. Call it in the child. */
void detach_ready(int ready);

#endif
