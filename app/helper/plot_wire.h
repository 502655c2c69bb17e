/* How a program asks another one of its build for a plot: the request goes one way over a socket,
 * up to its end, and one answer comes back. */
#ifndef IMGTOOL_APP_HELPER_PLOT_WIRE_H
#define IMGTOOL_APP_HELPER_PLOT_WIRE_H

#include "app/helper/plot_file.h"
#include "kernels/core/status.h"

typedef enum PlotHeard {
    PLOT_HEARD,          /* a picture, or a failure in `err` */
    PLOT_HEARD_NOTHING,  /* the answer does not come, or breaks off */
    PLOT_HEARD_TOO_LATE, /* not within so many seconds */
    PLOT_HEARD_TOO_MUCH, /* there is no memory for it */
    PLOT_HEARD_BROKEN,   /* the socket fails, `errno` says why; the other one may wait for us */
} PlotHeard;

/* The one that asks. `picture` is to be freed in any case. */
PlotHeard plot_wire_ask(int socket, const PlotBytes *request, int seconds, PlotBytes *picture,
                        ImgError *err);

/* The one that draws. `request` is to be freed; zeros follow it, as a text needs them. */
ImgStatus plot_wire_listen(int from, PlotBytes *request, ImgError *err);

/* The picture, or a failure where err says so. */
ImgStatus plot_wire_answer(int to, const PlotBytes *picture, const ImgError *err);

#endif
