/* The thread that receives: it alone accepts clients, looks at the clock and gets signals. It never
 * waits for a client. Of clients that have sent no request it holds the latest ones only, so that
 * silent connections do not keep others out. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/serve/serve_priv.h"
#include "app/term/interrupt.h"
#include "kernels/core/parallel/clock.h"

/* A client sends its request at once. */
static const double CLIENT_SECONDS = 10;

/* What is written to `wake` then: far more than jobs can end before it is read. */
static const uint64_t ENDED = UINT64_C(1) << 32;

typedef struct Client {
    int socket;
    double until; /* its request must have come */
} Client;

typedef struct Listener {
    Server *server;
    Client clients[SERVE_CLIENTS_MAX];
    size_t count;
    bool asked_to_stop;
    bool ending; /* nothing is begun any more */
} Listener;

enum { AT_WAKE, AT_LISTENER, AT_CLIENTS };
enum { PAUSE_MICROSECONDS = 20000 };

/* Without a text. */
static void answer_plainly(const Server *server, int socket, WireVerdict verdict)
{
    WireAnswer *answer = calloc(1, sizeof *answer);
    if (answer == NULL)
        return;
    answer->verdict = verdict;
    answer->identity = server->identity;
    wire_send_answer(socket, answer);
    free(answer);
}

static void send_status(Server *server, int socket)
{
    WireAnswer *answer = calloc(1, sizeof *answer);
    if (answer == NULL)
        return;
    answer->verdict = WIRE_DONE;
    answer->identity = server->identity;
    serve_status(server, answer->text, sizeof answer->text);
    wire_send_answer(socket, answer);
    free(answer);
}

static WireVerdict judge(const Listener *listener, const WireRequest *request)
{
    const Identity *ours = &listener->server->identity;
    if (request->protocol != WIRE_PROTOCOL || !identity_is_same_build(ours, &request->identity))
        return WIRE_OTHER_BUILD;
    if (!identity_sees_the_same(ours, &request->identity))
        return WIRE_OTHER_FILES;
    return listener->ending ? WIRE_ENDING : WIRE_DONE;
}

/* Takes the socket over. */
static void take_command(Listener *listener, int socket, const WireRequest *wire)
{
    ServeRequest *request = malloc(sizeof *request);
    WireVerdict verdict = judge(listener, wire);
    if (request != NULL && verdict == WIRE_DONE) {
        *request = (ServeRequest){.wire = *wire, .socket = socket};
        queue_put(&listener->server->queue, request);
        return;
    }
    free(request);
    if (verdict != WIRE_DONE)
        answer_plainly(listener->server, socket, verdict);
    WireRequest unused = *wire;
    wire_request_free(&unused);
    close(socket);
}

/* A request has come. True: the client stays. */
static bool answer(Listener *listener, Client *client, WireRequest *request)
{
    if (request->kind == WIRE_RUN) {
        take_command(listener, client->socket, request);
        return false;
    }
    wire_request_free(request);
    listener->asked_to_stop |= request->kind == WIRE_STOP;
    if (request->kind == WIRE_STATUS)
        send_status(listener->server, client->socket);
    else
        answer_plainly(listener->server, client->socket, WIRE_DONE);
    close(client->socket);
    return false;
}

/* False: the client is done with, and its socket with somebody else or closed. */
static bool serve_client(Listener *listener, Client *client)
{
    WireRequest request = {.directory = -1};
    switch (wire_receive_request(client->socket, &request)) {
    case WIRE_TAKEN:
        return answer(listener, client, &request);
    case WIRE_NOT_YET:
        return true;
    case WIRE_NO_ROOM:
        answer_plainly(listener->server, client->socket, WIRE_SHORT);
        break;
    case WIRE_BAD:
        answer_plainly(listener->server, client->socket, WIRE_MALFORMED);
        break;
    case WIRE_GONE:
        break;
    }
    close(client->socket);
    return false;
}

/* `ready`: what poll says of each. */
static void serve_clients(Listener *listener, const struct pollfd *ready)
{
    size_t kept = 0;
    for (size_t i = 0; i < listener->count; i++) {
        Client client = listener->clients[i];
        bool stays = ready[i].revents == 0 || serve_client(listener, &client);
        if (stays && img_clock() > client.until) {
            close(client.socket);
            stays = false;
        }
        if (stays)
            listener->clients[kept++] = client;
    }
    listener->count = kept;
}

static bool may_accept(Listener *listener)
{
    return !listener->ending && queue_counts(&listener->server->queue).waiting < SERVE_QUEUE_MAX;
}

/* Clients are in the order in which they came. Where there is no place the first one has to go,
 * unless its request has come by now. */
static void keep_client(Listener *listener, const Client *client)
{
    Client *clients = listener->clients;
    if (listener->count == SERVE_CLIENTS_MAX) {
        if (serve_client(listener, &clients[0]))
            close(clients[0].socket);
        memmove(clients, clients + 1, --listener->count * sizeof *clients);
    }
    clients[listener->count++] = *client;
}

/* In the end all are let in, and get an answer at once. */
static void accept_clients(Listener *listener)
{
    while (listener->ending || may_accept(listener)) {
        int socket =
            accept4(listener->server->endpoint.listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (socket < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
                (void)usleep(PAUSE_MICROSECONDS); /* they would still be there at once */
            return;
        }
        Client client = {.socket = socket, .until = img_clock() + CLIENT_SECONDS};
        if (!peer_is_ours(socket))
            close(socket);
        else if (serve_client(listener, &client)) /* most have sent it already */
            keep_client(listener, &client);
    }
}

/* No more clients; jobs under way are finished. Those who are waiting to be let in get an answer.
 */
static void begin_end(Listener *listener)
{
    Server *server = listener->server;
    if (listener->ending)
        return;
    listener->ending = true;
    accept_clients(listener);
    endpoint_stop_listening(&server->endpoint);
    ServeRequest *request = queue_close(&server->queue);
    while (request != NULL) {
        ServeRequest *next = request->next;
        answer_plainly(server, request->socket, WIRE_ENDING);
        serve_request_free(request);
        request = next;
    }
}

/* When the server has had nothing to do for too long; infinitely far away while it has, or where it
 * never ends. */
static double idle_end(Listener *listener)
{
    QueueCounts counts = queue_counts(&listener->server->queue);
    bool busy = counts.waiting > 0 || counts.under_way > 0;
    double seconds = (double)listener->server->idle_seconds;
    return seconds == 0 || busy || listener->ending ? INFINITY : counts.idle_since + seconds;
}

/* The first moment at which something is to be done although nothing has come. */
static double next_moment(Listener *listener)
{
    double moment = idle_end(listener);
    for (size_t i = 0; i < listener->count; i++)
        if (listener->clients[i].until < moment)
            moment = listener->clients[i].until;
    return moment;
}

/* Signals come only in here. */
static void wait_for_news(Listener *listener, struct pollfd *ready, size_t count,
                          const sigset_t *signals)
{
    double left = next_moment(listener) - img_clock();
    struct timespec time = {0, 0};
    if (left > 0 && left < INFINITY) {
        time.tv_sec = (time_t)left;
        time.tv_nsec = (long)((left - (double)time.tv_sec) * 1e9);
    }
    if (ppoll(ready, count, left < INFINITY ? &time : NULL, signals) >= 0)
        return;
    for (size_t i = 0; i < count; i++)
        ready[i].revents = 0;
}

static bool all_ended(const Server *server, const struct pollfd *wake)
{
    uint64_t news = 0;
    if (wake->revents != 0)
        (void)!read(server->wake, &news, sizeof news);
    return news >= ENDED;
}

static bool look(Listener *listener, const sigset_t *signals)
{
    Server *server = listener->server;
    struct pollfd ready[AT_CLIENTS + SERVE_CLIENTS_MAX];
    ready[AT_WAKE] = (struct pollfd){server->wake, POLLIN, 0};
    ready[AT_LISTENER] =
        (struct pollfd){may_accept(listener) ? server->endpoint.listener : -1, POLLIN, 0};
    for (size_t i = 0; i < listener->count; i++)
        ready[AT_CLIENTS + i] = (struct pollfd){listener->clients[i].socket, POLLIN, 0};
    wait_for_news(listener, ready, AT_CLIENTS + listener->count, signals);
    if (all_ended(server, &ready[AT_WAKE]))
        return false;
    serve_clients(listener, ready + AT_CLIENTS);
    if (ready[AT_LISTENER].revents != 0)
        accept_clients(listener);
    if (listener->asked_to_stop || interrupt_asked() || img_clock() >= idle_end(listener))
        begin_end(listener);
    return true;
}

void serve_listen(Server *server, const sigset_t *signals)
{
    Listener listener = {.server = server};
    while (look(&listener, signals)) {
    }
    for (size_t i = 0; i < listener.count; i++)
        close(listener.clients[i].socket);
}

void serve_note_end(Server *server)
{
    const uint64_t ended = ENDED;
    (void)!write(server->wake, &ended, sizeof ended);
}
