/* Columns of a histogram, styles and drawing functions. All files that draw a histogram use them.
 */
#ifndef IMGTOOL_APP_PLOT_HISTOGRAM_CURVES_H
#define IMGTOOL_APP_PLOT_HISTOGRAM_CURVES_H

#include <stdint.h>

#include "app/helper/plot_request.h"
#include "app/plot/plot.h"

/* --- Columns, to which the bins are assigned; nothing is drawn -------------------------------- */

enum { PLOT_COLUMNS_MAX = 768 };

/* Assignment of bins to columns. Each column has `group` bins; the last column may have fewer. */
typedef struct PlotColumns {
    int bins, group, count;
} PlotColumns;

/* Chooses the number of bins per column. Up to PLOT_COLUMNS_MAX bins, each bin is a column. More
 * bins become 256 columns if 256 divides their number, so that 16-bit pictures look like 8-bit
 * pictures. Otherwise a column has as few bins as the maximum of columns allows. */
PlotColumns plot_columns(int bins);

/* Adds up the counts of the bins in each column. If the last column has fewer bins, it is drawn
 * narrower. Its sum is scaled up, so that its area is in proportion to its count. */
void plot_columns_sum(PlotColumns columns, const uint64_t *counts, double *sums);

/* Returns the upper end of the linear scale: the highest column that does not exceed three times
 * the 95th percentile of the columns above 0. The first and last column contain clipped pixels.
 * They are left out of the percentile if at least 8 other columns are above 0. Returns 0 if all
 * columns are 0. */
double plot_columns_limit(PlotColumns columns, const double *sums);

/* --- Curves ----------------------------------------------------------------------------------- */

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
