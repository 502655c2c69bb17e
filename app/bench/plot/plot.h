/* A benchmark as a picture: a panel for each operation on each backend, in it a column of bars for
 * each format, and a line at what a copy reaches. */
#ifndef IMGTOOL_APP_BENCH_PLOT_PLOT_H
#define IMGTOOL_APP_BENCH_PLOT_PLOT_H

#include "app/bench/report.h"
#include "app/helper/plot_file.h"

/* A PNG or SVG picture, to be freed. IMG_E_USAGE where nothing was timed or counted, and
 * IMG_E_LIMIT where more was than a PNG can hold. The same report gives the same PNG. */
ImgStatus bench_plot(const BenchReport *report, bool svg, PlotBytes *picture, ImgError *err);

#endif
