/* What the parts of a histogram plot share: how series look, and where their columns are. */
#ifndef IMGTOOL_APP_PLOT_HISTOGRAM_CURVES_H
#define IMGTOOL_APP_PLOT_HISTOGRAM_CURVES_H

#include "app/helper/plot_request.h"
#include "app/plot/histogram/columns.h"
#include "app/plot/plot.h"

/* How a series looks. Hues that are told apart with every common kind of colour blindness (after
 * Okabe and Ito, "Color Universal Design", and Tol, "Colour schemes"); curves carry letters too. */
typedef struct Look {
    const char *name, *letter;
    PlotMark mark;
    unsigned light; /* which of red (1), green (2), blue (4) its area stands for */
    PlotColor line;
} Look;

/* Of areas, by the lights that are under all of their curves; where lights meet, they add up, in
 * tints that stay visible on white: red and green are yellow, all three are gray. */
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

/* The column after the last one is the right edge of the frame. */
double plot_column_left(const Drawing *drawing, int column);

/* Areas, outlines. Clip to the frame. */
void plot_curves(const Drawing *drawing);

/* Each curve gets its letter where it stands out most and there is room. */
void plot_letters(const Drawing *drawing);

/* Triangles over the frame where columns are cut off, and a line at `y` that explains them. */
void plot_cuts(const Drawing *drawing, double y);

#endif
