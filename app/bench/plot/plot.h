/* A benchmark as a picture: a panel for each operation on each backend, in it a column of bars for
 * each format, and a line at what a copy reaches. */
#ifndef IMGTOOL_APP_BENCH_PLOT_PLOT_H
#define IMGTOOL_APP_BENCH_PLOT_PLOT_H

#include "app/bench/report.h"

/* Draws to `path` (.png or .svg by its ending, "-": PNG on standard output, IMG_E_USAGE otherwise;
 * plot_page_check tells beforehand); the file appears whole or not at all. IMG_E_USAGE too where
 * nothing was timed or counted, and IMG_E_LIMIT where more was than a PNG can hold. Messages do not
 * name the file. The same report gives the same PNG. */
ImgStatus bench_plot(const BenchReport *report, const char *path, ImgError *err);

#endif
