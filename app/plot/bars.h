/* Draws a table of bars, with one row per compared item and one column per case. A line marks the
 * limit of each column. Names stand beside their bars. The best bars of each column and the best
 * row of the table have another colour.
 *
 * Columns that do not fit beside each other continue in a further band below. Coordinates are in
 * units of a PlotPage. */
#ifndef IMGTOOL_APP_PLOT_BARS_H
#define IMGTOOL_APP_PLOT_BARS_H

#include <cairo.h>
#include <stdbool.h>

#include "app/plot/bar_table.h"

double plot_bars_height(const PlotBars *bars);

/* Returns true if all texts above the table fit in `width`. Other texts are not checked, because
 * they can be shortened by an ellipsis. */
bool plot_bars_fit(cairo_t *cairo, double width, const PlotBars *bars);

/* Draws the table. Its upper left corner is at (x, y). */
void plot_bars(cairo_t *cairo, double x, double y, double width, const PlotBars *bars);

/* Writes a value as a short text, for example "2835", "119", "5.94" or "150 k". Returns `text`. */
const char *plot_bar_number(double value, char text[PLOT_BAR_NUMBER]);

#endif
