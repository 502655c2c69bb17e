/* The socket on which a server listens. A lock file ensures that there is only one server per path.
 * When the server ends, it removes the socket and the lock file. */
#ifndef IMGTOOL_APP_SERVE_SOCKET_ENDPOINT_H
#define IMGTOOL_APP_SERVE_SOCKET_ENDPOINT_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "app/cli/options.h"
#include "kernels/core/status.h"

/* --- Path of the socket: socket_path.c -------------------------------------------------------- */
/* The directory of the socket must belong to the user, and must be closed to other users. */

/* Finds the path of the socket. It is --socket or, without that option, $IMGTOOL_SOCKET. Without
 * both, it is imgtool/serve.sock in the directory $XDG_RUNTIME_DIR, or /tmp/imgtool-UID/serve.sock
 * if there is no such directory. *path is absolute; the caller frees it even after a failure. Fails
 * with IMG_E_USAGE if the path is too long for a socket. */
ImgStatus socket_path_find(const Settings *settings, char **path, ImgError *err);

/* Sets *address to the socket address for `path`. Fails with IMG_E_USAGE if the path is too
 * long. */
ImgStatus socket_path_address(const char *path, struct sockaddr_un *address, ImgError *err);

/* Checks the directory that contains the socket. It must be a real directory, belong to the user of
 * this process, and be closed to other users. Otherwise the call fails with IMG_E_IO, and the
 * message contains a remedy. If the last component of the directory is missing and `create` is set,
 * it is created. If `create` is not set, a missing directory is not an error. */
ImgStatus socket_path_check(const char *path, bool create, ImgError *err);

/* --- The listening socket --------------------------------------------------------------------- */

typedef struct Endpoint {
    const char *path; /* path of the socket, absolute; borrowed */
    char *lock_path;
    int lock;     /* descriptor of the lock file; -1: the lock is not held */
    int listener; /* listening socket, which is non-blocking; -1: closed */
} Endpoint;

#define ENDPOINT_NONE ((Endpoint){NULL, NULL, -1, -1})

/* Locks the path, and listens on a socket there. Call socket_path_check before. Replaces the files
 * that a killed server has left. Fails with IMG_E_UNAVAILABLE if a running server has the lock. A
 * signal that ends the program also removes the socket. Call endpoint_close even after a
 * failure. */
ImgStatus endpoint_open(Endpoint *endpoint, const char *path, ImgError *err);

/* Closes and removes the socket, so that no client can connect, but keeps the lock. */
void endpoint_stop_listening(Endpoint *endpoint);

void endpoint_close(Endpoint *endpoint);

/* Waits, in a client, until no server holds the lock of the path. */
void endpoint_wait_for_end(const char *path);

#endif
