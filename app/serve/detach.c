#include "app/serve/serve_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/cli/exit_code.h"

/* Waits for the child. Returns 0 when the child writes to the pipe `ready`. If the child exits
 * instead, returns its exit code; it has then printed the reason to stderr. */
static int wait_for_child(pid_t child, int ready)
{
    char byte;
    int result;
    ssize_t got;
    do
        got = read(ready, &byte, 1);
    while (got < 0 && errno == EINTR);
    if (got == 1)
        return CLI_OK;
    while (waitpid(child, &result, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(result) ? WEXITSTATUS(result) : CLI_BAD_FILE;
}

/* Starts a session of its own for the server, and closes all descriptors except the standard ones
 * and `kept`. The server would otherwise hold the caller's locks and pipes as long as it runs. */
static void become_server(int kept)
{
    (void)setsid();
    if (kept > STDERR_FILENO + 1)
        (void)close_range(STDERR_FILENO + 1, (unsigned)kept - 1, 0);
    (void)close_range((unsigned)kept + 1, UINT_MAX, 0);
}

ImgStatus detach(bool *child, int *ready, int *code, ImgError *err)
{
    int ends[2];
    *child = false;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return img_fail(err, IMG_E_IO, "the server cannot be started: %s", strerror(errno));
    pid_t number = fork();
    if (number < 0) {
        int reason = errno;
        close(ends[0]);
        close(ends[1]);
        return img_fail(err, IMG_E_IO, "the server cannot be started: %s", strerror(reason));
    }
    *child = number == 0;
    if (*child) {
        become_server(ends[1]);
        *ready = ends[1];
        return IMG_OK;
    }
    close(ends[1]);
    *code = wait_for_child(number, ends[0]);
    close(ends[0]);
    return IMG_OK;
}

void detach_ready(int ready)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = STDIN_FILENO; nowhere >= 0 && fd <= STDERR_FILENO; fd++)
        (void)dup2(nowhere, fd);
    if (nowhere > STDERR_FILENO)
        close(nowhere);
    (void)!write(ready, "", 1);
    close(ready);
}
