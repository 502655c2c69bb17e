#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/batch/shard/claims_priv.h"

enum { TRIES = 20 };

/* --- Removing --------------------------------------------------------------------------------- */

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static void remove_files(const char *directory)
{
    DIR *dir = opendir(directory);
    for (const struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;)
        if (!is_dots(entry->d_name))
            (void)unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir != NULL)
        closedir(dir);
    (void)rmdir(directory);
}

static void remove_directory(const Claims *claims, const char *path)
{
    char *away = NULL;
    if (asprintf(&away, "%s.over-%s", path, claims->id) < 0)
        return;
    if (rename(path, away) == 0)
        remove_files(away);
    free(away);
}

void claims_directory_remove(const Claims *claims)
{
    remove_directory(claims, claims->path);
}

/* Returns whether no running process uses the directory at `path`: its heartbeat file was not
 * touched for long. If the file does not exist, the directory is new, and its own time is used. */
static bool is_abandoned(const Claims *claims, const char *path, double now)
{
    char *beat = NULL;
    if (asprintf(&beat, "%s/%s", path, claims_heartbeat_name) < 0)
        return false;
    double touched = claims_path_time(beat);
    free(beat);
    if (touched < 0)
        touched = claims_path_time(path);
    return touched >= 0 && now - touched > claims->config.timeout;
}

static void sweep_one(const Claims *claims, const char *name, double now)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s", claims->above, name) < 0)
        return;
    if (is_abandoned(claims, path, now) && unlink(path) != 0)
        remove_directory(claims, path);
    free(path);
}

void claims_directory_sweep(const Claims *claims)
{
    DIR *dir = opendir(claims->above);
    double now = dir != NULL ? claims_now(claims) : -1;
    for (const struct dirent *entry; dir != NULL && now >= 0 && (entry = readdir(dir)) != NULL;)
        if (!is_dots(entry->d_name))
            sweep_one(claims, entry->d_name, now);
    if (dir != NULL)
        closedir(dir);
    (void)rmdir(claims->above); /* fails if another batch uses the directory */
}

/* --- Joining ---------------------------------------------------------------------------------- */

/* Creates the heartbeat file and the start file of this process. Returns 0 or errno; ENOENT if the
 * directory was removed. */
static int announce(const Claims *claims)
{
    char name[CLAIMS_NAME];
    int code = claims_file_create(claims, claims_heartbeat_name, 0);
    if (code == 0)
        code = claims_file_create(claims, claims_start_name(claims, name), 0);
    if (code == 0)
        (void)claims_file_touch(claims, claims_heartbeat_name);
    return code;
}

ImgStatus claims_directory_enter(Claims *claims, ImgError *err)
{
    int code = 0;
    for (int i = 0; i < TRIES; i++) {
        code = mkdir(claims->above, 0777) == 0 || errno == EEXIST ? 0 : errno;
        if (code == 0)
            code = mkdir(claims->path, 0777) == 0 ? 0 : errno;
        if (code == EEXIST && is_abandoned(claims, claims->path, claims_now(claims)))
            claims_directory_remove(claims);
        else if ((code == 0 || code == EEXIST) && (code = announce(claims)) == 0)
            return IMG_OK;
        else if (code != ENOENT)
            break;
    }
    return img_fail(err, img_errno_status(code), "%s: cannot be created for --steal: %s",
                    claims->path, strerror(code));
}

/* --- Reading it ------------------------------------------------------------------------------- */

/* Parses a number below `most`, and moves *at past it. Only the spelling that this program writes
 * is accepted: otherwise a file of another program could make a chunk look claimed or done. */
static bool take_number(const char **at, uint64_t most, uint64_t *number)
{
    const char *digit = *at;
    *number = 0;
    for (; *digit >= '0' && *digit <= '9' && *number < most; digit++)
        *number = 10 * *number + (uint64_t)(*digit - '0');
    const bool read = digit > *at && *number < most && (**at != '0' || digit == *at + 1);
    *at = digit;
    return read;
}

/* Moves *at past the word. Returns false if *at does not start with it. */
static bool take_word(const char **at, const char *word)
{
    const size_t length = strlen(word);
    const bool there = strncmp(*at, word, length) == 0;
    *at += there ? length : 0;
    return there;
}

/* Parses `rest`, the part of a file name that follows "K.", where K is the number of `chunk`. It is
 * the number of a claim, such as "0", or names the share that finished the chunk, such as "done-3".
 * Any other text is ignored. */
static void take_rest(const Claims *claims, ChunkState *chunk, const char *rest)
{
    uint64_t number;
    const bool done = take_word(&rest, "done-");
    if (!take_number(&rest, UINT32_MAX, &number) || *rest != '\0')
        return;
    if (done) {
        chunk->done = true;
        chunk->done_by_share |= number == claims->config.share;
    } else if (chunk->claims <= number) {
        chunk->claims = (uint32_t)number + 1;
    }
}

/* Parses the name of a file, such as "start-3", "17.0" or "17.done-3", and updates the state of
 * that share or chunk. */
static void take_name(Claims *claims, const char *name)
{
    const ClaimsConfig *config = &claims->config;
    uint64_t number;
    if (take_word(&name, "start-")) {
        if (take_number(&name, config->shares, &number) && *name == '\0')
            claims->started[number] = true;
    } else if (take_number(&name, config->chunks, &number) && *name == '.' &&
               !claims->chunks[number].held) {
        take_rest(claims, &claims->chunks[number], name + 1);
    }
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
