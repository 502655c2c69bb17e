/* Messages between client and server: one request and one answer per connection. The socket is a
 * SOCK_SEQPACKET, so a message is received as a whole or not at all. Both ends run on one machine
 * and, as peer_is_ours checks, belong to the same user.
 *
 * The members of a request before `mask` must stay the same in every later protocol. Any version of
 * the program can then stop any server. */
#ifndef IMGTOOL_APP_SERVE_SOCKET_WIRE_H
#define IMGTOOL_APP_SERVE_SOCKET_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "kernels/core/status.h"

/* --- Identity of a process: identity.c -------------------------------------------------------- */
/* A server has the same effect as the client's own command only if both are the same program and
 * see the same files. Each end sends its identity, so that the other end can compare. */

/* Identity of a process. It is sent and compared as bytes. */
typedef struct Identity {
    char version[32];    /* text of --version, truncated if longer; padded with zeros */
    uint64_t program[4]; /* device, inode, size and modification time of the program file */
    uint64_t mounts[3];  /* mount namespace; device and inode of the root directory */
    uint64_t group;      /* group that new files get */
} Identity;

/* Returns the identity of this process. A value that the system does not provide is 0. */
Identity identity_of_process(void);

bool identity_is_same_build(const Identity *one, const Identity *other);

/* Returns true if a path names the same file for both processes, and their new files get the same
 * group. */
bool identity_sees_the_same(const Identity *one, const Identity *other);

/* --- Messages --------------------------------------------------------------------------------- */

enum {
    WIRE_PROTOCOL = 1,
    WIRE_ARGUMENTS_MAX = 1024,
    WIRE_ARGUMENT_BYTES_MAX = 1 << 16, /* maximum size of all arguments with their zero bytes */
    WIRE_REQUEST_MAX = WIRE_ARGUMENT_BYTES_MAX + 256,
    WIRE_TEXT_MAX = 1 << 16, /* maximum size of the text with its zero byte */
};

typedef enum WireKind { WIRE_RUN = 1, WIRE_STATUS = 2, WIRE_STOP = 3 } WireKind;

typedef struct WireRequest {
    WireKind kind;
    uint32_t protocol; /* version of the sender's protocol */
    Identity identity; /* identity of the sender */
    /* The members below are set only for WIRE_RUN, by a sender of the same protocol. */
    mode_t mask;  /* umask */
    int64_t time; /* modification time for the client's outputs, a result of img_modified_time */
    int argc;
    char **argv;   /* `argc` strings, then NULL; owned */
    int directory; /* descriptor of the client's working directory; owned; -1: none */
} WireRequest;

typedef enum WireVerdict {
    WIRE_DONE = 1,    /* the command ran: `code` and `text` are valid */
    WIRE_OTHER_BUILD, /* not run: client and server are different builds */
    /* not run: the server sees other files than the client, or has another group */
    WIRE_OTHER_FILES,
    WIRE_ENDING, /* not run: the server is shutting down */
    WIRE_SHORT,  /* not run: the server has no memory or descriptor left */
    WIRE_MALFORMED,
} WireVerdict;

typedef struct WireAnswer {
    WireVerdict verdict;
    Identity identity;        /* identity of the server */
    pid_t process;            /* id of the server's process */
    int code;                 /* exit code of the command */
    char text[WIRE_TEXT_MAX]; /* messages for stderr, or the status report */
} WireAnswer;

/* Returns true if the process at the other end of the socket belongs to our user. */
bool peer_is_ours(int socket);

/* Sends a request from a client. The client stays the owner of `request`. IMG_E_USAGE if the
 * command line exceeds the limits above. IMG_E_IO if the server has ended; then nothing was
 * sent. */
ImgStatus wire_send_request(int socket, const WireRequest *request, ImgError *err);

/* Parses the bytes of a request. Returns false for bytes that wire_send_request cannot have sent;
 * then nothing needs to be freed. Does not change `request->directory`. */
bool wire_parse_request(const void *data, size_t size, WireRequest *request);

typedef enum WireTaken { WIRE_TAKEN, WIRE_NOT_YET, WIRE_GONE, WIRE_NO_ROOM, WIRE_BAD } WireTaken;

/* Receives a request in the server, without blocking. Closes descriptors that belong to no request.
 * WIRE_TAKEN: a request was received; free it with wire_request_free. WIRE_GONE: the client
 * disconnected. WIRE_NO_ROOM: there was no memory, or no descriptor for the directory. */
WireTaken wire_receive_request(int socket, WireRequest *request);

void wire_request_free(WireRequest *request);

/* Sends the answer of the server. It does not block, because the socket buffer has room for the
 * single answer. */
void wire_send_answer(int socket, const WireAnswer *answer);

/* Waits in the client for the answer. Returns false if the server ended, or if the message is not
 * an answer. */
bool wire_receive_answer(int socket, WireAnswer *answer);

#endif
