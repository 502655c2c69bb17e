/* Messages between client and server. A connection has one request and one answer. The socket is a
 * SOCK_SEQPACKET, so a message arrives as a whole or not at all. Both ends are on the same machine
 * and, as peer_is_ours checks, belong to the same user.
 *
 * All later protocols must keep the members of a request before `mask`, so that any version of the
 * program can stop any server. */
#ifndef IMGTOOL_APP_SERVE_SOCKET_WIRE_H
#define IMGTOOL_APP_SERVE_SOCKET_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "kernels/core/status.h"

/* --- Identity of a process: identity.c -------------------------------------------------------- */
/* Client and server must be the same program and see the same files. Otherwise a command might have
 * another effect in the server than in the client. Each end sends its identity, and the other end
 * compares it with its own. */

/* Identity of a process, which is sent and compared as bytes. */
typedef struct Identity {
    char version[32];    /* text of --version, truncated if it is too long, and padded with zeros */
    uint64_t program[4]; /* device, inode, size and modification time of the program file */
    /* inode of the mount namespace, and device and inode of the root directory */
    uint64_t mounts[3];
    uint64_t group; /* group that new files of the process get */
} Identity;

/* Returns the identity of this process. Values that the system does not provide are 0. */
Identity identity_of_process(void);

bool identity_is_same_build(const Identity *one, const Identity *other);

/* Returns true if a path names the same file for both processes, and if their new files get the
 * same group. */
bool identity_sees_the_same(const Identity *one, const Identity *other);

/* --- Messages --------------------------------------------------------------------------------- */

enum {
    WIRE_PROTOCOL = 1,
    WIRE_ARGUMENTS_MAX = 1024,
    /* maximum number of bytes of all arguments together, including their zero bytes */
    WIRE_ARGUMENT_BYTES_MAX = 1 << 16,
    WIRE_REQUEST_MAX = WIRE_ARGUMENT_BYTES_MAX + 256,
    WIRE_TEXT_MAX = 1 << 16, /* maximum number of bytes of the text, including its zero byte */
};

typedef enum WireKind { WIRE_RUN = 1, WIRE_STATUS = 2, WIRE_STOP = 3 } WireKind;

typedef struct WireRequest {
    WireKind kind;
    uint32_t protocol; /* version of the protocol that the sender uses */
    Identity identity; /* identity of the sending process */
    /* umask of the client. This and the members below are set only for WIRE_RUN, and only if the
     * sender uses the same protocol */
    mode_t mask;
    /* modification time for the outputs of the command, a result of img_adapt_time */
    int64_t time;
    int argc;
    char **argv;   /* `argc` strings, then NULL; owned in the server, borrowed in the client */
    int directory; /* descriptor of the client's working directory, owned; -1: there is none */
} WireRequest;

typedef enum WireVerdict {
    /* The server has handled the request. For a command, `code` and `text` are valid. */
    WIRE_DONE = 1,
    WIRE_OTHER_BUILD, /* The command did not run: client and server are different builds. */
    /* The command did not run: the server sees other files than the client, or has another
     * group. */
    WIRE_OTHER_FILES,
    WIRE_ENDING, /* The command did not run: the server is shutting down. */
    /* The command did not run: the server has too little memory or too few descriptors. */
    WIRE_SHORT,
    WIRE_MALFORMED,
} WireVerdict;

typedef struct WireAnswer {
    WireVerdict verdict;
    Identity identity;        /* identity of the server */
    pid_t process;            /* process id of the server */
    int code;                 /* exit code of the command */
    char text[WIRE_TEXT_MAX]; /* messages for stderr, or the status of the server */
} WireAnswer;

/* Returns true if the process at the other end of the socket has the same user as this process. */
bool peer_is_ours(int socket);

/* Sends a request to the server. The caller keeps ownership of `request`. Fails with IMG_E_USAGE
 * if the command line exceeds the limits above. Fails with IMG_E_IO, without sending anything, if
 * the server has ended. */
ImgStatus wire_send_request(int socket, const WireRequest *request, ImgError *err);

/* Parses the bytes of a request. Returns false if wire_send_request cannot have sent them; nothing
 * needs to be freed then. Does not change `request->directory`. */
bool wire_parse_request(const void *data, size_t size, WireRequest *request);

typedef enum WireTaken { WIRE_TAKEN, WIRE_NOT_YET, WIRE_GONE, WIRE_NO_ROOM, WIRE_BAD } WireTaken;

/* Receives a request from a client, without blocking. WIRE_TAKEN: *request is the request; free it
 * by wire_request_free. WIRE_NOT_YET: none has arrived. WIRE_GONE: the client has disconnected.
 * WIRE_NO_ROOM: there was no memory, or no descriptor for the directory. WIRE_BAD: the message is
 * not a request. */
WireTaken wire_receive_request(int socket, WireRequest *request);

void wire_request_free(WireRequest *request);

/* Sends the answer to the client. It does not block, because the buffer of the socket has room for
 * the only answer. */
void wire_send_answer(int socket, const WireAnswer *answer);

/* Waits in the client for the answer. Returns false if the server has ended, or if the message is
 * not an answer. */
bool wire_receive_answer(int socket, WireAnswer *answer);

#endif
