/* Where the socket of a server is: a place that belongs to one user alone. */
#ifndef IMGTOOL_APP_SERVE_SOCKET_SOCKET_PATH_H
#define IMGTOOL_APP_SERVE_SOCKET_SOCKET_PATH_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "app/cli/options.h"
#include "kernels/core/status.h"

/* --socket, else $IMGTOOL_SOCKET, else imgtool/serve.sock in $XDG_RUNTIME_DIR, where that is a
 * directory, else /tmp/imgtool-UID/serve.sock. An absolute path, which the caller frees in any
 * case. IMG_E_USAGE where it is too long for a socket. */
ImgStatus socket_path_find(const Settings *settings, char **path, ImgError *err);

/* As the system wants it. */
ImgStatus socket_path_address(const char *path, struct sockaddr_un *address, ImgError *err);

/* The directory of the socket is a directory and no link, ours, and closed to others: else IMG_E_IO
 * says what to do. `create`: it is made where it is missing, in one that is there. Else a missing
 * one is none of our business: nothing is there then. */
ImgStatus socket_path_check(const char *path, bool create, ImgError *err);

#endif
