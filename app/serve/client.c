#include "app/serve/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/cli/exit_code.h"
#include "app/engine/share/adapt.h"
#include "app/serve/socket/endpoint.h"
#include "app/serve/socket/wire.h"
#include "app/term/messages.h"

/* --- Connection ------------------------------------------------------------------------------- */

static bool is_no_server(int code)
{
    return code == ENOENT || code == ENOTDIR || code == ECONNREFUSED || code == ECONNRESET;
}

/* The process at the other end of the connection. NOBODY: there is none. OURS: it has the same user
 * as this process. FOREIGN: it has another user. */
typedef enum Peer { NOBODY, OURS, FOREIGN } Peer;

/* Connects to the server whose socket is at `path`, and sets *connected and *peer. Fails with
 * IMG_E_UNAVAILABLE if there is no server, or if it belongs to another user. */
static ImgStatus connect_to(const Settings *settings, const char *path, int *connected, Peer *peer,
                            ImgError *err)
{
    struct sockaddr_un address;
    ImgStatus status = socket_path_address(path, &address, err);
    if (status == IMG_OK)
        status = socket_path_check(path, false, err);
    if (status != IMG_OK)
        return status;
    *connected = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (*connected >= 0 && connect(*connected, (struct sockaddr *)&address, sizeof address) == 0) {
        *peer = peer_is_ours(*connected) ? OURS : FOREIGN;
        if (*peer == OURS)
            return IMG_OK;
        return img_fail(err, IMG_E_UNAVAILABLE, "%s: the server belongs to another user", path);
    }
    if (*connected >= 0 && is_no_server(errno))
        return img_fail(err, IMG_E_UNAVAILABLE,
                        "no server at %s; start one with: imgtool serve --detach%s", path,
                        settings->socket != NULL ? ", and the same --socket" : "");
    return img_fail(err, IMG_E_IO, "%s: the connection failed: %s", path, strerror(errno));
}

typedef struct Client {
    char *path;
    int socket; /* connected socket; -1: there is no connection */
    Peer peer;
    WireRequest request;
    WireAnswer *answer;
} Client;

/* Connects to the server, and prepares a request of this kind without a command. Call client_close
 * even after a failure. */
static ImgStatus client_open(Client *client, const Settings *settings, WireKind kind, ImgError *err)
{
    *client = (Client){.socket = -1,
                       .request = {.kind = kind,
                                   .protocol = WIRE_PROTOCOL,
                                   .identity = identity_of_process(),
                                   .directory = -1}};
    ImgStatus status = socket_path_find(settings, &client->path, err);
    if (status == IMG_OK && (client->answer = calloc(1, sizeof *client->answer)) == NULL)
        status = img_fail(err, IMG_E_MEMORY, "no memory");
    if (status == IMG_OK)
        status = connect_to(settings, client->path, &client->socket, &client->peer, err);
    return status;
}

static void client_close(Client *client)
{
    if (client->socket >= 0)
        close(client->socket);
    if (client->request.directory >= 0)
        close(client->request.directory);
    free(client->answer);
    free(client->path);
}

/* --- Commands --------------------------------------------------------------------------------- */

static ImgStatus describe_command(const Args *args, WireRequest *request, ImgError *err)
{
    request->argc = args->argc;
    request->argv = args->argv; /* The request borrows the arguments. */
    request->mask = umask(0);
    (void)umask(request->mask);
    const ImgStatus status = img_adapt_time(&request->time, err);
    if (status != IMG_OK)
        return status;
    request->directory = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (request->directory < 0)
        return img_fail(err, IMG_E_IO, "the working directory cannot be opened: %s",
                        strerror(errno));
    return IMG_OK;
}

static ImgStatus fail_refused(const Client *client, ImgError *err)
{
    const WireAnswer *answer = client->answer;
    switch (answer->verdict) {
    case WIRE_OTHER_BUILD:
        return img_fail(
            err, IMG_E_UNAVAILABLE,
            "the server at %s is another build of imgtool (%s, process %d); end it with "
            "'imgtool serve --stop' and start it again",
            client->path, answer->identity.version, (int)answer->process);
    case WIRE_OTHER_FILES:
        return img_fail(err, IMG_E_UNAVAILABLE,
                        "the server at %s has other files, as in another container, or another "
                        "group; start one here with its own --socket",
                        client->path);
    case WIRE_ENDING:
        return img_fail(err, IMG_E_UNAVAILABLE,
                        "the server at %s is shutting down, and nothing was done; start one with: "
                        "imgtool serve --detach",
                        client->path);
    case WIRE_SHORT:
        return img_fail(err, IMG_E_TEMPORARY,
                        "the server at %s has no memory or no file descriptor left for another "
                        "command, and nothing was done; try again later",
                        client->path);
    default:
        return img_fail(err, IMG_E_UNAVAILABLE,
                        "the server at %s does not understand this command; end it with 'imgtool "
                        "serve --stop' and start it again",
                        client->path);
    }
}

/* Fails because the server ended while it ran the command. The output may already exist, so the
 * message asks the user to look at it before repeating the command. If the output replaced its
 * input, a second run would apply the operation twice. */
static ImgStatus fail_lost(const Args *args, const Client *client, ImgError *err)
{
    return img_fail(err, IMG_E_IO,
                    "%s: the server at %s ended before it answered; the file is as it was or "
                    "complete, so look at it before you do this again",
                    args->operands[args->operand_count - 1], client->path);
}

static ImgStatus exchange(const Args *args, Client *client, ImgError *err)
{
    ImgStatus status = wire_send_request(client->socket, &client->request, err);
    if (status == IMG_E_IO) {
        img_error_clear(err); /* the server ended before it received the request, which is reported
                                 as WIRE_ENDING */
        client->answer->verdict = WIRE_ENDING;
        return fail_refused(client, err);
    }
    if (status != IMG_OK)
        return status;
    if (!wire_receive_answer(client->socket, client->answer))
        return fail_lost(args, client, err);
    return client->answer->verdict == WIRE_DONE ? IMG_OK : fail_refused(client, err);
}

int client_run(const Args *args)
{
    ImgError err = {IMG_OK, ""};
    Client client;
    int code;
    ImgStatus status = rules_check_command(args, &err);
    if (status != IMG_OK)
        return report_failure(&err);
    status = client_open(&client, &args->settings, WIRE_RUN, &err);
    if (status == IMG_OK)
        status = describe_command(args, &client.request, &err);
    if (status == IMG_OK)
        status = exchange(args, &client, &err);
    if (status == IMG_OK) {
        fputs(client.answer->text, stderr);
        code = client.answer->code;
    } else {
        code = report_failure(&err);
    }
    client_close(&client);
    return code;
}

/* --- Control of the server -------------------------------------------------------------------- */

/* Sends a request without a command, such as a stop request, and waits for the answer. */
static ImgStatus send_control(Client *client, const Settings *settings, WireKind kind,
                              ImgError *err)
{
    ImgStatus status = client_open(client, settings, kind, err);
    if (status == IMG_OK)
        status = wire_send_request(client->socket, &client->request, err);
    if (status == IMG_OK && !wire_receive_answer(client->socket, client->answer))
        return img_fail(err, IMG_E_IO, "the server at %s does not answer", client->path);
    return status == IMG_OK && client->answer->verdict != WIRE_DONE ? fail_refused(client, err)
                                                                    : status;
}

int client_stop(const Settings *settings)
{
    ImgError err = {IMG_OK, ""};
    Client client;
    ImgStatus status = send_control(&client, settings, WIRE_STOP, &err);
    bool nobody = status == IMG_E_UNAVAILABLE && client.peer == NOBODY;
    /* true if the server ended before it answered */
    bool gone = status == IMG_E_IO && client.peer == OURS;
    bool ends = status == IMG_OK || nobody || gone;
    if (ends)
        endpoint_wait_for_end(client.path);
    client_close(&client);
    return ends ? CLI_OK : report_failure(&err);
}

int client_status(const Settings *settings)
{
    ImgError err = {IMG_OK, ""};
    Client client;
    ImgStatus status = send_control(&client, settings, WIRE_STATUS, &err);
    if (status == IMG_OK)
        fputs(client.answer->text, stdout);
    client_close(&client);
    return status == IMG_OK ? CLI_OK : report_failure(&err);
}
