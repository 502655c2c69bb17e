/* Protocol between a program and imgtool-plot of the same build: the request is sent over a socket
 * up to its end, and one answer comes back. */
#ifndef IMGTOOL_APP_HELPER_PLOT_WIRE_H
#define IMGTOOL_APP_HELPER_PLOT_WIRE_H

#include "app/helper/plot_file.h"
#include "kernels/core/status.h"

typedef enum PlotWireResult {
    PLOT_WIRE_ANSWERED,  /* a picture, or a failure in `err` */
    PLOT_WIRE_CLOSED,    /* the connection closed before the end of the answer */
    PLOT_WIRE_TIMED_OUT, /* the time is over */
    PLOT_WIRE_NO_MEMORY, /* no memory for the picture */
    PLOT_WIRE_BROKEN,    /* the socket failed with `errno`; the other program may still wait */
} PlotWireResult;

/* Sends a request and waits up to `seconds` for the answer. The caller frees `picture` in any case.
 */
PlotWireResult plot_wire_request(int socket, const PlotBytes *request, int seconds,
                                 PlotBytes *picture, ImgError *err);

/* Receives a request in imgtool-plot. The caller frees it; zero bytes follow it, so that text is
 * terminated. */
ImgStatus plot_wire_receive(int from, PlotBytes *request, ImgError *err);

/* Sends the picture or, if `err` has one, the failure. */
ImgStatus plot_wire_reply(int to, const PlotBytes *picture, const ImgError *err);

#endif
