/* The content of a table of bars: its rows, columns, values and texts. bars.c draws
 * it. */
#ifndef IMGTOOL_APP_PLOT_BAR_TABLE_H
#define IMGTOOL_APP_PLOT_BAR_TABLE_H

#include <cairo.h>
#include <stdbool.h>

enum { PLOT_BAR_NUMBER = 32 };

typedef enum PlotBarKind {
    PLOT_BAR_PLAIN,
    PLOT_BAR_BEST,    /* The value is the best one of its column. */
    PLOT_BAR_FAILED,  /* There is no bar. The text is drawn in the colour of failures. */
    PLOT_BAR_MISSING, /* There is no bar. The text is drawn in a pale colour. */
} PlotBarKind;

/* The bar of one row in one column. Its texts are borrowed and never NULL. They are results of
 * plot_clean_text or constants of the program. */
typedef struct PlotBar {
    PlotBarKind kind;
    /* value that the length of the bar shows, in the unit of the axis; 0: only the text is drawn */
    double value;
    /* noise of the value, relative to the value. A whisker shows it on both sides of the bar's
     * end */
    double noise;
    const char *text; /* value as text */
    /* value relative to the limit of the column, as text such as "96 %"; may be "" */
    const char *share;
} PlotBar;

typedef struct PlotBarRow {
    const char *name;
    bool best;     /* true if the row is the best one of the whole table */
    PlotBar *bars; /* bars of this row, one per column */
} PlotBarRow;

typedef struct PlotBarColumn {
    const char *name;
    double top; /* value at the right end of the axis, greater than 0 */
    /* limit of the values in the column, such as the rate of a copy, at most `top`; 0: no line is
     * drawn for it */
    double limit;
    const char *limit_text; /* text to draw above the line that marks the limit */
} PlotBarColumn;

typedef struct PlotBars {
    /* texts at the left and at the right of the first line above the table */
    const char *title, *aside;
    /* second line above the table, for example a sentence that names the best row; may be "" */
    const char *headline;
    const char *note;       /* third line above the table; may be "" */
    const char *unit;       /* unit of the axis */
    const char *limit_name; /* name of the limit; "" if no column has a limit */
    PlotBarColumn *columns;
    PlotBarRow *rows;
    int column_count, row_count;
} PlotBars;

/* --- Drawing ---------------------------------------------------------------------------------- */

/* The functions below draw a table of bars, with one row per compared item and one column per case.
 * A line marks the limit of each column. Names stand beside their bars. The best bars of each
 * column and the best row of the table have another colour.
 *
 * Columns that do not fit beside each other continue in a further band below. Coordinates are in
 * units of a PlotPage. */

double plot_bars_height(const PlotBars *bars);

/* Returns true if all texts above the table fit in `width`. Other texts are not checked, because
 * they can be shortened by an ellipsis. */
bool plot_bars_fit(cairo_t *cairo, double width, const PlotBars *bars);

/* Draws the table. Its upper left corner is at (x, y). */
void plot_bars(cairo_t *cairo, double x, double y, double width, const PlotBars *bars);

/* Writes a value as a short text, for example "2835", "119", "5.94" or "150 k". Returns `text`. */
const char *plot_bar_number(double value, char text[PLOT_BAR_NUMBER]);

#endif
