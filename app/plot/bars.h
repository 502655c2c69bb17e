/* Draws a table of bars: one row per compared item and one column per case. A line marks the limit
 * of each column. Names are next to their bars, and an item that is best in all columns is marked.
 *
 * Columns that do not fit continue in bands below. Coordinates are in units of a PlotPage. */
#ifndef IMGTOOL_APP_PLOT_BARS_H
#define IMGTOOL_APP_PLOT_BARS_H

#include <cairo.h>
#include <stdbool.h>

#include "app/plot/bar_table.h"

double plot_bars_height(const PlotBars *bars);

/* Returns true if all texts of the head fit in the width. Other texts may be too long: they are
 * drawn with an ellipsis in the middle. */
bool plot_bars_fit(cairo_t *cairo, double width, const PlotBars *bars);

/* Draws the table with its upper left corner at (x, y). */
void plot_bars(cairo_t *cairo, double x, double y, double width, const PlotBars *bars);

/* Writes a value with at most four digits, for example "2835", "119", "5.94" or "150 k". Returns
 * `text`. */
const char *plot_bar_number(double value, char text[PLOT_BAR_NUMBER]);

#endif
