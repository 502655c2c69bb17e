/* Private: the callback that decides whether to continue after a signal, and waiting for a pipe. */
#ifndef IMGTOOL_IO_INTERRUPT_H
#define IMGTOOL_IO_INTERRUPT_H

#include <errno.h>
#include <poll.h>
#include <stddef.h>

#include "kernels/core/status.h"

typedef struct ImgInterrupt {
    /* Called after a signal interrupted a system call, on the thread that made the call. If the
     * callback fails, the operation ends with the callback's status. NULL: the operation always
     * continues. */
    ImgStatus (*ask)(void *context, ImgError *err);
    void *context;
} ImgInterrupt;

static inline ImgStatus img_interrupt_ask(const ImgInterrupt *interrupt, ImgError *err)
{
    return interrupt->ask != NULL ? interrupt->ask(interrupt->context, err) : IMG_OK;
}

/* Waits until a pipe is ready for `events`. Needed if another program has made the pipe
 * non-blocking. Returns EINTR after a signal; otherwise 0, and the caller retries the read or
 * write. */
static inline int img_wait_for(int fd, short events)
{
    struct pollfd wait = {fd, events, 0};
    return poll(&wait, 1, -1) < 0 && errno == EINTR ? EINTR : 0;
}

#endif
