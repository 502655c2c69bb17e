#include "app/text/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int stdout_errno; /* errno of the first failure of stdout; 0: there was none */

void img_streams_guard(void)
{
    /* Modes in which /dev/null is opened in place of a missing stream, by descriptor. Reading stdin
     * gives the end of the file. Writing to stdout must fail, so its descriptor is read-only. */
    static const int modes[] = {O_RDONLY, O_RDONLY, O_WRONLY};
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
            (void)!open("/dev/null", modes[fd]);
}

void img_streams_flush_stdout(void)
{
    /* stdout may have failed before this flush. If that was recent, errno still has the reason. */
    bool failed = ferror(stdout) != 0;
    failed |= fflush(stdout) != 0;
    if (failed && stdout_errno == 0)
        stdout_errno = errno;
}

ImgStatus img_streams_finish_stdout(ImgError *err)
{
    errno = 0;
    img_streams_flush_stdout();
    if (stdout_errno != 0)
        return img_fail(err, IMG_E_IO, "standard output: cannot be written: %s",
                        strerror(stdout_errno));
    if (ferror(stdout))
        return img_fail(err, IMG_E_IO, "standard output: cannot be written");
    return IMG_OK;
}

bool img_streams_input_file(const char *path, struct stat *info)
{
    const bool found =
        strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, info) == 0 : stat(path, info) == 0;
    return found && S_ISREG(info->st_mode);
}

const char *img_streams_input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

const char *img_streams_output_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard output" : path;
}
