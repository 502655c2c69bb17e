/* Draws one column of a bar table within one band of the table. */
#ifndef IMGTOOL_APP_PLOT_BARS_CELL_H
#define IMGTOOL_APP_PLOT_BARS_CELL_H

#include <cairo.h>

#include "app/plot/bar_table.h"
#include "app/plot/plot.h"

/* --- Colours and marks. Coordinates are in units of a PlotPage -------------------------------- */

/* Colours of bars (index 1: of the best bar), of limits, and of failures. */
extern const PlotColor plot_bar_colors[2], plot_bar_limit, plot_bar_alarm;

/* Fills a rectangle with its upper left corner at (x, y). */
void plot_bar_fill(cairo_t *cairo, PlotColor color, double x, double y, double width,
                   double height);

/* Draws a vertical line from y0 to y1, centred on x. */
void plot_bar_upright(cairo_t *cairo, PlotColor color, double x, double y0, double y1,
                      double width);

/* Draws a whisker from x0 to x1, centred on y. */
void plot_bar_whisker(cairo_t *cairo, double x0, double x1, double y);

/* --- A column --------------------------------------------------------------------------------- */

enum { PLOT_BAR_PITCH = 19, PLOT_BAR_HEIGHT = 15, PLOT_BAR_GAP = 14 };

/* Font sizes: of names, of values and limits, and of the numbers at axes. */
#define PLOT_BAR_NAME_SIZE  11.5
#define PLOT_BAR_VALUE_SIZE 10.5
#define PLOT_BAR_AXIS_SIZE  10.0

typedef struct PlotBarCell {
    cairo_t *cairo;
    const PlotBars *bars;
    int column;
    double left, top, width, bottom; /* area of the bars */
} PlotBarCell;

/* Returns the y coordinate of the upper edge of the bar in row `row`, if the first row starts at
 * `top`. */
double plot_bar_top(double top, int row);

/* Returns the x coordinate of a value, at most the right end of the axis. */
double plot_bar_place(const PlotBarCell *cell, double value);

/* Draws the grid lines of the axis and their numbers. */
void plot_bar_ticks(const PlotBarCell *cell);

/* Draws the limit, if the column has one. */
void plot_bar_limit_line(const PlotBarCell *cell);

/* Draws the column: axis, limit, bars, and its name on the baseline y = `name`. */
void plot_bar_cell(const PlotBarCell *cell, double name);

#endif
