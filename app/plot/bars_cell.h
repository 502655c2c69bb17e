/* Draws one column of a table of bars. If columns do not fit beside each other, the table has
 * several bands, one below the other (bar_table.h). */
#ifndef IMGTOOL_APP_PLOT_BARS_CELL_H
#define IMGTOOL_APP_PLOT_BARS_CELL_H

#include <cairo.h>

#include "app/plot/bar_table.h"
#include "app/plot/plot.h"

/* --- Colours and marks. Coordinates are in units of a PlotPage -------------------------------- */

/* Colours of plain bars (index 0), of the best bars (index 1), of limits and of failures. */
extern const PlotColor plot_bar_colors[2], plot_bar_limit, plot_bar_alarm;

/* Fills a rectangle. Its upper left corner is at (x, y). */
void plot_bar_fill(cairo_t *cairo, PlotColor color, double x, double y, double width,
                   double height);

/* Draws the whisker of a bar from x0 to x1, centred on y. */
void plot_bar_whisker(cairo_t *cairo, double x0, double x1, double y);

/* --- A column --------------------------------------------------------------------------------- */

enum { PLOT_BAR_PITCH = 19, PLOT_BAR_HEIGHT = 15, PLOT_BAR_GAP = 14 };

/* Font sizes of names, of values and limits, and of the numbers at axes, in units of a PlotPage. */
#define PLOT_BAR_NAME_SIZE  11.5
#define PLOT_BAR_VALUE_SIZE 10.5
#define PLOT_BAR_AXIS_SIZE  10.0

typedef struct PlotBarCell {
    cairo_t *cairo;
    const PlotBars *bars;
    int column;
    double left, top, width, bottom; /* area of the bars, in units of a PlotPage */
} PlotBarCell;

/* Returns the y coordinate of the upper edge of the bar in row `row`. `top` is the upper edge of
 * the area of the bars. */
double plot_bar_top(double top, int row);

/* Draws the whole column: axis, limit, bars, and its name. The baseline of the name is at y =
 * `name`. */
void plot_bar_cell(const PlotBarCell *cell, double name);

#endif
