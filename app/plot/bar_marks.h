/* The colours of bars, and the marks that they are drawn with. Units are those of a PlotPage. */
#ifndef IMGTOOL_APP_PLOT_BAR_MARKS_H
#define IMGTOOL_APP_PLOT_BAR_MARKS_H

#include <cairo.h>

#include "app/plot/plot.h"

/* What bars are filled with (the second is that of the best one), what draws limits, and what
 * failures are written with. */
extern const PlotColor plot_bar_colors[2], plot_bar_limit, plot_bar_alarm;

/* A rectangle with its upper left corner at (x, y). */
void plot_bar_fill(cairo_t *cairo, PlotColor color, double x, double y, double width,
                   double height);

/* A line from y0 to y1 around x. */
void plot_bar_upright(cairo_t *cairo, PlotColor color, double x, double y0, double y1,
                      double width);

/* A whisker from x0 to x1 around y. */
void plot_bar_whisker(cairo_t *cairo, double x0, double x1, double y);

#endif
