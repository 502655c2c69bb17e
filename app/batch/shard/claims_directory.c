/* All by paths, never by an open directory: the directory may be removed, and made anew, at any
 * time. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/batch/shard/claims_priv.h"
#include "io/errno_status.h"

enum { NAME_SIZE = 64, TRIES = 20 };

static const char beat[] = "beat";

/* To be freed; NULL: no memory. */
static char *path_of(const Claims *claims, const char *name)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s", claims->path, name) >= 0 ? path : NULL;
}

static const char *claim_name(size_t chunk, uint32_t number, char name[NAME_SIZE])
{
    snprintf(name, NAME_SIZE, "%zu.%" PRIu32, chunk, number);
    return name;
}

/* 0, or the error. */
static int create(const Claims *claims, const char *name, int flags)
{
    char *path = path_of(claims, name);
    int fd = path != NULL ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666) : -1;
    int code = fd >= 0 ? 0 : path == NULL ? ENOMEM : errno;
    if (fd >= 0)
        close(fd);
    free(path);
    return code;
}

int claims_directory_create(const Claims *claims, size_t chunk, uint32_t number)
{
    char name[NAME_SIZE];
    return create(claims, claim_name(chunk, number, name), O_EXCL);
}

void claims_directory_mark_done(const Claims *claims, size_t chunk)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%zu.done", chunk);
    (void)create(claims, name, 0);
}

/* Without a time: then the file server sets its own. */
static void touch(const Claims *claims, const char *name)
{
    char *path = path_of(claims, name);
    if (path != NULL)
        (void)utimensat(AT_FDCWD, path, NULL, 0);
    free(path);
}

void claims_directory_touch(const Claims *claims, size_t chunk, uint32_t number)
{
    char name[NAME_SIZE];
    touch(claims, claim_name(chunk, number, name));
}

void claims_directory_beat(const Claims *claims)
{
    touch(claims, beat);
}

void claims_directory_unclaim(const Claims *claims, size_t chunk, uint32_t number)
{
    char name[NAME_SIZE];
    char *path = path_of(claims, claim_name(chunk, number, name));
    if (path != NULL)
        (void)unlink(path);
    free(path);
}

/* When the file was touched last, in seconds; below 0: it is not there. Opened, as NFS asks the
 * server anew only then. */
static double time_of(const char *path)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    double seconds = -1;
    if (fd >= 0 && fstat(fd, &info) == 0)
        seconds = (double)info.st_mtim.tv_sec + (double)info.st_mtim.tv_nsec * 1e-9;
    if (fd >= 0)
        close(fd);
    return seconds;
}

double claims_directory_now(const Claims *claims)
{
    char *path = NULL;
    if (asprintf(&path, "%s/now-%s", claims->above, claims->id) < 0)
        return -1;
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0)
        close(fd);
    (void)utimensat(AT_FDCWD, path, NULL, 0);
    double now = fd >= 0 ? time_of(path) : -1;
    (void)unlink(path);
    free(path);
    return now;
}

static double age_of(const Claims *claims, const char *name)
{
    char *path = path_of(claims, name);
    double touched = path != NULL ? time_of(path) : -1;
    double now = touched >= 0 ? claims_directory_now(claims) : -1;
    free(path);
    return now < 0 ? -1 : now > touched ? now - touched : 0;
}

double claims_directory_time(const Claims *claims, size_t chunk, uint32_t number)
{
    char name[NAME_SIZE];
    char *path = path_of(claims, claim_name(chunk, number, name));
    double touched = path != NULL ? time_of(path) : -1;
    free(path);
    return touched;
}

/* --- The directory itself --------------------------------------------------------------------- */

static void remove_files(const char *directory)
{
    DIR *dir = opendir(directory);
    for (const struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            (void)unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir != NULL)
        closedir(dir);
    (void)rmdir(directory);
}

void claims_directory_remove(const Claims *claims)
{
    char *away = NULL;
    if (asprintf(&away, "%s.over-%s", claims->path, claims->id) < 0)
        return;
    if (rename(claims->path, away) == 0)
        remove_files(away);
    free(away);
}

/* Of those who made the directory nobody lives. Where there is no beat yet, it was just made. */
static bool is_dead(const Claims *claims)
{
    double age = age_of(claims, beat);
    if (age < 0)
        age = age_of(claims, ".");
    return age > claims->config.dead_after;
}

bool claims_directory_sign(const Claims *claims)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "start-%" PRIu32, claims->config.share);
    if (create(claims, beat, 0) != 0 || create(claims, name, 0) != 0)
        return false;
    touch(claims, beat);
    return true;
}

ImgStatus claims_directory_enter(Claims *claims, ImgError *err)
{
    int code = 0;
    for (int i = 0; i < TRIES; i++) {
        (void)mkdir(claims->above, 0777);
        bool made = mkdir(claims->path, 0777) == 0;
        code = errno;
        if (!made && code != EEXIST && code != ENOENT)
            break;
        if (!made && code == EEXIST && is_dead(claims))
            claims_directory_remove(claims);
        else if (claims_directory_sign(claims))
            return IMG_OK;
    }
    return img_fail(err, img_errno_status(code), "%s: cannot be made, which --steal needs: %s",
                    claims->path, strerror(code));
}

/* --- What it says ----------------------------------------------------------------------------- */

/* "start-3", "17.0", "17.done" */
static void take_name(Claims *claims, const char *name)
{
    uint64_t number;
    int used = 0;
    if (sscanf(name, "start-%" SCNu64 "%n", &number, &used) == 1 && name[used] == '\0') {
        if (number < claims->config.shares)
            claims->started[number] = true;
        return;
    }
    if (sscanf(name, "%" SCNu64 ".%n", &number, &used) != 1 || used == 0 ||
        number >= claims->config.chunks)
        return;
    ChunkState *chunk = &claims->chunks[number];
    uint32_t claim;
    if (chunk->held)
        return;
    const char *rest = name + used;
    if (strcmp(rest, "done") == 0)
        chunk->done = true;
    else if (sscanf(rest, "%" SCNu32 "%n", &claim, &used) == 1 && rest[used] == '\0' &&
             chunk->claims <= claim)
        chunk->claims = claim + 1;
}

bool claims_directory_read(Claims *claims)
{
    DIR *dir = opendir(claims->path);
    if (dir == NULL)
        return false;
    for (size_t i = 0; i < claims->config.chunks; i++)
        if (!claims->chunks[i].held)
            claims->chunks[i] = (ChunkState){.claims = 0};
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;)
        take_name(claims, entry->d_name);
    closedir(dir);
    return true;
}
