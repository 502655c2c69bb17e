/* Styles, positions of columns, and drawing functions. All files that draw a histogram use them. */
#ifndef IMGTOOL_APP_PLOT_HISTOGRAM_CURVES_H
#define IMGTOOL_APP_PLOT_HISTOGRAM_CURVES_H

#include "app/helper/plot_request.h"
#include "app/plot/histogram/columns.h"
#include "app/plot/plot.h"

/* Style of the curve of a channel. Readers with a common colour vision deficiency can distinguish
 * the hues (after Okabe and Ito, "Color Universal Design", and Tol, "Colour schemes"). Letters also
 * identify the curves. */
typedef struct Look {
    const char *name, *letter;
    PlotMark mark;
    /* light that the area under the curve represents, as bits: red (1), green (2), blue (4); 0: no
     * area */
    unsigned light;
    PlotColor line;
} Look;

/* Fill colours of areas. The index combines the bits of all lights whose curves cover the area.
 * Colours add like light: red and green give yellow, all three give gray. All colours are visible
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

/* Returns the x coordinate of the left edge of a column. The number of columns as index gives the
 * right edge of the frame. */
double plot_column_left(const Drawing *drawing, int column);

/* Draws the areas and outlines of all curves. The caller must set the clip to the frame. */
void plot_curves(const Drawing *drawing);

/* Draws the letter of each curve. It stands at a column where the curve is much higher than the
 * others and where no other letter is. */
void plot_letters(const Drawing *drawing);

/* Draws triangles above the frame, over the columns that exceed the scale. A text with its baseline
 * at `y` explains the triangles. */
void plot_cuts(const Drawing *drawing, double y);

#endif
