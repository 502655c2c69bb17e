/* Bars in a table: a row for each thing that is compared, a column for each case that it was
 * measured on, and in each column a line at the limit. So names are written once, next to what they
 * name, and a row that wins everywhere is seen as one.
 *
 * Where there are many columns, they continue in further bands below. Units are those of a
 * PlotPage. */
#ifndef IMGTOOL_APP_PLOT_BARS_H
#define IMGTOOL_APP_PLOT_BARS_H

#include <cairo.h>
#include <stdbool.h>

#include "app/plot/bar_table.h"

double plot_bars_height(const PlotBars *bars);

/* Is there room in the width for all texts of the head? What has none loses its middle. */
bool plot_bars_fit(cairo_t *cairo, double width, const PlotBars *bars);

/* (x, y) is the upper left corner. */
void plot_bars(cairo_t *cairo, double x, double y, double width, const PlotBars *bars);

/* "2835", "119", "5.94", "150 k": four digits at most; returns `text`. */
const char *plot_bar_number(double value, char text[PLOT_BAR_NUMBER]);

#endif
