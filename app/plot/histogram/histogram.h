/* A histogram as a picture: channels overlaid, so that all stay readable.
 *
 * Where there are more bins than fit, a column of the plot is the sum of several, and the axis says
 * so. On the linear scale, columns far above all others would flatten them: each channel's columns
 * that are more than three times its 95th percentile, black and white at the ends left aside, are
 * cut off and marked, and the plot says that and how high the highest is. Alpha never sets the
 * scale. */
#ifndef IMGTOOL_APP_PLOT_HISTOGRAM_HISTOGRAM_H
#define IMGTOOL_APP_PLOT_HISTOGRAM_HISTOGRAM_H

#include "app/helper/plot_file.h"
#include "app/helper/plot_request.h"
#include "kernels/core/status.h"

/* A PNG or SVG picture, to be freed. The same data give the same PNG; an SVG's ids depend on what
 * was drawn before. */
ImgStatus plot_histogram(const PlotHistogram *what, bool svg, PlotBytes *picture, ImgError *err);

#endif
