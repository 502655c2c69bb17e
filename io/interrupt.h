/* Private: waiting for the other end of a pipe, and who is asked whether to go on where a signal
 * ends the wait. */
#ifndef IMGTOOL_IO_INTERRUPT_H
#define IMGTOOL_IO_INTERRUPT_H

#include <errno.h>
#include <poll.h>
#include <stddef.h>

#include "kernels/core/status.h"

typedef struct ImgInterrupt {
    /* On the thread that waited. A failure ends the call. NULL: nobody is asked, and it goes on. */
    ImgStatus (*ask)(void *context, ImgError *err);
    void *context;
} ImgInterrupt;

static inline ImgStatus img_interrupt_ask(const ImgInterrupt *interrupt, ImgError *err)
{
    return interrupt->ask != NULL ? interrupt->ask(interrupt->context, err) : IMG_OK;
}

/* Of a pipe that another program made non-blocking. EINTR, or 0: try again. */
static inline int img_wait_for(int fd, short events)
{
    struct pollfd wait = {fd, events, 0};
    return poll(&wait, 1, -1) < 0 && errno == EINTR ? EINTR : 0;
}

#endif
