/* What a table of bars shows: rows, columns, values and texts. app/plot/bars.h draws it. */
#ifndef IMGTOOL_APP_PLOT_BAR_TABLE_H
#define IMGTOOL_APP_PLOT_BAR_TABLE_H

#include <stdbool.h>

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
    double value;      /* its length; 0: no bar, only the text */
    double noise;      /* a whisker of so much to either side, as a part of the value */
    const char *text;  /* the value */
    const char *share; /* of the limit; may be empty */
} PlotBar;

typedef struct PlotBarRow {
    const char *name;
    bool best;     /* of the whole table */
    PlotBar *bars; /* one per column */
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

#endif
