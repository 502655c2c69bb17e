#include "app/serve/socket/endpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/term/interrupt.h"

/* Returns true if `path` still names the locked file `lock`. The previous owner of the lock may
 * have removed that file. */
static bool names_same_file(int lock, const char *path)
{
    struct stat held, named;
    return fstat(lock, &held) == 0 && lstat(path, &named) == 0 && held.st_dev == named.st_dev &&
           held.st_ino == named.st_ino;
}

/* Flags for opening the lock file. With O_NONBLOCK, opening does not block even if the path is a
 * pipe. */
enum { OPENING = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY };

/* Returns true if the file can be a lock file of this program: it is empty and belongs to the user
 * of this process. Any other file of this name is the user's own, and must not be removed when the
 * server ends. */
static bool may_be_lock(int file)
{
    struct stat info;
    return fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0 &&
           info.st_nlink <= 1 && info.st_uid == geteuid();
}

static ImgStatus open_lock(Endpoint *endpoint, ImgError *err)
{
    endpoint->lock = open(endpoint->lock_path, OPENING | O_RDWR | O_CREAT, S_IRUSR | S_IWUSR);
    if (endpoint->lock < 0)
        return img_fail(err, IMG_E_IO, "%s: cannot be opened: %s", endpoint->lock_path,
                        strerror(errno));
    if (may_be_lock(endpoint->lock))
        return IMG_OK;
    close(endpoint->lock);
    endpoint->lock = -1;
    return img_fail(err, IMG_E_IO,
                    "%s: exists and is not the lock of a server; choose another path with --socket",
                    endpoint->lock_path);
}

static ImgStatus take_lock(Endpoint *endpoint, ImgError *err)
{
    enum { TRIES = 100 };
    for (int i = 0; i < TRIES; i++) {
        ImgStatus status = open_lock(endpoint, err);
        if (status != IMG_OK)
            return status;
        bool locked = flock(endpoint->lock, LOCK_EX | LOCK_NB) == 0;
        if (locked && names_same_file(endpoint->lock, endpoint->lock_path))
            return IMG_OK;
        close(endpoint->lock);
        endpoint->lock = -1;
        if (!locked)
            break;
    }
    return img_fail(err, IMG_E_UNAVAILABLE,
                    "%s: a server already uses this socket; use that one, end it with 'imgtool "
                    "serve --stop', or choose another path with --socket",
                    endpoint->path);
}

/* Removes the socket that a killed server has left. Call it with the lock held, so that no running
 * server has this path. */
static ImgStatus remove_stale(const char *path, ImgError *err)
{
    struct stat info;
    if (lstat(path, &info) != 0)
        return IMG_OK;
    if (!S_ISSOCK(info.st_mode))
        return img_fail(err, IMG_E_IO,
                        "%s: exists and is not a socket; choose another path with --socket", path);
    (void)unlink(path);
    return IMG_OK;
}

static ImgStatus listen_at(Endpoint *endpoint, ImgError *err)
{
    enum { BACKLOG = 128 };
    struct sockaddr_un address;
    ImgStatus status = socket_path_address(endpoint->path, &address, err);
    if (status != IMG_OK)
        return status;
    endpoint->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    interrupt_enter();
    interrupt_hooks()->created(NULL, endpoint->path);
    mode_t before = umask(S_IXUSR | S_IRWXG | S_IRWXO);
    bool bound = endpoint->listener >= 0 &&
                 bind(endpoint->listener, (struct sockaddr *)&address, sizeof address) == 0;
    int code = errno;
    umask(before);
    interrupt_leave();
    if (bound && listen(endpoint->listener, BACKLOG) == 0)
        return IMG_OK;
    code = bound ? errno : code;
    return img_fail(err, IMG_E_IO, "%s: the server cannot listen there: %s", endpoint->path,
                    strerror(code));
}

ImgStatus endpoint_open(Endpoint *endpoint, const char *path, ImgError *err)
{
    *endpoint = ENDPOINT_NONE;
    endpoint->path = path;
    if (asprintf(&endpoint->lock_path, "%s.lock", path) < 0) {
        endpoint->lock_path = NULL;
        return img_fail(err, IMG_E_MEMORY, "no memory");
    }
    ImgStatus status = take_lock(endpoint, err);
    if (status == IMG_OK)
        status = remove_stale(path, err);
    if (status == IMG_OK)
        status = listen_at(endpoint, err);
    return status;
}

void endpoint_wait_for_end(const char *path)
{
    char *lock_path = NULL;
    if (asprintf(&lock_path, "%s.lock", path) < 0)
        return;
    int lock = open(lock_path, OPENING | O_RDONLY);
    while (lock >= 0 && may_be_lock(lock) && flock(lock, LOCK_SH) != 0 && errno == EINTR) {
    }
    if (lock >= 0)
        close(lock);
    free(lock_path);
}

/* Returns true if the lock file of this server still exists. If the user has removed it, another
 * server may use the path now. */
static bool still_owns_lock(const Endpoint *endpoint)
{
    return endpoint->lock >= 0 && names_same_file(endpoint->lock, endpoint->lock_path);
}

void endpoint_stop_listening(Endpoint *endpoint)
{
    if (endpoint->listener < 0)
        return;
    interrupt_enter();
    if (still_owns_lock(endpoint))
        (void)unlink(endpoint->path);
    interrupt_hooks()->gone(NULL, endpoint->path);
    interrupt_leave();
    close(endpoint->listener);
    endpoint->listener = -1;
}

void endpoint_close(Endpoint *endpoint)
{
    endpoint_stop_listening(endpoint);
    if (still_owns_lock(endpoint))
        (void)unlink(endpoint->lock_path);
    if (endpoint->lock >= 0)
        close(endpoint->lock);
    free(endpoint->lock_path);
    *endpoint = ENDPOINT_NONE;
}
