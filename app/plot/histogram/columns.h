/* Groups the bins of a histogram into the columns of a plot, and finds the end of the linear scale.
 * No drawing here. */
#ifndef IMGTOOL_APP_PLOT_HISTOGRAM_COLUMNS_H
#define IMGTOOL_APP_PLOT_HISTOGRAM_COLUMNS_H

#include <stdint.h>

enum { PLOT_COLUMNS_MAX = 768 };

/* Grouping: `group` bins per column, possibly fewer in the last one. */
typedef struct PlotColumns {
    int bins, group, count;
} PlotColumns;

/* One bin per column up to PLOT_COLUMNS_MAX bins. Above, 256 columns if that divides the bins, so
 * that 16-bit pictures look like 8-bit ones; otherwise the fewest bins per column that fit. */
PlotColumns plot_columns(int bins);

/* Sums the bins of each column. A last column with fewer bins is scaled up, because it is drawn
 * narrower and its area must be right. */
void plot_columns_sum(PlotColumns columns, const uint64_t *counts, double *sums);

/* Returns the highest column that fits on the linear scale: at most three times the 95th percentile
 * of the columns above 0. The first and last column, which contain clipped pixels, are excluded
 * from the percentile if there are 8 others. 0 if all are 0. */
double plot_columns_limit(PlotColumns columns, const double *sums);

#endif
