/* Runs one command of a client, on a thread of the pool. Parses the command line, runs the command,
 * and sends the same exit code and messages that the command gives without a server. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/exit_code.h"
#include "app/serve/serve.h"
#include "app/serve/serve_priv.h"
#include "app/term/messages.h"

/* A command that is running in the server, and the thread that runs it. */
typedef struct ServedJob {
    Server *server;
    Pool *pool;
    int worker;
    ServeRequest *request;
} ServedJob;

/* Returns true if the client closed its end of the connection, because it was interrupted or
 * killed. */
static bool client_is_gone(const ServeRequest *request)
{
    struct pollfd look = {request->socket, POLLRDHUP, 0};
    return poll(&look, 1, 0) > 0;
}

static ImgStatus refuse_if_client_is_gone(void *context, const char *temporary, ImgError *err)
{
    (void)temporary;
    if (client_is_gone(context))
        return img_fail(err, IMG_E_IO, "not replaced: the client disconnected");
    return IMG_OK;
}

/* Prints a note after a command failed because of a limit. `asked` has the limits of the command,
 * `bounded` the limits that the server applied. The error message recommends a higher limit for the
 * command. That has no effect if the server's limit is lower, so the note tells the user to restart
 * the server with a higher limit. */
static void explain_limit(const Settings *asked, const Settings *bounded)
{
    if (asked->engine.max_memory > bounded->engine.max_memory ||
        asked->engine.max_pixels > bounded->engine.max_pixels)
        img_engine_note(&bounded->engine,
                        "limits are those of the server: start it with higher ones, or leave "
                        "out --via serve");
}

static int run_command(const ServedJob *job, Args *args, ImgError *err)
{
    Server *server = job->server;
    const Settings asked = args->settings;
    if (rules_check_command(args, err) != IMG_OK || rules_check_files(args, err) != IMG_OK ||
        serve_bound(server, &args->settings, err) != IMG_OK)
        return report_failure(err);
    ServedPlace served = {.place = {.pool = job->pool,
                                    .worker = job->worker,
                                    .devices = server->devices[asked.engine.backend],
                                    .team = server->team,
                                    .pictures = 1,
                                    .writes = true},
                          .finished = refuse_if_client_is_gone,
                          .context = job->request,
                          .modified = &job->request->wire.time,
                          .status = IMG_OK};
    int code = server->command(args, &served);
    if (served.status == IMG_E_LIMIT)
        explain_limit(&asked, &args->settings);
    return code;
}

/* Parses the command line and runs the command. The thread must be in the client's working
 * directory. */
static int parse_and_run(const ServedJob *job)
{
    const WireRequest *wire = &job->request->wire;
    ImgError err = {IMG_OK, ""};
    Args args;
    const ImgStatus status = args_parse(wire->argc, wire->argv, &args, &err);
    args.settings.engine.program = job->server->settings.engine.program;
    int code = status == IMG_OK ? run_command(job, &args, &err) : report_failure(&err);
    args_free(&args);
    return code;
}

static int run_in_directory(const ServedJob *job)
{
    const WireRequest *wire = &job->request->wire;
    ImgError err = {IMG_OK, ""};
    if (working_directory_enter(wire->directory, wire->mask, &err) != IMG_OK)
        return report_failure(&err);
    int code = parse_and_run(job);
    working_directory_leave();
    return code;
}

/* Runs the command, and copies its exit code and messages to the answer. Messages that are too long
 * are truncated. */
static void run_and_collect(const ServedJob *job, WireAnswer *answer)
{
    FILE *text = fmemopen(answer->text, sizeof answer->text, "w");
    if (text == NULL) {
        snprintf(answer->text, sizeof answer->text, "imgtool: no memory for messages\n");
        answer->code = CLI_BAD_FILE;
        return;
    }
    messages_divert(text);
    answer->code = run_in_directory(job);
    messages_divert(NULL);
    (void)fclose(text);
    answer->text[sizeof answer->text - 1] = '\0';
}

/* Runs the command and returns the answer for the client. Returns NULL if memory is short. The
 * client then finds that the connection closes without an answer. */
static WireAnswer *make_answer(const ServedJob *job)
{
    WireAnswer *answer = malloc(sizeof *answer);
    if (answer == NULL)
        return NULL;
    *answer = (WireAnswer){.verdict = WIRE_DONE, .identity = job->server->identity};
    run_and_collect(job, answer);
    return answer;
}

void serve_next(void *context, Pool *pool, int worker, size_t index)
{
    (void)index;
    Server *server = context;
    ServedJob job = {server, pool, worker, queue_take(&server->queue)};
    if (job.request == NULL) {
        img_pool_stop(pool);
        return;
    }
    WireAnswer *answer = client_is_gone(job.request) ? NULL : make_answer(&job);
    queue_end(&server->queue, answer != NULL && answer->code == CLI_OK);
    if (answer != NULL)
        wire_send_answer(job.request->socket, answer);
    free(answer);
    serve_request_free(job.request);
}
