/* Declarations shared by the parts of a histogram plot: styles of series, and positions of
 * columns. */
#ifndef IMGTOOL_APP_PLOT_HISTOGRAM_CURVES_H
#define IMGTOOL_APP_PLOT_HISTOGRAM_CURVES_H

#include "app/helper/plot_request.h"
#include "app/plot/histogram/columns.h"
#include "app/plot/plot.h"

/* Style of a series. The hues are distinguishable with every common colour vision deficiency (after
 * Okabe and Ito, "Color Universal Design", and Tol, "Colour schemes"); curves also have letters. */
typedef struct Look {
    const char *name, *letter;
    PlotMark mark;
    unsigned light; /* bits of the light that its area represents: red (1), green (2), blue (4) */
    PlotColor line;
} Look;

/* Fill colours of areas, indexed by the bits of all lights whose curves cover the area. Overlapping
 * lights add up, in tints that are visible on white: red and green give yellow, all three give
 * gray. */
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

/* Returns the left edge of a column. The index after the last column gives the right edge of the
 * frame. */
double plot_column_left(const Drawing *drawing, int column);

/* Draws areas and outlines. Clip to the frame first. */
void plot_curves(const Drawing *drawing);

/* Places the letter of each curve where the curve rises most above the others and there is
 * space. */
void plot_letters(const Drawing *drawing);

/* Draws triangles above the frame over cut columns, and an explanation with the baseline at `y`. */
void plot_cuts(const Drawing *drawing, double y);

#endif
