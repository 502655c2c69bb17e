/* State of a running server, and functions that its source files use. Private to app/serve. */
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
    /* maximum number of requests in the queue. While it is full, the server accepts no client */
    SERVE_QUEUE_MAX = 64,
};

typedef struct Server {
    Settings settings; /* options of `imgtool serve`, with one GPU chosen */
    ServedCommand *command;
    /* seconds after which the idle server ends; 0: it does not end by itself */
    uint64_t idle_seconds;
    uint64_t memory; /* maximum memory of all jobs together, in bytes */
    int jobs;        /* number of threads that run commands */
    Identity identity;
    Endpoint endpoint;
    ServeQueue queue;
    /* eventfd that wakes the listener: written when a job has ended, and when the last thread of
     * the pool has ended */
    int wake;
    ImgTeam *team;
    /* Device pools, indexed by the --backend of a command. IMG_BACKEND_AUTO is the pool for the
     * backend of the server. */
    DevicePool *devices[IMG_BACKEND_CUDA + 1];
    /* Copies of the server's settings, one for each pool in `devices`, with the backend of that
     * pool. They must exist as long as the pools. */
    Settings held_to[IMG_BACKEND_CUDA + 1];
    bool has_gpu;
    double start;
} Server;

/* Implemented in listen.c. Accepts clients, queues commands and answers other requests. A signal, a
 * stop request or the idle timeout begins the shutdown. The function returns when all threads of
 * the pool have then ended (serve_note_end). `signals` is the signal mask while the function
 * waits. */
void serve_listen(Server *server, const sigset_t *signals);

/* Implemented in listen.c. Signals to the listener that the last thread of the pool has ended. */
void serve_note_end(Server *server);

/* Implemented in devices.c. Opens the GPU, if the machine has one and the settings allow it. Call
 * serve_close_devices even after a failure. */
ImgStatus serve_open_devices(Server *server, ImgError *err);
void serve_close_devices(Server *server);

/* Implemented in devices.c. Reports the GPUs that have failed since the last call. */
void serve_report_lost(Server *server);

/* Implemented in job.c. Waits for the next command and runs it. It is a PoolWork, whose context is
 * the Server. */
void serve_next(void *context, Pool *pool, int worker, size_t index);

/* Implemented in status.c. Writes the status of the server to `text`, as one line with a
 * newline. */
void serve_status(Server *server, char *text, size_t size);

/* Implemented in status.c. Writes which processors the server uses, for example "4 CPU threads" or
 * "GPU 0, 20 CPU threads". Returns `text`. */
enum { SERVE_WHERE_SIZE = 64 };
const char *serve_where(const Server *server, char text[SERVE_WHERE_SIZE]);

/* Checks the settings of a command, and lowers its limits to those of the server (in rules.c).
 * Fails with IMG_E_UNAVAILABLE if the server does not have the backend or the device. */
ImgStatus serve_bound(const Server *server, Settings *settings, ImgError *err);

/* --- Working directory: working_directory.c --------------------------------------------------- */
/* These functions set the working directory and umask of a client for the thread that runs its
 * command. On Linux each thread can have its own. If the system denies that, as in some containers,
 * the threads take turns: one at a time sets the directory of the process. */

/* Sets the directory and the umask for the calling thread. The descriptor `directory` must stay
 * open. If threads share the directory of the process, this waits until no other thread uses it.
 * After a failure, do not call working_directory_leave. */
ImgStatus working_directory_enter(int directory, mode_t mask, ImgError *err);

/* Leaves the client's directory for "/", and restores the umask. The thread then keeps no directory
 * of a client in use. */
void working_directory_leave(void);

/* --- Paths that mean a different file in every process: rules.c ------------------------------- */

/* Returns true if the path leads into procfs, itself or through symbolic links. Files there, such
 * as the standard streams, are different files in every process. Also returns true if the path with
 * its links is too long to follow. Returns false if the path does not exist, because opening it
 * reports that error. */
bool leads_to_procfs(const char *path);

/* --- Starting in the background: detach.c ----------------------------------------------------- */

/* Forks this process, before any thread is created. The child starts its own session, and closes
 * all descriptors except the standard streams.
 *
 * In the caller, *child is false. The function returns there when the child is ready or has failed,
 * and *code is the caller's exit code. In the child, *child is true, and *ready is the argument for
 * detach_ready. */
ImgStatus detach(bool *child, int *ready, int *code, ImgError *err);

/* Called in the child. Reports that it is ready, so that detach returns in the caller, and
 * redirects the standard streams to /dev/null. */
void detach_ready(int ready);

#endif
