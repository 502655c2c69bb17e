/* Draws plots in a child process. The libraries for drawing are large, and they end or hang a
 * process that has too little memory. */
#ifndef IMGTOOL_APP_HELPER_PLOT_CHILD_H
#define IMGTOOL_APP_HELPER_PLOT_CHILD_H

#include "app/helper/plot_file.h"
#include "kernels/core/status.h"

/* First argument of imgtool-plot: the kind of the request. The second one is the format, "png" or
 * "svg". */
#define PLOT_CHILD_HISTOGRAM "histogram" /* made by plot_request_pack */
#define PLOT_CHILD_BENCH     "bench"     /* a report as bench_print_json writes it */

/* Lets `program`, the path of imgtool-plot, draw the request, and writes the picture to `path`
 * atomically. If the child fails, crashes or takes longer than a minute, it is ended and no file is
 * left. Messages do not name the file; err must not be NULL. */
ImgStatus plot_child_draw(const char *program, const char *what, const PlotBytes *request,
                          const char *path, ImgError *err);

#endif
