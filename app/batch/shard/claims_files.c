/* Creates, touches and removes the files in the directory of claims. Only their existence and their
 * times matter. They are accessed by path, and not relative to an open directory, because another
 * process may remove and recreate the directory at any time. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/batch/shard/claims_priv.h"

const char claims_heartbeat_name[] = "beat";

const char *claims_start_name(const Claims *claims, char name[CLAIMS_NAME])
{
    snprintf(name, CLAIMS_NAME, "start-%" PRIu32, claims->config.share);
    return name;
}

const char *claims_claim_name(size_t chunk, uint32_t number, char name[CLAIMS_NAME])
{
    snprintf(name, CLAIMS_NAME, "%zu.%" PRIu32, chunk, number);
    return name;
}

const char *claims_done_name(const Claims *claims, size_t chunk, char name[CLAIMS_NAME])
{
    snprintf(name, CLAIMS_NAME, "%zu.done-%" PRIu32, chunk, claims->config.share);
    return name;
}

/* Returns the path of a file in the directory. Returns NULL if there is no memory. The caller frees
 * it. */
static char *path_of(const Claims *claims, const char *name)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s", claims->path, name) >= 0 ? path : NULL;
}

int claims_file_create(const Claims *claims, const char *name, int flags)
{
    char *path = path_of(claims, name);
    int fd = path != NULL ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666) : -1;
    int code = fd >= 0 ? 0 : path == NULL ? ENOMEM : errno;
    if (fd >= 0)
        close(fd);
    free(path);
    return code;
}

/* Sets the times of the file to the present. Passes no time, so that the file server uses its own
 * clock. */
static int touch(const char *path)
{
    return utimensat(AT_FDCWD, path, NULL, 0) == 0 ? 0 : errno;
}

int claims_file_touch(const Claims *claims, const char *name)
{
    char *path = path_of(claims, name);
    int code = path != NULL ? touch(path) : ENOMEM;
    free(path);
    return code;
}

void claims_file_remove(const Claims *claims, const char *name)
{
    char *path = path_of(claims, name);
    if (path != NULL)
        (void)unlink(path);
    free(path);
}

/* Opens the file first, because NFS then asks the server for the current times of the file. */
double claims_path_time(const char *path)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    double seconds = -1;
    if (fd >= 0 && fstat(fd, &info) == 0)
        seconds = (double)info.st_mtim.tv_sec + (double)info.st_mtim.tv_nsec * 1e-9;
    if (fd >= 0)
        close(fd);
    return seconds;
}

double claims_file_time(const Claims *claims, const char *name)
{
    char *path = path_of(claims, name);
    double touched = path != NULL ? claims_path_time(path) : -1;
    free(path);
    return touched;
}

double claims_now(const Claims *claims)
{
    char *path = NULL;
    if (asprintf(&path, "%s/now-%s", claims->above, claims->id) < 0)
        return -1;
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0)
        close(fd);
    double now = fd >= 0 && touch(path) == 0 ? claims_path_time(path) : -1;
    (void)unlink(path);
    free(path);
    return now;
}
