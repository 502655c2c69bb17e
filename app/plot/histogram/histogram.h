/* Draws a histogram as a picture in which the curves of all channels overlap.
 *
 * If there are more bins than columns, each column is the sum of several bins, and the axis says
 * so. On the linear scale a few very high columns would flatten the others. Columns above three
 * times the 95th percentile of their channel are therefore cut and marked, and a text gives the
 * count of the highest. The columns of black and white are excluded from the percentile, and alpha
 * does not affect the scale. */
#ifndef IMGTOOL_APP_PLOT_HISTOGRAM_HISTOGRAM_H
#define IMGTOOL_APP_PLOT_HISTOGRAM_HISTOGRAM_H

#include "app/helper/plot_file.h"
#include "app/helper/plot_request.h"
#include "kernels/core/status.h"

/* Returns a PNG or SVG picture, which the caller frees. Equal data always give equal PNG bytes. The
 * bytes of an SVG can differ, because its ids depend on earlier plots of the process. */
ImgStatus plot_histogram(const PlotHistogram *what, bool svg, PlotBytes *picture, ImgError *err);

#endif
