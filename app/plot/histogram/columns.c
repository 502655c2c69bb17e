#include "app/plot/histogram/columns.h"

#include <stdlib.h>
#include <string.h>

PlotColumns plot_columns(int bins)
{
    int group = 1;
    if (bins > PLOT_COLUMNS_MAX)
        group = bins % 256 == 0 ? bins / 256 : (bins + PLOT_COLUMNS_MAX - 1) / PLOT_COLUMNS_MAX;
    return (PlotColumns){bins, group, (bins + group - 1) / group};
}

void plot_columns_sum(PlotColumns columns, const uint64_t *counts, double *sums)
{
    for (int c = 0; c < columns.count; c++) {
        int first = c * columns.group, end = first + columns.group;
        if (end > columns.bins)
            end = columns.bins;
        uint64_t sum = 0;
        for (int bin = first; bin < end; bin++)
            sum += counts[bin];
        sums[c] = (double)sum * columns.group / (end - first);
    }
}

static int compare_falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

double plot_columns_limit(PlotColumns columns, const double *sums)
{
    enum { ENOUGH_INSIDE = 8 };
    double sorted[PLOT_COLUMNS_MAX];
    int inside = 0, all = 0;
    for (int c = 1; c < columns.count - 1; c++)
        if (sums[c] > 0)
            sorted[inside++] = sums[c];
    all = inside;
    if (inside < ENOUGH_INSIDE) {
        if (sums[0] > 0)
            sorted[all++] = sums[0];
        if (columns.count > 1 && sums[columns.count - 1] > 0)
            sorted[all++] = sums[columns.count - 1];
    }
    if (all == 0)
        return sums[0] > sums[columns.count - 1] ? sums[0] : sums[columns.count - 1];
    qsort(sorted, (size_t)all, sizeof *sorted, compare_falling);
    double most = 3 * sorted[(all * 5 + 50) / 100], limit = 0;
    for (int c = 0; c < columns.count; c++)
        if (sums[c] <= most && sums[c] > limit)
            limit = sums[c];
    return limit;
}
