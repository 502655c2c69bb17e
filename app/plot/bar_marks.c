#include "app/plot/bar_marks.h"

const PlotColor plot_bar_colors[2] = {{0.76, 0.80, 0.84}, {0.00, 0.36, 0.66}};
const PlotColor plot_bar_limit = {0.84, 0.33, 0.00}, plot_bar_alarm = {0.75, 0.05, 0.15};

static const PlotColor white = {1, 1, 1};

void plot_bar_fill(cairo_t *cairo, PlotColor color, double x, double y, double width, double height)
{
    cairo_set_source_rgb(cairo, color.red, color.green, color.blue);
    cairo_rectangle(cairo, x, y, width, height);
    cairo_fill(cairo);
}

void plot_bar_upright(cairo_t *cairo, PlotColor color, double x, double y0, double y1, double width)
{
    plot_bar_fill(cairo, color, x - width / 2, y0, width, y1 - y0);
}

void plot_bar_whisker(cairo_t *cairo, double x0, double x1, double y)
{
    plot_bar_fill(cairo, white, x0 - 1.5, y - 1.5, x1 - x0 + 3, 3);
    plot_bar_upright(cairo, white, x0, y - 4, y + 4, 3);
    plot_bar_upright(cairo, white, x1, y - 4, y + 4, 3);
    plot_bar_fill(cairo, plot_ink, x0, y - 0.5, x1 - x0, 1);
    plot_bar_upright(cairo, plot_ink, x0, y - 3, y + 3, 1);
    plot_bar_upright(cairo, plot_ink, x1, y - 3, y + 3, 1);
}
