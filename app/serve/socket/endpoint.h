/* The socket that a server listens on: one server at a place, and nothing left of it at the end. */
#ifndef IMGTOOL_APP_SERVE_SOCKET_ENDPOINT_H
#define IMGTOOL_APP_SERVE_SOCKET_ENDPOINT_H

#include "kernels/core/status.h"

typedef struct Endpoint {
    const char *path; /* borrowed, absolute */
    char *lock_path;
    int lock;     /* -1: not held */
    int listener; /* does not block; -1: closed */
} Endpoint;

#define ENDPOINT_NONE ((Endpoint){NULL, NULL, -1, -1})

/* Takes the place, whose directory was checked (socket_path.h), and listens; what a killed server
 * left there is replaced. IMG_E_UNAVAILABLE where another server has it. The socket is noted as one
 * of the files to be removed when a signal ends the program. endpoint_close in any case. */
ImgStatus endpoint_open(Endpoint *endpoint, const char *path, ImgError *err);

/* Nobody else can connect from now on; the place is still taken. */
void endpoint_stop_listening(Endpoint *endpoint);

void endpoint_close(Endpoint *endpoint);

/* By others: waits until no server has the place. */
void endpoint_wait_for_end(const char *path);

#endif
