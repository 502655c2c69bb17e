/* Plots are drawn by a process of their own: what draws brings libraries that turning a picture
 * does not need, and that end or hang a process which has too little memory. */
#ifndef IMGTOOL_APP_HELPER_PLOT_CHILD_H
#define IMGTOOL_APP_HELPER_PLOT_CHILD_H

#include "app/helper/plot_file.h"
#include "kernels/core/status.h"

/* The first argument of imgtool-plot: what is asked. The second is the form, "png" or "svg". */
#define PLOT_CHILD_HISTOGRAM "histogram" /* plot_request_pack */
#define PLOT_CHILD_BENCH     "bench"     /* a report as bench_print_json writes it */

/* Has `what` drawn by `program`, the path of imgtool-plot, and puts the picture in its place at
 * `path`, whole or not at all. Where the other process fails, crashes or takes longer than a
 * minute, nothing is left of either. Messages do not name the file; err is not NULL. */
ImgStatus plot_child_draw(const char *program, const char *what, const PlotBytes *request,
                          const char *path, ImgError *err);

#endif
