/* What goes over the socket of a server: one message each way, of a socket that keeps messages
 * apart (SOCK_SEQPACKET), so that no message is ever received in part. Both ends are of one machine
 * and, by peer_is_ours, of one user.
 *
 * What stands before `arguments` in a request stays what it is in every later protocol, so that any
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
    WIRE_ARGUMENT_BYTES_MAX = 1 << 16, /* of all of them, with their ends */
    WIRE_REQUEST_MAX = WIRE_ARGUMENT_BYTES_MAX + 256,
    WIRE_TEXT_MAX = 1 << 16, /* with its end */
};

typedef enum WireKind { WIRE_RUN = 1, WIRE_STATUS = 2, WIRE_STOP = 3 } WireKind;

typedef struct WireRequest {
    WireKind kind;
    uint32_t protocol; /* of the sender */
    Identity identity; /* likewise */
    /* Of WIRE_RUN, and of this protocol only. */
    mode_t mask;  /* umask */
    int64_t time; /* that the client's outputs get: img_modified_time */
    int argc;
    char **argv;   /* argc strings, then NULL; owned */
    int directory; /* working directory, owned; -1: none */
} WireRequest;

typedef enum WireVerdict {
    WIRE_DONE = 1,    /* as code and text say */
    WIRE_OTHER_BUILD, /* the server is not of the client's build */
    WIRE_OTHER_FILES, /* the server does not see the client's files, or is of another group */
    WIRE_ENDING,      /* the server takes no more */
    WIRE_SHORT,       /* the server has no memory or descriptor left for the request */
    WIRE_MALFORMED,
} WireVerdict;

typedef struct WireAnswer {
    WireVerdict verdict;
    Identity identity;        /* of the server */
    pid_t process;            /* likewise */
    int code;                 /* exit code */
    char text[WIRE_TEXT_MAX]; /* for stderr, or the status */
} WireAnswer;

/* Is the other end of the socket a process of our user? */
bool peer_is_ours(int socket);

/* By a client, which keeps what it sends. IMG_E_USAGE for a command line over the limits above;
 * IMG_E_IO, with nothing sent, where the server is gone. */
ImgStatus wire_send_request(int socket, const WireRequest *request, ImgError *err);

/* The bytes of a request. False for anything that wire_send_request does not send; then nothing is
 * owned. `request->directory` is not touched. */
bool wire_parse_request(const void *data, size_t size, WireRequest *request);

typedef enum WireTaken { WIRE_TAKEN, WIRE_NOT_YET, WIRE_GONE, WIRE_NO_ROOM, WIRE_BAD } WireTaken;

/* By a server, without waiting. Descriptors that belong to no request are closed. WIRE_TAKEN: free
 * with wire_request_free. WIRE_GONE: the client has left. WIRE_NO_ROOM: no memory, or no descriptor
 * for the directory. */
WireTaken wire_receive_request(int socket, WireRequest *request);

void wire_request_free(WireRequest *request);

/* By a server; never waits, as there is one answer and room for it. */
void wire_send_answer(int socket, const WireAnswer *answer);

/* By a client; waits. False: the server ended, or what came is no answer. */
bool wire_receive_answer(int socket, WireAnswer *answer);

#endif
