/* Shared by the files that draw a histogram plot: styles of series, positions of columns, and the
 * drawing functions. */
#ifndef IMGTOOL_APP_PLOT_HISTOGRAM_CURVES_H
#define IMGTOOL_APP_PLOT_HISTOGRAM_CURVES_H

#include "app/helper/plot_request.h"
#include "app/plot/histogram/columns.h"
#include "app/plot/plot.h"

/* Style of a series. People with any common colour vision deficiency can distinguish the hues
 * (after Okabe and Ito, "Color Universal Design", and Tol, "Colour schemes"). The curves also have
 * letters. */
typedef struct Look {
    const char *name, *letter;
    PlotMark mark;
    /* bits of the light that the area of the series represents: red (1), green (2), blue (4) */
    unsigned light;
    PlotColor line;
} Look;

/* Fill colours of areas. The index has the bits of all lights whose curves cover the area. Lights
 * add up where areas overlap: red and green give yellow, all three give gray. The tints are visible
 * on white. */
extern const PlotColor plot_tints[8];

typedef struct Curve {
    const Look *look;
    const char *name;
    double sums[PLOT_COLUMNS_MAX];
} Curve;

typedef struct Drawing {
    const PlotHistogram *what;
    PlotFrame frame;
    PlotScale scale;
    PlotColumns columns;
    int count;
    Curve curves[PLOT_SERIES_MAX];
} Drawing;

const Look *plot_look(const char *name);

/* Returns the x coordinate of the left edge of a column. The index after the last column gives the
 * right edge of the frame. */
double plot_column_left(const Drawing *drawing, int column);

/* Draws the areas and outlines of all curves. Clip to the frame before the call. */
void plot_curves(const Drawing *drawing);

/* Draws the letter of each curve at a column where there is space and the curve is much higher than
 * the others. */
void plot_letters(const Drawing *drawing);

/* Draws triangles above the frame over the columns that exceed the scale, and explains them in a
 * text with the baseline at `y`. */
void plot_cuts(const Drawing *drawing, double y);

#endif
