#include "app/serve/socket/endpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_directory(const char *path)
{
    struct stat info;
    return path != NULL && path[0] == '/' && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Returns the path of the socket if the user named none; the caller frees it. NULL if memory is
 * short. */
static char *usual_path(void)
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    char *path = NULL;
    int length = is_directory(runtime)
                     ? asprintf(&path, "%s/imgtool/serve.sock", runtime)
                     : asprintf(&path, "/tmp/imgtool-%lu/serve.sock", (unsigned long)geteuid());
    return length >= 0 ? path : NULL;
}

/* Returns `path` as an absolute path; the caller frees it. On failure, returns NULL and sets
 * errno. */
static char *absolute_path(const char *path)
{
    char *absolute = NULL;
    if (path[0] == '/')
        return strdup(path);
    char *here = getcwd(NULL, 0);
    if (here != NULL && asprintf(&absolute, "%s/%s", here, path) < 0)
        absolute = NULL;
    free(here);
    return absolute;
}

ImgStatus socket_path_find(const Settings *settings, char **path, ImgError *err)
{
    const char *named = settings->socket != NULL ? settings->socket : getenv("IMGTOOL_SOCKET");
    *path = NULL;
    if (settings->socket != NULL && settings->socket[0] == '\0')
        return img_fail(err, IMG_E_USAGE, "--socket is empty; name a path");
    *path = named != NULL && named[0] != '\0' ? absolute_path(named) : usual_path();
    struct sockaddr_un address;
    return *path != NULL ? socket_path_address(*path, &address, err)
                         : img_fail(err, IMG_E_IO, "no path for the socket: %s", strerror(errno));
}

ImgStatus socket_path_address(const char *path, struct sockaddr_un *address, ImgError *err)
{
    size_t size = strlen(path) + 1;
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (size > sizeof address->sun_path)
        return img_fail(err, IMG_E_USAGE,
                        "%s: is too long for a socket, which may have %zu bytes; use a shorter "
                        "path with --socket or IMGTOOL_SOCKET",
                        path, sizeof address->sun_path - 1);
    memcpy(address->sun_path, path, size);
    return IMG_OK;
}

static ImgStatus check_directory(const char *path, bool create, ImgError *err)
{
    struct stat info;
    if (create && mkdir(path, S_IRWXU) != 0 && errno != EEXIST)
        return img_fail(err, IMG_E_IO, "%s: cannot be created for the socket: %s", path,
                        strerror(errno));
    if (lstat(path, &info) != 0) {
        if (!create && (errno == ENOENT || errno == ENOTDIR))
            return IMG_OK;
        return img_fail(err, IMG_E_IO, "%s: cannot be examined: %s", path, strerror(errno));
    }
    if (!S_ISDIR(info.st_mode))
        return img_fail(err, IMG_E_IO,
                        "%s: is not a directory (or is a link to one), so no socket is used in it; "
                        "name another place with --socket or IMGTOOL_SOCKET",
                        path);
    if (info.st_uid != geteuid())
        return img_fail(err, IMG_E_IO,
                        "%s: belongs to another user, so no socket is used in it; name a place of "
                        "your own with --socket or IMGTOOL_SOCKET",
                        path);
    if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return img_fail(err, IMG_E_IO,
                        "%s: is open to other users, so no socket is used in it; close it with "
                        "chmod 700, or name another place with --socket or IMGTOOL_SOCKET",
                        path);
    return IMG_OK;
}

ImgStatus socket_path_check(const char *path, bool create, ImgError *err)
{
    char *directory = strdup(path);
    if (directory == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    char *slash = strrchr(directory, '/');
    slash[slash == directory ? 1 : 0] = '\0';
    ImgStatus status = check_directory(directory, create, err);
    free(directory);
    return status;
}
