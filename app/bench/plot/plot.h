/* Draws a benchmark. Each operation and backend has a panel, with a column of bars per format. A
 * line in each column marks the rate of a copy. */
#ifndef IMGTOOL_APP_BENCH_PLOT_PLOT_H
#define IMGTOOL_APP_BENCH_PLOT_PLOT_H

#include "app/bench/report.h"
#include "app/helper/plot_file.h"

/* Returns a PNG or SVG picture, which the caller frees. IMG_E_USAGE if nothing was timed or
 * counted. IMG_E_LIMIT if a PNG would be too large. Equal reports give equal PNG bytes. */
ImgStatus bench_plot(const BenchReport *report, bool svg, PlotBytes *picture, ImgError *err);

/* --- The process that draws: draw.c ----------------------------------------------------------- */
/* It reads one request and answers with one picture (app/helper/plot_child.h). */

/* Reads the request from standard input and writes the picture to standard output. `what` and
 * `form` are the arguments of imgtool-plot. Returns the exit code. */
int bench_draw(const char *what, const char *form);

#endif
