#include "app/helper/plot_child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/term/interrupt.h"

/* Longest time for a plot, in seconds. The first plot on a machine with many fonts must wait until
 * all fonts are listed. */
enum { SECONDS_MOST = 60 };

/* Blocks SIGINT, SIGQUIT and SIGHUP in the child. This program handles these signals, and ends the
 * child if necessary. */
static int set_signals(posix_spawnattr_t *attributes)
{
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGQUIT);
    sigaddset(&ours, SIGHUP);
    int code = posix_spawnattr_setsigmask(attributes, &ours);
    return code != 0 ? code : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK);
}

/* Starts the child with the socket as its standard input and output. The child inherits the stderr
 * of this program. */
static int start(const char *program, char *const *words, int socket, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int code = posix_spawnattr_init(&attributes);
    if (code != 0)
        return code;
    code = posix_spawn_file_actions_init(&actions);
    if (code == 0) {
        code = posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
        if (code == 0)
            code = posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO);
        if (code == 0)
            code = set_signals(&attributes);
        if (code == 0)
            code = posix_spawn(child, program, &actions, &attributes, words, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
    return code;
}

/* Fails with a message about the way in which the child ended without an answer. */
static ImgStatus fail_ended(int result, ImgError *err)
{
    if (WIFSIGNALED(result))
        return img_fail(
            err, IMG_E_IO,
            "cannot be drawn: the plot process was ended by signal %d (%s); it may lack memory",
            WTERMSIG(result), strsignal(WTERMSIG(result)));
    return img_fail(err, IMG_E_IO,
                    "cannot be drawn: the plot process ended with exit code %d and no picture; it "
                    "may lack memory",
                    WEXITSTATUS(result));
}

/* Sends the request and receives the picture. Ends the child after the answer or when the time is
 * over. */
static ImgStatus talk(int socket, pid_t child, const PlotBytes *request, PlotBytes *picture,
                      ImgError *err)
{
    PlotWireResult outcome = plot_wire_request(socket, request, SECONDS_MOST, picture, err);
    int code = errno;
    if (outcome != PLOT_WIRE_CLOSED)
        kill(child, SIGKILL);
    int result = child_wait(child);
    switch (outcome) {
    case PLOT_WIRE_ANSWERED:
        break;
    case PLOT_WIRE_CLOSED:
        return fail_ended(result, err);
    case PLOT_WIRE_TIMED_OUT:
        return img_fail(err, IMG_E_LIMIT,
                        "cannot be drawn: the plot process took more than %d seconds",
                        SECONDS_MOST);
    case PLOT_WIRE_NO_MEMORY:
        return img_fail(err, IMG_E_MEMORY, "no memory for the picture");
    case PLOT_WIRE_BROKEN:
        return img_fail(err, img_errno_status(code),
                        "cannot be drawn: the connection to the plot process failed: %s",
                        strerror(code));
    }
    return err->status;
}

ImgStatus plot_child_draw(const char *program, const char *what, const PlotBytes *request,
                          const char *path, ImgError *err)
{
    char *words[] = {"imgtool-plot", (char *)what, plot_file_is_svg(path) ? "svg" : "png", NULL};
    int ends[2];
    pid_t child;
    PlotBytes picture = PLOT_BYTES_NONE;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return img_fail(err, IMG_E_IO, "cannot be drawn: no socket: %s", strerror(errno));
    int code = start(program, words, ends[1], &child);
    close(ends[1]);
    ImgStatus status =
        code == 0 ? talk(ends[0], child, request, &picture, err)
                  : img_fail(err, code == ENOMEM ? IMG_E_MEMORY : IMG_E_UNAVAILABLE,
                             "cannot be drawn: %s cannot be started: %s", program, strerror(code));
    close(ends[0]);
    if (status == IMG_OK)
        status = plot_file_write(path, &picture, err);
    free(picture.data);
    return status;
}
