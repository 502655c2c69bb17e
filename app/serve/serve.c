/* Runs a server from its start to its end. The first thread listens (listen.c). Another thread
 * manages a pool, whose threads run the commands (job.c). */
#include "app/serve/serve.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "app/cli/exit_code.h"
#include "app/engine/share/resources.h"
#include "app/serve/serve_priv.h"
#include "app/serve/socket/endpoint.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "app/text/amounts.h"
#include "app/text/streams.h"
#include "app/text/text.h"
#include "kernels/core/parallel/clock.h"

enum { NOT_DETACHED = -1 };

static ImgStatus parse_idle(const char *text, uint64_t *seconds, ImgError *err)
{
    const uint64_t usual = 15 * 60, most = UINT64_C(365) * 24 * 3600;
    *seconds = text != NULL ? 0 : usual;
    if (text == NULL || strcmp(text, "never") == 0)
        return IMG_OK;
    ImgStatus status = img_amount_parse_seconds(text, seconds, err);
    if (status == IMG_OK && *seconds > most)
        status = img_fail(err, IMG_E_USAGE, "'%s' is more than a year; write never", text);
    if (status != IMG_OK)
        img_error_prefix(err, "--idle");
    return status;
}

/* --- Threads ---------------------------------------------------------------------------------- */

static bool report_lost_device(void *context)
{
    serve_report_lost(context);
    return true;
}

static void *run_pool(void *context)
{
    Server *server = context;
    PoolConfig config = {
        .team = server->team,
        .jobs = server->jobs,
        .at_work = img_resources_jobs_at_work(&server->settings.engine),
        .memory = server->memory,
        .count = SIZE_MAX,
        .open_ended = true,
        .work = serve_next,
        .watch = report_lost_device,
        .context = server,
    };
    (void)img_pool_run(&config);
    serve_note_end(server);
    return NULL;
}

static ImgStatus serve_until_end(Server *server, const sigset_t *signals, ImgError *err)
{
    pthread_t pool;
    int code = pthread_create(&pool, NULL, run_pool, server);
    if (code != 0)
        return img_fail(err, IMG_E_MEMORY, "the server cannot start a thread: %s", strerror(code));
    serve_listen(server, signals);
    pthread_join(pool, NULL);
    return IMG_OK;
}

static void print_ready(const Server *server, int detached)
{
    char where[SERVE_WHERE_SIZE];
    if (server->settings.engine.verbosity >= VERBOSITY_NORMAL) {
        printf("ready: ");
        text_clean(stdout, server->endpoint.path);
        printf(", process %d, %s\n", (int)getpid(), serve_where(server, where));
    }
    img_streams_flush_stdout();
    if (detached != NOT_DETACHED)
        detach_ready(detached);
}

/* Starts the threads, and serves clients until the server ends. The endpoint must be open. SIGINT,
 * SIGTERM and SIGHUP are blocked in all threads. Only the listening thread receives them, and only
 * while it waits, so it need not be woken. */
static ImgStatus start_and_serve(Server *server, int detached, ImgError *err)
{
    sigset_t polite, before;
    sigemptyset(&polite);
    sigaddset(&polite, SIGINT);
    sigaddset(&polite, SIGTERM);
    sigaddset(&polite, SIGHUP);
    (void)pthread_sigmask(SIG_BLOCK, &polite, &before);
    (void)!chdir("/"); /* The server must not keep a directory of the caller in use. */
    server->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    queue_init(&server->queue, server->wake);
    ImgStatus status = IMG_OK;
    if (server->wake < 0)
        status = img_fail(err, IMG_E_IO, "the server cannot open a file descriptor: %s",
                          strerror(errno));
    if (status == IMG_OK)
        status = serve_open_devices(server, err);
    if (status == IMG_OK) {
        server->team = img_resources_batch_team();
        print_ready(server, detached);
        status = serve_until_end(server, &before, err);
    }
    serve_close_devices(server);
    img_team_free(server->team);
    queue_destroy(&server->queue);
    return status;
}

static Server server_make(const Settings *settings, ServedCommand *command)
{
    /* EACH and OF_DRIVER are numbers of file descriptors to reserve. EACH is for one request that
     * waits or runs: its socket and its directory. OF_DRIVER is for the GPU driver. MORE_THREADS is
     * the maximum number of additional threads, which wait for a GPU. */
    enum { EACH = 2, OF_DRIVER = 64, MORE_THREADS = 4 };
    size_t threads = (size_t)img_resources_wanted_threads(&settings->engine) + MORE_THREADS;
    size_t held = SERVE_CLIENTS_MAX + EACH * (SERVE_QUEUE_MAX + threads) + OF_DRIVER;
    Server server = {
        .settings = *settings,
        .command = command,
        .memory = img_resources_batch_memory(&settings->engine),
        .jobs = img_resources_jobs_with_gpu(&settings->engine, held),
        .identity = identity_of_process(),
        .endpoint = ENDPOINT_NONE,
        .start = img_clock(),
    };
    img_resources_keep_memory(&settings->engine, server.memory, server.jobs);
    return server;
}

/* Runs the server in this process, and returns its exit code. `detached` is the argument for
 * detach_ready, or NOT_DETACHED. */
static int serve_here(const Settings *settings, ServedCommand *command, uint64_t idle_seconds,
                      const char *path, int detached)
{
    ImgError err = {IMG_OK, ""};
    Server server = server_make(settings, command);
    server.idle_seconds = idle_seconds;
    interrupt_install();
    interrupt_defer_first();
    ImgStatus status = socket_path_check(path, true, &err);
    if (status == IMG_OK)
        status = endpoint_open(&server.endpoint, path, &err);
    if (status == IMG_OK)
        status = start_and_serve(&server, detached, &err);
    endpoint_close(&server.endpoint);
    return status == IMG_OK ? CLI_OK : report_failure(&err);
}

int serve_run(const Settings *settings, ServedCommand *command)
{
    ImgError err = {IMG_OK, ""};
    char *path = NULL;
    uint64_t idle_seconds;
    bool is_server = true;
    int ready = NOT_DETACHED, code = CLI_OK;
    ImgStatus status = parse_idle(settings->idle, &idle_seconds, &err);
    if (status == IMG_OK)
        status = socket_path_find(settings, &path, &err);
    if (status == IMG_OK && settings->detach)
        status = detach(&is_server, &ready, &code, &err);
    if (status != IMG_OK)
        code = report_failure(&err);
    else if (is_server)
        code = serve_here(settings, command, idle_seconds, path, ready);
    free(path);
    return code;
}
