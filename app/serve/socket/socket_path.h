/* Path of a server's socket. It is in a directory that belongs to one user only. */
#ifndef IMGTOOL_APP_SERVE_SOCKET_SOCKET_PATH_H
#define IMGTOOL_APP_SERVE_SOCKET_SOCKET_PATH_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "app/cli/options.h"
#include "kernels/core/status.h"

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

#endif
