/* Functions that several files of io/output share: error messages, and removal of temporary
 * files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/output/output_priv.h"

ImgStatus img_output_fail(int code, ImgError *err)
{
    switch (code) {
    case ENOSPC:
        return img_fail(err, IMG_E_TEMPORARY,
                        "cannot be written: no space left on the device; free some, or choose "
                        "another directory");
    case EDQUOT:
        return img_fail(err, IMG_E_TEMPORARY,
                        "cannot be written: the disk quota is used up; free some space, or choose "
                        "another directory");
    case EFBIG:
        return img_fail(err, IMG_E_IO,
                        "cannot be written: larger than the system or a limit (ulimit -f) allows");
    case EPIPE:
        return img_fail(err, IMG_E_IO, "cannot be written: the reader closed the pipe");
    default:
        return img_fail(err, img_errno_status(code), "cannot be written: %s", strerror(code));
    }
}

ImgStatus img_output_sync(int fd, ImgError *err)
{
    return fsync(fd) == 0 || errno == EINVAL ? IMG_OK : img_output_fail(errno, err);
}

static void drop_name(ImgOutput *output)
{
    free(output->own_temporary);
    output->own_temporary = NULL;
    output->temporary = NULL;
}

void img_output_forget_temporary(ImgOutput *output)
{
    if (output->hooks != NULL && output->hooks->gone != NULL)
        output->hooks->gone(output->hooks->context, output->temporary);
    drop_name(output);
}

void img_output_remove_in_step(ImgOutput *output)
{
    if (unlink(output->temporary) == 0 || errno == ENOENT)
        img_output_forget_temporary(output);
    else
        drop_name(output);
}

void img_output_remove_temporary(ImgOutput *output)
{
    img_output_enter(output->hooks);
    img_output_remove_in_step(output);
    img_output_leave(output->hooks);
}

void img_output_drop_descriptor(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}
