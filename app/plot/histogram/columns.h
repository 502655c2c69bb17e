/* Groups the bins of a histogram into the columns of a plot, and finds the upper end of the linear
 * scale. Draws nothing. */
#ifndef IMGTOOL_APP_PLOT_HISTOGRAM_COLUMNS_H
#define IMGTOOL_APP_PLOT_HISTOGRAM_COLUMNS_H

#include <stdint.h>

enum { PLOT_COLUMNS_MAX = 768 };

/* The grouping of bins: `group` bins per column, possibly fewer in the last column. */
typedef struct PlotColumns {
    int bins, group, count;
} PlotColumns;

/* Chooses the grouping. Up to PLOT_COLUMNS_MAX bins there is one bin per column. For more bins
 * there are 256 columns if 256 divides the number of bins, so that 16-bit pictures look like 8-bit
 * pictures; otherwise as few bins per column as possible. */
PlotColumns plot_columns(int bins);

/* Sums the bins of each column. If the last column has fewer bins, its sum is scaled up: it is
 * drawn narrower, and its area must represent its count. */
void plot_columns_sum(PlotColumns columns, const uint64_t *counts, double *sums);

/* Returns the upper end of the linear scale: the highest column, but at most three times the 95th
 * percentile of the columns above 0. The first and the last column contain clipped pixels. They are
 * excluded from the percentile if there are 8 others. Returns 0 if all columns are 0. */
double plot_columns_limit(PlotColumns columns, const double *sums);

#endif
