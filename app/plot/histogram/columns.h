/* Assigns the bins of a histogram to the columns of a plot, and finds the upper end of the linear
 * scale. Draws nothing. */
#ifndef IMGTOOL_APP_PLOT_HISTOGRAM_COLUMNS_H
#define IMGTOOL_APP_PLOT_HISTOGRAM_COLUMNS_H

#include <stdint.h>

enum { PLOT_COLUMNS_MAX = 768 };

/* Assignment of bins to columns. Each column has `group` bins; the last column may have fewer. */
typedef struct PlotColumns {
    int bins, group, count;
} PlotColumns;

/* Chooses the number of bins per column. Up to PLOT_COLUMNS_MAX bins, each bin is a column. More
 * bins become 256 columns if 256 divides their number, so that 16-bit pictures look like 8-bit
 * pictures. Otherwise a column has as few bins as the maximum of columns allows. */
PlotColumns plot_columns(int bins);

/* Adds up the counts of the bins in each column. If the last column has fewer bins, it is drawn
 * narrower. Its sum is scaled up, so that its area is in proportion to its count. */
void plot_columns_sum(PlotColumns columns, const uint64_t *counts, double *sums);

/* Returns the upper end of the linear scale: the highest column that does not exceed three times
 * the 95th percentile of the columns above 0. The first and last column contain clipped pixels.
 * They are left out of the percentile if at least 8 other columns are above 0. Returns 0 if all
 * columns are 0. */
double plot_columns_limit(PlotColumns columns, const double *sums);

#endif
