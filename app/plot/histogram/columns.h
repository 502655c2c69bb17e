/* From bins to the columns of a histogram plot, and where its scale ends. No drawing here. */
#ifndef IMGTOOL_APP_PLOT_HISTOGRAM_COLUMNS_H
#define IMGTOOL_APP_PLOT_HISTOGRAM_COLUMNS_H

#include <stdint.h>

enum { PLOT_COLUMNS_MAX = 768 };

/* How bins become columns: `group` bins a column, the last one maybe fewer. */
typedef struct PlotColumns {
    int bins, group, count;
} PlotColumns;

/* As many columns as bins up to PLOT_COLUMNS_MAX. Beyond, 256 where that divides, so that 16-bit
 * pictures look as they would with 8 bits; else the fewest bins a column that fit. */
PlotColumns plot_columns(int bins);

/* Sums. The last column, where it has fewer bins, is scaled up to a full one: as narrow as it is
 * drawn, its area is right. */
void plot_columns_sum(PlotColumns columns, const uint64_t *counts, double *sums);

/* The highest column of a series that is not to be cut off on the linear scale: at most three times
 * the 95th percentile of the columns that are not 0. The first and last column, where clipped
 * pixels are, do not count for that if there are 8 others. 0 where all are 0. */
double plot_columns_limit(PlotColumns columns, const double *sums);

#endif
