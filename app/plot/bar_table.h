/* Content of a bar table: rows, columns, values and texts. app/plot/bars.h draws it. */
#ifndef IMGTOOL_APP_PLOT_BAR_TABLE_H
#define IMGTOOL_APP_PLOT_BAR_TABLE_H

#include <stdbool.h>

enum { PLOT_BAR_NUMBER = 32 };

typedef enum PlotBarKind {
    PLOT_BAR_PLAIN,
    PLOT_BAR_BEST,    /* best of its column */
    PLOT_BAR_FAILED,  /* no bar; the text is drawn in the colour of failures */
    PLOT_BAR_MISSING, /* no bar; the text is drawn pale */
} PlotBarKind;

/* Texts are borrowed. They are results of plot_clean_text or constants of the program, never
 * NULL. */
typedef struct PlotBar {
    PlotBarKind kind;
    double value;      /* length of the bar; 0: only the text */
    double noise;      /* length of the whisker to either side, as a part of the value */
    const char *text;  /* the value as text */
    const char *share; /* share of the limit as text; may be empty */
} PlotBar;

typedef struct PlotBarRow {
    const char *name;
    bool best;     /* best of the whole table */
    PlotBar *bars; /* one per column */
} PlotBarRow;

typedef struct PlotBarColumn {
    const char *name;
    double top;             /* value at the full width of the column; above 0 */
    double limit;           /* at most `top`; 0: no line */
    const char *limit_text; /* text above the line */
} PlotBarColumn;

typedef struct PlotBars {
    const char *title, *aside; /* left and right text of the first line */
    const char *headline;      /* second line: the quantity that the bars show */
    const char *note;          /* third line */
    const char *unit;          /* unit of the axis */
    const char *limit_name;    /* name of the limit; empty: there are no limits */
    PlotBarColumn *columns;
    PlotBarRow *rows;
    int column_count, row_count;
} PlotBars;

#endif
