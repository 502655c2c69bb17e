/* The socket on which a server listens. A lock file ensures that there is one server per path. Both
 * files are removed at the end. */
#ifndef IMGTOOL_APP_SERVE_SOCKET_ENDPOINT_H
#define IMGTOOL_APP_SERVE_SOCKET_ENDPOINT_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "app/cli/options.h"
#include "kernels/core/status.h"

/* --- Path of the socket: socket_path.c -------------------------------------------------------- */
/* The socket is in a directory that belongs to one user only. */

/* Finds the path, in this order: --socket, $IMGTOOL_SOCKET, imgtool/serve.sock in the directory
 * $XDG_RUNTIME_DIR, /tmp/imgtool-UID/serve.sock. *path is absolute; the caller frees it even after
 * a failure. IMG_E_USAGE if the path is too long for a socket. */
ImgStatus socket_path_find(const Settings *settings, char **path, ImgError *err);

/* Fills the system's address structure for `path`. */
ImgStatus socket_path_address(const char *path, struct sockaddr_un *address, ImgError *err);

/* Checks that the directory of the socket is a real directory that belongs to our user and is
 * closed to others. IMG_E_IO with a message that says what to do. If `create` is set and the last
 * component of the directory is missing, it is created. If `create` is not set, a missing directory
 * is not an error. */
ImgStatus socket_path_check(const char *path, bool create, ImgError *err);

/* --- The listening socket --------------------------------------------------------------------- */

typedef struct Endpoint {
    const char *path; /* borrowed, absolute */
    char *lock_path;
    int lock;     /* descriptor of the locked file; -1: no lock */
    int listener; /* listening socket, non-blocking; -1: closed */
} Endpoint;

#define ENDPOINT_NONE ((Endpoint){NULL, NULL, -1, -1})

/* Locks the path and listens on it. Its directory must have been checked by socket_path_check.
 * Replaces the files of a server that was killed. IMG_E_UNAVAILABLE if another server has the lock.
 * A signal that ends the program also removes the socket. Call endpoint_close even after a
 * failure. */
ImgStatus endpoint_open(Endpoint *endpoint, const char *path, ImgError *err);

/* Closes the socket for new clients, but keeps the lock. */
void endpoint_stop_listening(Endpoint *endpoint);

void endpoint_close(Endpoint *endpoint);

/* Waits until no server has the lock of the path. For clients. */
void endpoint_wait_for_end(const char *path);

#endif
