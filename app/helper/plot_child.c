#include "app/helper/plot_child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/helper/plot_wire.h"
#include "app/term/interrupt.h"
#include "io/errno_status.h"

/* The first plot of a machine with many fonts may wait until all of them are listed. */
enum { SECONDS_MOST = 60 };

/* An interrupt of the terminal is for us, who end the child where that is due. */
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

/* Its standard input and output are the socket; what libraries say goes where our words go. */
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

/* Why a child that owes an answer is gone. */
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

/* Once there is an answer, or too late, the child has nothing to do any more. */
static ImgStatus talk(int socket, pid_t child, const PlotBytes *request, PlotBytes *picture,
                      ImgError *err)
{
    PlotHeard heard = plot_wire_ask(socket, request, SECONDS_MOST, picture, err);
    int code = errno;
    if (heard != PLOT_HEARD_NOTHING)
        kill(child, SIGKILL);
    int result = child_wait(child);
    switch (heard) {
    case PLOT_HEARD:
        break;
    case PLOT_HEARD_NOTHING:
        return fail_ended(result, err);
    case PLOT_HEARD_TOO_LATE:
        return img_fail(err, IMG_E_LIMIT,
                        "cannot be drawn: the plot process took more than %d seconds",
                        SECONDS_MOST);
    case PLOT_HEARD_TOO_MUCH:
        return img_fail(err, IMG_E_MEMORY, "no memory for the picture");
    case PLOT_HEARD_BROKEN:
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
