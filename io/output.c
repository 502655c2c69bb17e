/* A file is written under another name and renamed when it is complete, so that nobody ever sees
 * half of it under its own. What is not a regular file is written in place. */
#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/errno_status.h"
#include "io/output_path.h"
#include "kernels/core/parallel/clock.h"

enum { BUFFER_BYTES = 1 << 18, NAME_TRIES = 100 };

struct ImgOutput {
    ImgWriteFunction *write; /* NULL: to the descriptor */
    void *write_context;
    int fd;
    int claim;       /* keeps the lock of a file that is closed but not in its place yet, or -1 */
    bool finished;   /* flushed and closed */
    char *target;    /* NULL where writing is in place */
    char *temporary; /* NULL where there is none */
    const ImgOutputHooks *hooks;
    ImgError failure; /* the first one, which later calls repeat */
    uint64_t bytes;
    double seconds;
    size_t used;
    uint8_t buffer[BUFFER_BYTES];
};

static ImgStatus fail_errno(int code, ImgError *err)
{
    switch (code) {
    case ENOSPC:
        return img_fail(err, IMG_E_TEMPORARY, "cannot be written: no space left on the device");
    case EDQUOT:
        return img_fail(err, IMG_E_TEMPORARY, "cannot be written: the disk quota is used up");
    case EFBIG:
        return img_fail(err, IMG_E_IO,
                        "cannot be written: larger than the system or a limit (ulimit -f) allows");
    case EPIPE:
        return img_fail(err, IMG_E_IO, "cannot be written: the reader closed the pipe");
    default:
        return img_fail(err, img_errno_status(code), "cannot be written: %s", strerror(code));
    }
}

/* Where locks are not those of all machines, another may take the file for one that was left. */
static ImgStatus fail_rename(int code, ImgError *err)
{
    if (code == ENOENT)
        return img_fail(err, IMG_E_TEMPORARY,
                        "cannot be written: its temporary file was removed by another program");
    return fail_errno(code, err);
}

static ImgStatus fail_open(int code, ImgError *err)
{
    if (code == ENOENT)
        return img_fail(err, IMG_E_IO, "cannot be written: its directory does not exist");
    if (code == EACCES)
        return img_fail(err, IMG_E_IO,
                        "cannot be written: no permission to create files in its directory");
    return fail_errno(code, err);
}

static void call_hook(void (*hook)(void *context, const char *path), const ImgOutput *output)
{
    if (hook != NULL)
        hook(output->hooks->context, output->temporary);
}

/* After the temporary file was renamed or removed. */
static void forget_temporary(ImgOutput *output)
{
    if (output->hooks != NULL)
        call_hook(output->hooks->gone, output);
    free(output->temporary);
    output->temporary = NULL;
}

/* One that cannot be removed stays known to whoever has hooks, and may try again at the end. */
static void remove_temporary(ImgOutput *output)
{
    if (unlink(output->temporary) == 0 || errno == ENOENT) {
        forget_temporary(output);
        return;
    }
    free(output->temporary);
    output->temporary = NULL;
}

/* Without asking whether what was written has arrived. */
static void drop_descriptor(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

/* `mode`: the permissions that the umask may take from. The file never has more of them, not even
 * before it is complete. */
static ImgStatus create_temporary(ImgOutput *output, mode_t mode, ImgError *err)
{
    for (int i = 0; i < NAME_TRIES; i++) {
        output->temporary = img_output_temporary(output->target);
        if (output->temporary == NULL)
            return img_fail(err, IMG_E_MEMORY, "no memory");
        if (output->hooks != NULL)
            call_hook(output->hooks->created, output);
        output->fd =
            open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, mode);
        int code = errno;
        if (output->fd >= 0 && img_output_claim(output->fd))
            return IMG_OK;
        if (output->fd >= 0) { /* taken for that of a killed run, before it was locked */
            drop_descriptor(&output->fd);
            remove_temporary(output);
            code = EEXIST;
        } else {
            forget_temporary(output);
        }
        if (code != EEXIST)
            return fail_open(code, err);
    }
    return img_fail(err, IMG_E_IO, "cannot be written: no free name for a temporary file");
}

static ImgStatus use_descriptor(ImgOutput *output, int fd, ImgError *err)
{
    if (fd < 0)
        return fail_errno(errno, err);
    output->fd = fd;
    if (isatty(fd))
        return img_fail(err, IMG_E_USAGE,
                        "would write image data to a terminal: redirect it or name a file");
    return IMG_OK;
}

/* A copy of the descriptor, because closing it tells about late errors. Opening the path instead
 * would start at the first byte again, and fail where the file may not be opened. */
static ImgStatus open_descriptor(ImgOutput *output, int fd, ImgError *err)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY)
        return fail_errno(EBADF, err);
    return use_descriptor(output, fcntl(fd, F_DUPFD_CLOEXEC, 3), err);
}

static ImgStatus open_in_place(ImgOutput *output, const char *path, ImgError *err)
{
    return use_descriptor(output, open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY), err);
}

/* Is what the path led to, `existing`, no longer the file of the name that was found for it? That
 * of an ordinary path was replaced by another program in between, and we replace it in turn; only a
 * link of procfs leads to a file that has no name. */
static ImgStatus find_name(const char *target, const struct stat *existing, bool may_lack_name,
                           bool *has_name, ImgError *err)
{
    struct stat info;
    bool found = stat(target, &info) == 0;
    if (!found && !(may_lack_name && errno == ENOENT))
        return fail_errno(errno, err);
    bool same = found && info.st_dev == existing->st_dev && info.st_ino == existing->st_ino;
    *has_name = same || !may_lack_name;
    return IMG_OK;
}

/* `existing` is what the path leads to, or NULL. */
static ImgStatus open_replacing(ImgOutput *output, const char *path, const struct stat *existing,
                                ImgError *err)
{
    bool may_lack_name, has_name = true;
    ImgStatus status = img_output_resolve(path, &output->target, &may_lack_name, err);
    if (status == IMG_OK && existing != NULL)
        status = find_name(output->target, existing, may_lack_name, &has_name, err);
    if (status != IMG_OK)
        return status;
    if (!has_name) {
        free(output->target);
        output->target = NULL;
        return open_in_place(output, path, err);
    }
    if (existing != NULL) {
        /* A rename would replace a file that its owner has protected. */
        if (faccessat(AT_FDCWD, output->target, W_OK, AT_EACCESS) != 0)
            return fail_errno(errno, err);
    }
    size_t length = strlen(output->target);
    if (length == 0 || output->target[length - 1] == '/')
        return img_fail(err, IMG_E_IO, "is the name of a directory, not of a file");
    return create_temporary(output, existing != NULL ? 0666 & existing->st_mode : 0666, err);
}

static ImgStatus open_output(ImgOutput *output, const char *path, ImgError *err)
{
    struct stat info;
    int fd = STDOUT_FILENO;
    if (strcmp(path, "-") == 0 || img_output_is_descriptor(path, &fd))
        return open_descriptor(output, fd, err);
    if (stat(path, &info) != 0) {
        if (errno != ENOENT)
            return fail_errno(errno, err);
        return open_replacing(output, path, NULL, err);
    }
    if (S_ISDIR(info.st_mode))
        return img_fail(err, IMG_E_IO, "is a directory, not a file");
    if (!S_ISREG(info.st_mode))
        return open_in_place(output, path, err);
    return open_replacing(output, path, &info, err);
}

/* Not cleared, as the buffer is large. */
static ImgStatus create_output(const ImgOutputHooks *hooks, ImgOutput **output, ImgError *err)
{
    *output = malloc(sizeof **output);
    if (*output == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    (*output)->write = NULL;
    (*output)->write_context = NULL;
    (*output)->fd = -1;
    (*output)->claim = -1;
    (*output)->finished = false;
    (*output)->target = NULL;
    (*output)->temporary = NULL;
    (*output)->hooks = hooks;
    (*output)->failure = (ImgError){IMG_OK, ""};
    (*output)->bytes = 0;
    (*output)->seconds = 0;
    (*output)->used = 0;
    return IMG_OK;
}

ImgStatus img_output_open(const char *path, const ImgOutputHooks *hooks, ImgOutput **output,
                          ImgError *err)
{
    ImgStatus status = create_output(hooks, output, err);
    if (status == IMG_OK)
        status = open_output(*output, path, err);
    if (status != IMG_OK)
        img_output_discard(output);
    return status;
}

ImgStatus img_output_open_function(ImgWriteFunction *write, void *context, ImgOutput **output,
                                   ImgError *err)
{
    ImgStatus status = create_output(NULL, output, err);
    if (status != IMG_OK)
        return status;
    (*output)->write = write;
    (*output)->write_context = context;
    return IMG_OK;
}

static void write_descriptor(ImgOutput *output, const uint8_t *data, size_t size)
{
    while (size > 0) {
        ssize_t n = write(output->fd, data, size);
        if (n > 0) {
            data += n;
            size -= (size_t)n;
        } else if (n < 0 && errno == EAGAIN) { /* a pipe that another program made non-blocking */
            struct pollfd wait = {output->fd, POLLOUT, 0};
            (void)poll(&wait, 1, -1);
        } else if (n == 0 || errno != EINTR) {
            fail_errno(n == 0 ? ENOSPC : errno, &output->failure);
            break;
        }
    }
}

static ImgStatus write_all(ImgOutput *output, const uint8_t *data, size_t size)
{
    double start = img_clock();
    if (output->write == NULL)
        write_descriptor(output, data, size);
    else if (size > 0)
        (void)output->write(output->write_context, data, size, &output->failure);
    output->seconds += img_clock() - start;
    return output->failure.status;
}

static ImgStatus flush(ImgOutput *output)
{
    size_t used = output->used;
    output->used = 0;
    return write_all(output, output->buffer, used);
}

static ImgStatus report(const ImgOutput *output, ImgError *err)
{
    if (output->failure.status == IMG_OK)
        return IMG_OK;
    return img_fail(err, output->failure.status, "%s", output->failure.message);
}

ImgStatus img_output_write(ImgOutput *output, const void *data, size_t size, ImgError *err)
{
    if (output->failure.status == IMG_OK && size > BUFFER_BYTES - output->used)
        flush(output);
    if (output->failure.status == IMG_OK && size >= BUFFER_BYTES) {
        write_all(output, data, size);
    } else if (output->failure.status == IMG_OK) {
        memcpy(output->buffer + output->used, data, size);
        output->used += size;
    }
    if (output->failure.status == IMG_OK)
        output->bytes += size;
    return report(output, err);
}

uint64_t img_output_bytes(const ImgOutput *output)
{
    return output->bytes;
}

double img_output_seconds(const ImgOutput *output)
{
    return output->seconds;
}

static void close_output(ImgOutput *output)
{
    int fd = output->fd;
    output->fd = -1;
    /* EINTR: Linux has closed it nevertheless. */
    if (fd >= 0 && close(fd) != 0 && errno != EINTR)
        fail_errno(errno, &output->failure);
}

/* Some file systems cannot synchronise (EINVAL); then there is nothing to wait for. The second
 * descriptor keeps the lock until the file has its name. */
static void close_temporary(ImgOutput *output)
{
    struct stat old;
    bool replaces = lstat(output->target, &old) == 0 || errno != ENOENT;
    if (replaces && fsync(output->fd) != 0 && errno != EINVAL)
        fail_errno(errno, &output->failure);
    output->claim = fcntl(output->fd, F_DUPFD_CLOEXEC, 3);
    close_output(output);
}

ImgStatus img_output_finish(ImgOutput *output, const char **temporary, ImgError *err)
{
    if (!output->finished && output->failure.status == IMG_OK && flush(output) == IMG_OK) {
        if (output->temporary != NULL)
            close_temporary(output);
        else
            close_output(output);
    }
    output->finished = true;
    *temporary = output->temporary;
    return report(output, err);
}

ImgStatus img_output_commit(ImgOutput **output, ImgError *err)
{
    const char *temporary;
    ImgStatus status = img_output_finish(*output, &temporary, err);
    if (status == IMG_OK && temporary != NULL) {
        if (rename(temporary, (*output)->target) == 0)
            forget_temporary(*output);
        else
            status = fail_rename(errno, err);
    }
    img_output_discard(output);
    return status;
}

void img_output_discard(ImgOutput **output)
{
    ImgOutput *old = *output;
    *output = NULL;
    if (old == NULL)
        return;
    close_output(old);
    if (old->temporary != NULL)
        remove_temporary(old);
    drop_descriptor(&old->claim);
    free(old->target);
    free(old);
}
