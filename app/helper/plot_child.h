/* Draws plots in a child process, which runs imgtool-plot. */
#ifndef IMGTOOL_APP_HELPER_PLOT_CHILD_H
#define IMGTOOL_APP_HELPER_PLOT_CHILD_H

#include "app/helper/plot_file.h"
#include "kernels/core/status.h"

/* --- Protocol ------------------------------------------------------------------------------------
 *
 * Protocol between a program and imgtool-plot of the same build. The program sends one request over
 * a socket and shuts down its direction. Then it receives one answer. */

typedef enum PlotWireResult {
    PLOT_WIRE_ANSWERED,  /* a picture arrived, or a failure, which is in `err` */
    PLOT_WIRE_CLOSED,    /* the connection was closed before the end of the answer */
    PLOT_WIRE_TIMED_OUT, /* the time limit passed before the end of the answer */
    PLOT_WIRE_NO_MEMORY, /* there is no memory for the picture */
    /* the socket failed (see `errno`); the other program may still wait for this one */
    PLOT_WIRE_BROKEN,
} PlotWireResult;

/* Sends the request, and waits at most `seconds` for the picture. The caller must free
 * `picture->data`, also after a failure. */
PlotWireResult plot_wire_request(int socket, const PlotBytes *request, int seconds,
                                 PlotBytes *picture, ImgError *err);

/* Receives the request; called by imgtool-plot. The caller frees `request->data`. Zero bytes follow
 * the data, so that a text is terminated. */
ImgStatus plot_wire_receive(int from, PlotBytes *request, ImgError *err);

/* Sends the picture or, if `err` contains a failure, that failure; called by imgtool-plot. */
ImgStatus plot_wire_reply(int to, const PlotBytes *picture, const ImgError *err);

/* --- Child process -------------------------------------------------------------------------------
 *
 * Draws plots in a child process. The libraries for drawing are large, and they end or hang a
 * process that has too little memory. */

/* First argument of imgtool-plot, which names the kind of the request. The second argument is the
 * format, "png" or "svg". */
#define PLOT_CHILD_HISTOGRAM "histogram" /* the request is made by plot_request_pack */
#define PLOT_CHILD_BENCH     "bench"     /* the request is a report as bench_print_json writes it */

/* Lets `program`, the path of imgtool-plot, draw the request. `what` is PLOT_CHILD_HISTOGRAM or
 * PLOT_CHILD_BENCH. Writes the picture to `path` atomically. If the child fails, crashes or takes
 * longer than a minute, it is ended, and no file is left behind. Messages do not contain the name
 * of the file. `err` must not be NULL. */
ImgStatus plot_child_draw(const char *program, const char *what, const PlotBytes *request,
                          const char *path, ImgError *err);

#endif
