/* Draws the results of a benchmark. There is one panel per operation and backend, with a column of
 * bars per format. A line in each column marks the limit, such as the rate of a copy. */
#ifndef IMGTOOL_APP_BENCH_PLOT_PLOT_H
#define IMGTOOL_APP_BENCH_PLOT_PLOT_H

#include "app/bench/report.h"
#include "app/helper/plot_file.h"

/* Draws the report as a PNG or SVG picture, which the caller frees. Fails with IMG_E_USAGE if
 * nothing was timed or counted, and with IMG_E_LIMIT if a PNG would be too large. Equal reports
 * give equal PNG bytes. */
ImgStatus bench_plot(const BenchReport *report, bool svg, PlotBytes *picture, ImgError *err);

/* --- The process that draws: draw.c ----------------------------------------------------------- */
/* The process imgtool-plot reads one request and answers with one picture
 * (app/helper/plot_child.h). */

/* Reads the request from standard input, and writes the picture to standard output. `what` (the
 * kind of plot) and `form` (such as "svg") are the arguments of imgtool-plot. Returns the exit
 * code. */
int bench_draw(const char *what, const char *form);

#endif
