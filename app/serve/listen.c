/* The thread that listens for clients. It alone accepts clients, checks timeouts and handles
 * signals, so it must never block because of one client. It keeps only a limited number of clients
 * that have not sent a request, and disconnects the oldest ones first. Silent clients therefore
 * cannot exclude others. */
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

/* A client must send its request within this many seconds after it connects. */
static const double CLIENT_SECONDS = 10;

/* Value that is added to the eventfd `wake` when all threads have ended. A job adds 1 when it ends,
 * so the sum of all jobs stays far below this value. */
static const uint64_t ENDED = UINT64_C(1) << 32;

typedef struct Client {
    int socket;
    double until; /* time on img_clock by which the request must arrive */
} Client;

typedef struct Listener {
    Server *server;
    Client clients[SERVE_CLIENTS_MAX];
    size_t count;
    bool asked_to_stop;
    bool ending; /* true after the shutdown has begun; new commands are then rejected */
} Listener;

enum { AT_WAKE, AT_LISTENER, AT_CLIENTS };
enum { PAUSE_MICROSECONDS = 20000 };

/* Sends an answer that consists of the verdict, without text. */
static void send_verdict(const Server *server, int socket, WireVerdict verdict)
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

static WireVerdict check_request(const Listener *listener, const WireRequest *request)
{
    const Identity *ours = &listener->server->identity;
    if (request->protocol != WIRE_PROTOCOL || !identity_is_same_build(ours, &request->identity))
        return WIRE_OTHER_BUILD;
    if (!identity_sees_the_same(ours, &request->identity))
        return WIRE_OTHER_FILES;
    return listener->ending ? WIRE_ENDING : WIRE_DONE;
}

/* Queues the command of a client, or rejects it. Takes ownership of the socket and of the request's
 * contents. */
static void take_command(Listener *listener, int socket, const WireRequest *wire)
{
    ServeRequest *request = malloc(sizeof *request);
    WireVerdict verdict = check_request(listener, wire);
    if (request != NULL && verdict == WIRE_DONE) {
        *request = (ServeRequest){.wire = *wire, .socket = socket};
        queue_put(&listener->server->queue, request);
        return;
    }
    free(request);
    if (verdict != WIRE_DONE)
        send_verdict(listener->server, socket, verdict);
    WireRequest unused = *wire;
    wire_request_free(&unused);
    close(socket);
}

/* Handles the request of a client. Takes ownership of the socket and of the request's contents, so
 * the listener can forget the client afterwards. */
static void handle_request(Listener *listener, int socket, WireRequest *request)
{
    if (request->kind == WIRE_RUN) {
        take_command(listener, socket, request);
        return;
    }
    wire_request_free(request);
    listener->asked_to_stop |= request->kind == WIRE_STOP;
    if (request->kind == WIRE_STATUS)
        send_status(listener->server, socket);
    else
        send_verdict(listener->server, socket, WIRE_DONE);
    close(socket);
}

/* Receives a request from a client if it has arrived. Returns true if the client has not sent its
 * request yet. Otherwise the socket belongs to the queue or is closed. */
static bool serve_client(Listener *listener, Client *client)
{
    WireRequest request = {.directory = -1};
    switch (wire_receive_request(client->socket, &request)) {
    case WIRE_TAKEN:
        handle_request(listener, client->socket, &request);
        return false;
    case WIRE_NOT_YET:
        return true;
    case WIRE_NO_ROOM:
        send_verdict(listener->server, client->socket, WIRE_SHORT);
        break;
    case WIRE_BAD:
        send_verdict(listener->server, client->socket, WIRE_MALFORMED);
        break;
    case WIRE_GONE:
        break;
    }
    close(client->socket);
    return false;
}

/* Receives requests from all clients that have sent something, and disconnects those whose time is
 * over. `ready` has the results of poll in the order of the clients. */
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

/* Adds a client to the table of clients, which is in order of arrival. If the table is full, the
 * oldest client is disconnected, unless its request has just arrived and can be handled. */
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

/* Accepts the clients that wait for a connection. During the shutdown it accepts all of them, to
 * answer that the server ends. */
static void accept_clients(Listener *listener)
{
    while (listener->ending || may_accept(listener)) {
        int socket =
            accept4(listener->server->endpoint.listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (socket < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
                /* The client waits until descriptors or memory are free. Without this pause, poll
                 * would report it again at once, and this loop would keep a CPU busy. */
                (void)usleep(PAUSE_MICROSECONDS);
            return;
        }
        Client client = {.socket = socket, .until = img_clock() + CLIENT_SECONDS};
        if (!peer_is_ours(socket))
            close(socket);
        /* Most clients have already sent their request when they are accepted, so the server tries
         * to receive it at once. */
        else if (serve_client(listener, &client))
            keep_client(listener, &client);
    }
}

/* Begins the shutdown. Running jobs finish, but no other command starts. Clients that wait in the
 * queue or for a connection get the answer WIRE_ENDING. */
static void begin_shutdown(Listener *listener)
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
        send_verdict(server, request->socket, WIRE_ENDING);
        serve_request_free(request);
        request = next;
    }
}

/* Returns the time on img_clock at which the server ends because it is idle. Returns infinity while
 * it has work or shuts down, and if it has no idle timeout. */
static double idle_deadline(Listener *listener)
{
    QueueCounts counts = queue_counts(&listener->server->queue);
    bool busy = counts.waiting > 0 || counts.under_way > 0;
    double seconds = (double)listener->server->idle_seconds;
    return seconds == 0 || busy || listener->ending ? INFINITY : counts.idle_since + seconds;
}

/* Returns the time on img_clock of the next timeout: the idle timeout of the server, or the timeout
 * of a client that has sent no request. */
static double next_deadline(Listener *listener)
{
    double moment = idle_deadline(listener);
    for (size_t i = 0; i < listener->count; i++)
        if (listener->clients[i].until < moment)
            moment = listener->clients[i].until;
    return moment;
}

/* Waits for events, at most until the next timeout. Signals are delivered only during this wait.
 * The results are in `ready`, or are all zero if a signal ended the wait. */
static void wait_for_events(Listener *listener, struct pollfd *ready, size_t count,
                            const sigset_t *signals)
{
    double left = next_deadline(listener) - img_clock();
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

static bool all_threads_ended(const Server *server, const struct pollfd *wake)
{
    uint64_t news = 0;
    if (wake->revents != 0)
        (void)!read(server->wake, &news, sizeof news);
    return news >= ENDED;
}

/* Waits for events and handles them. Returns false if all threads of the pool have ended, so that
 * the listener must end too. */
static bool handle_events(Listener *listener, const sigset_t *signals)
{
    Server *server = listener->server;
    struct pollfd ready[AT_CLIENTS + SERVE_CLIENTS_MAX];
    ready[AT_WAKE] = (struct pollfd){server->wake, POLLIN, 0};
    ready[AT_LISTENER] =
        (struct pollfd){may_accept(listener) ? server->endpoint.listener : -1, POLLIN, 0};
    for (size_t i = 0; i < listener->count; i++)
        ready[AT_CLIENTS + i] = (struct pollfd){listener->clients[i].socket, POLLIN, 0};
    wait_for_events(listener, ready, AT_CLIENTS + listener->count, signals);
    if (all_threads_ended(server, &ready[AT_WAKE]))
        return false;
    serve_clients(listener, ready + AT_CLIENTS);
    if (ready[AT_LISTENER].revents != 0)
        accept_clients(listener);
    if (listener->asked_to_stop || interrupt_requested() || img_clock() >= idle_deadline(listener))
        begin_shutdown(listener);
    return true;
}

void serve_listen(Server *server, const sigset_t *signals)
{
    Listener listener = {.server = server};
    while (handle_events(&listener, signals)) {
    }
    for (size_t i = 0; i < listener.count; i++)
        close(listener.clients[i].socket);
}

void serve_note_end(Server *server)
{
    const uint64_t ended = ENDED;
    (void)!write(server->wake, &ended, sizeof ended);
}
