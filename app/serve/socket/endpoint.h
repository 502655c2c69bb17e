/* The socket on which a server listens. A lock file ensures that there is one server per path. Both
 * files are removed at the end. */
#ifndef IMGTOOL_APP_SERVE_SOCKET_ENDPOINT_H
#define IMGTOOL_APP_SERVE_SOCKET_ENDPOINT_H

#include "kernels/core/status.h"

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
