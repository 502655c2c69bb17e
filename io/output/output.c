/* Writes a file under a temporary name and renames it when it is complete, so that no program ever
 * reads an incomplete file. Outputs other than regular files are written in place. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/output/output.h"
#include "io/output/output_priv.h"
#include "kernels/core/parallel/clock.h"

bool img_output_is_in_place(const ImgOutput *output)
{
    return output->write == NULL && output->target == NULL;
}

void img_output_set_interrupt(ImgOutput *output, ImgInterrupt interrupt)
{
    output->interrupt = interrupt;
}

/* Returns the errno value for a write that accepted only `written` bytes. A signal after some bytes
 * makes a write short without an error, so a short write counts as EINTR. */
static int why_not_all(const ImgOutput *output, ssize_t written)
{
    if (written > 0)
        return EINTR;
    if (written == 0)
        return ENOSPC;
    return errno == EAGAIN ? img_wait_for(output->fd, POLLOUT) : errno;
}

static void write_descriptor(ImgOutput *output, const uint8_t *data, size_t size)
{
    while (size > 0 && output->failure.status == IMG_OK) {
        const ssize_t n = write(output->fd, data, size);
        const int code = n == (ssize_t)size ? 0 : why_not_all(output, n);
        data += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
        if (code == EINTR)
            (void)img_interrupt_ask(&output->interrupt, &output->failure);
        else if (code != 0)
            img_output_fail(code, &output->failure);
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
    if (output->failure.status == IMG_OK && size > IMG_OUTPUT_BUFFER_BYTES - output->used)
        flush(output);
    if (output->failure.status == IMG_OK && size >= IMG_OUTPUT_BUFFER_BYTES) {
        write_all(output, data, size);
    } else if (output->failure.status == IMG_OK) {
        memcpy(output->buffer + output->used, data, size);
        output->used += size;
    }
    if (output->failure.status == IMG_OK)
        output->bytes += size;
    return report(output, err);
}

ImgStatus img_output_restart(ImgOutput *output, ImgError *err)
{
    output->used = 0;
    output->bytes = 0;
    if (output->failure.status == IMG_OK &&
        (ftruncate(output->fd, 0) != 0 || lseek(output->fd, 0, SEEK_SET) != 0))
        img_output_fail(errno, &output->failure);
    return report(output, err);
}

const char *img_output_note(ImgOutput *output, int index)
{
    const bool unkept = output->unkept.status != IMG_OK;
    if (unkept && index == 0)
        return output->unkept.message;
    if (output->links < 2 || index != (int)unkept)
        return NULL;
    snprintf(output->note, sizeof output->note,
             "%ju other name%s of the file (hard link%s) keep%s the old picture",
             (uintmax_t)output->links - 1, output->links > 2 ? "s" : "",
             output->links > 2 ? "s" : "", output->links > 2 ? "" : "s");
    return output->note;
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
    /* On EINTR Linux has already closed the descriptor, so EINTR is not reported as a failure. */
    if (fd >= 0 && close(fd) != 0 && errno != EINTR)
        img_output_fail(errno, &output->failure);
}

/* Closes the temporary file, and syncs it first if it will replace a file. A second descriptor
 * keeps the lock until the file has its final name. */
static void close_temporary(ImgOutput *output)
{
    if (output->replaces)
        (void)img_output_sync(output->fd, &output->failure);
    output->lock_fd = fcntl(output->fd, F_DUPFD_CLOEXEC, 3);
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
        img_output_enter((*output)->hooks);
        status = img_output_install(*output, err);
        img_output_leave((*output)->hooks);
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
        img_output_remove_temporary(old);
    img_output_drop_descriptor(&old->lock_fd);
    img_output_drop_descriptor(&old->expected_fd);
    img_permissions_free(&old->old);
    free(old->own_in_place);
    free(old->own_target);
    for (int i = 0; i < IMG_OUTPUT_NAMES_KEPT; i++)
        free(old->own_kept[i]);
    free(old);
}

ImgStatus img_directory_create(const char *directory, ImgError *err)
{
    struct stat info;
    if (mkdir(directory, 0777) == 0) /* mkdir subtracts the umask */
        return IMG_OK;
    int reason = errno;
    if (stat(directory, &info) == 0) {
        if (S_ISDIR(info.st_mode))
            return IMG_OK;
        reason = ENOTDIR;
    }
    return img_fail(err, img_errno_status(reason), "%s: the directory cannot be created: %s",
                    directory, strerror(reason));
}

ImgStatus img_directory_create_all(const char *directory, ImgError *err)
{
    char *path = strdup(directory);
    if (path == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the name of a directory");
    ImgStatus status = IMG_OK;
    for (char *slash = path[0] != '\0' ? strchr(path + 1, '/') : NULL;
         slash != NULL && status == IMG_OK; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        status = img_directory_create(path, err);
        *slash = '/';
    }
    free(path);
    return status == IMG_OK ? img_directory_create(directory, err) : status;
}
