/* Messages between client and server: one request and one answer per connection. The socket is a
 * SOCK_SEQPACKET, so no message is received in part. Both ends run on one machine and, after
 * peer_is_ours, belong to one user.
 *
 * The part of a request before `mask` must stay the same in every later protocol, so that any
 * program can stop any server. */
#ifndef IMGTOOL_APP_SERVE_SOCKET_WIRE_H
#define IMGTOOL_APP_SERVE_SOCKET_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "app/serve/socket/identity.h"
#include "kernels/core/status.h"

enum {
    WIRE_PROTOCOL = 1,
    WIRE_ARGUMENTS_MAX = 1024,
    WIRE_ARGUMENT_BYTES_MAX = 1 << 16, /* all arguments with their zero bytes */
    WIRE_REQUEST_MAX = WIRE_ARGUMENT_BYTES_MAX + 256,
    WIRE_TEXT_MAX = 1 << 16, /* with its zero byte */
};

typedef enum WireKind { WIRE_RUN = 1, WIRE_STATUS = 2, WIRE_STOP = 3 } WireKind;

typedef struct WireRequest {
    WireKind kind;
    uint32_t protocol; /* protocol of the sender */
    Identity identity; /* identity of the sender */
    /* Only in WIRE_RUN of the same protocol. */
    mode_t mask;  /* umask */
    int64_t time; /* modification time of the client's outputs (img_modified_time) */
    int argc;
    char **argv;   /* argc strings and NULL; owned */
    int directory; /* working directory, owned; -1: none */
} WireRequest;

typedef enum WireVerdict {
    WIRE_DONE = 1,    /* the command ran; see code and text */
    WIRE_OTHER_BUILD, /* client and server are different builds */
    WIRE_OTHER_FILES, /* the server sees other files than the client, or has another group */
    WIRE_ENDING,      /* the server is shutting down */
    WIRE_SHORT,       /* the server has no memory or descriptor left for the request */
    WIRE_MALFORMED,
} WireVerdict;

typedef struct WireAnswer {
    WireVerdict verdict;
    Identity identity;        /* identity of the server */
    pid_t process;            /* process of the server */
    int code;                 /* exit code */
    char text[WIRE_TEXT_MAX]; /* messages for stderr, or the status */
} WireAnswer;

/* True if the process at the other end belongs to our user. */
bool peer_is_ours(int socket);

/* Sends a request from a client, which stays its owner. IMG_E_USAGE for a command line over the
 * limits above; IMG_E_IO, with nothing sent, if the server is gone. */
ImgStatus wire_send_request(int socket, const WireRequest *request, ImgError *err);

/* Parses the bytes of a request. False for anything that wire_send_request does not send; then
 * nothing needs to be freed. Does not change `request->directory`. */
bool wire_parse_request(const void *data, size_t size, WireRequest *request);

typedef enum WireTaken { WIRE_TAKEN, WIRE_NOT_YET, WIRE_GONE, WIRE_NO_ROOM, WIRE_BAD } WireTaken;

/* Receives in the server, without blocking. Closes descriptors that belong to no request.
 * WIRE_TAKEN: received; free it with wire_request_free. WIRE_GONE: the client disconnected.
 * WIRE_NO_ROOM: no memory, or no descriptor for the directory. */
WireTaken wire_receive_request(int socket, WireRequest *request);

void wire_request_free(WireRequest *request);

/* Sends the answer from the server. Does not block: the socket buffer has room for the only
 * answer. */
void wire_send_answer(int socket, const WireAnswer *answer);

/* Waits in the client for the answer. False: the server ended, or the message is not an answer. */
bool wire_receive_answer(int socket, WireAnswer *answer);

#endif
