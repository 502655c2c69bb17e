/* Bars in a table: a row for each thing that is compared, a column for each case that it was
 * measured on, and in each column a line at the limit. So names are written once, next to what they
 * name, and a row that wins everywhere is seen as one.
 *
 * Where there are many columns, they go on in further bands below. Units are those of a
 * PlotPage. */
#ifndef IMGTOOL_APP_PLOT_BARS_H
#define IMGTOOL_APP_PLOT_BARS_H

#include <cairo.h>
#include <stdbool.h>

#include "app/plot/plot.h"

enum { PLOT_BAR_NUMBER = 32 };

typedef enum PlotBarKind {
    PLOT_BAR_PLAIN,
    PLOT_BAR_BEST,    /* of its column */
    PLOT_BAR_FAILED,  /* its text stands in its place, as an alarm */
    PLOT_BAR_MISSING, /* the same, but pale */
} PlotBarKind;

/* Texts are borrowed and must be plot_clean_text's, or the program's own; none is NULL. */
typedef struct PlotBar {
    PlotBarKind kind;
    double value;      /* its length; 0: no bar */
    double noise;      /* a whisker of so much to either side, as a part of the value */
    const char *text;  /* the value */
    const char *share; /* of the limit; may be empty */
} PlotBar;

typedef struct PlotBarRow {
    const char *name;
    bool best;     /* of the whole table */
    PlotBar *bars; /* one a column */
} PlotBarRow;

typedef struct PlotBarColumn {
    const char *name;
    double top;             /* the value that takes the whole width; above 0 */
    double limit;           /* up to `top`; 0: no line */
    const char *limit_text; /* above the line */
} PlotBarColumn;

typedef struct PlotBars {
    const char *title, *aside; /* left and right of the first line */
    const char *headline;      /* the second line: what the bars show */
    const char *note;          /* the third */
    const char *unit;          /* of the axis */
    const char *limit_name;    /* empty: there are no limits */
    PlotBarColumn *columns;
    PlotBarRow *rows;
    int column_count, row_count;
} PlotBars;

/* What bars of a kind are filled with, what draws limits, and
 * what failures are written with. */
extern const PlotColor plot_bar_colors[2], plot_bar_limit, plot_bar_alarm;

double plot_bars_height(const PlotBars *bars);

/* (x, y) is the upper left corner. */
void plot_bars(cairo_t *cairo, double x, double y, double width, const PlotBars *bars);

/* A whisker from x0 to x1 around y. */
void plot_bar_whisker(cairo_t *cairo, double x0, double x1, double y);

/* "2835", "119", "5.94", "150 k": four digits at most; returns `text`. */
const char *plot_bar_number(double value, char text[PLOT_BAR_NUMBER]);

#endif
