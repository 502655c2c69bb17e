/* One column of a table of bars, in one band: what plot_bars is put together from. */
#ifndef IMGTOOL_APP_PLOT_BARS_CELL_H
#define IMGTOOL_APP_PLOT_BARS_CELL_H

#include <cairo.h>

#include "app/plot/bar_table.h"

enum { PLOT_BAR_PITCH = 19, PLOT_BAR_HEIGHT = 15, PLOT_BAR_GAP = 14 };

/* Text sizes: of names, of values and limits, of axes. */
#define PLOT_BAR_NAME_SIZE  11.5
#define PLOT_BAR_VALUE_SIZE 10.5
#define PLOT_BAR_AXIS_SIZE  10.0

typedef struct PlotBarCell {
    cairo_t *cairo;
    const PlotBars *bars;
    int column;
    double left, top, width, bottom; /* of the bars */
} PlotBarCell;

/* Where the bar of a row begins, downwards. */
double plot_bar_top(double top, int row);

/* Where a value lies on the scale; what is beyond its end is at the end. */
double plot_bar_place(const PlotBarCell *cell, double value);

/* Lines of the scale and their numbers. */
void plot_bar_ticks(const PlotBarCell *cell);

/* Where there is one. */
void plot_bar_limit_line(const PlotBarCell *cell);

/* The column's name, at the line `name`, its axis, limit and bars. */
void plot_bar_cell(const PlotBarCell *cell, double name);

#endif
