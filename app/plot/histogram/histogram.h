/* Draws a histogram, with the overlapping curves of all channels.
 *
 * If there are more bins than columns, each column is the sum of several bins, and the label of the
 * axis says so. On a linear scale, a few very high columns would flatten all others. Columns above
 * three times the 95th percentile of their channel are therefore cut and marked. A text gives the
 * count of the highest one. Alpha does not affect the scale, and the columns of black and white do
 * not affect the percentile. */
#ifndef IMGTOOL_APP_PLOT_HISTOGRAM_HISTOGRAM_H
#define IMGTOOL_APP_PLOT_HISTOGRAM_HISTOGRAM_H

#include "app/helper/plot_file.h"
#include "app/helper/plot_request.h"
#include "kernels/core/status.h"

/* Draws the histogram as a PNG or SVG picture, which the caller frees. Equal data always give equal
 * PNG bytes. The bytes of an SVG can differ, because its ids depend on earlier plots of the
 * process. */
ImgStatus plot_histogram(const PlotHistogram *what, bool svg, PlotBytes *picture, ImgError *err);

#endif
