/* Path of a server's socket, in a directory that belongs to one user only. */
#ifndef IMGTOOL_APP_SERVE_SOCKET_SOCKET_PATH_H
#define IMGTOOL_APP_SERVE_SOCKET_SOCKET_PATH_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "app/cli/options.h"
#include "kernels/core/status.h"

/* Finds the path: --socket, otherwise $IMGTOOL_SOCKET, otherwise imgtool/serve.sock in the
 * directory $XDG_RUNTIME_DIR, otherwise /tmp/imgtool-UID/serve.sock. It is absolute; the caller
 * frees it even after a failure. IMG_E_USAGE if it is too long for a socket. */
ImgStatus socket_path_find(const Settings *settings, char **path, ImgError *err);

/* Fills the address of the system. */
ImgStatus socket_path_address(const char *path, struct sockaddr_un *address, ImgError *err);

/* Checks that the directory of the socket is a real directory, ours, and closed to other users.
 * IMG_E_IO with a message that says what to do. `create`: creates the last component if it is
 * missing. Otherwise a missing directory is not an error. */
ImgStatus socket_path_check(const char *path, bool create, ImgError *err);

#endif
