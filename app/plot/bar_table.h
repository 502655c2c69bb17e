/* The content of a bar table: rows, columns, values and texts. The functions of app/plot/bars.h
 * draw it. */
#ifndef IMGTOOL_APP_PLOT_BAR_TABLE_H
#define IMGTOOL_APP_PLOT_BAR_TABLE_H

#include <stdbool.h>

enum { PLOT_BAR_NUMBER = 32 };

typedef enum PlotBarKind {
    PLOT_BAR_PLAIN,
    PLOT_BAR_BEST,    /* the best value of its column */
    PLOT_BAR_FAILED,  /* no bar; the text is drawn in the colour of failures */
    PLOT_BAR_MISSING, /* no bar; the text is drawn in a pale colour */
} PlotBarKind;

/* A bar of one row in one column. Texts are borrowed: results of plot_clean_text or constants of
 * the program, never NULL. */
typedef struct PlotBar {
    PlotBarKind kind;
    double value; /* length of the bar, in the unit of the axis; 0: only the text is drawn */
    /* length of the whisker on either side of the bar's end, as a part of the value */
    double noise;
    const char *text;  /* the value as text */
    const char *share; /* the value as a share of the limit, as text; may be empty */
} PlotBar;

typedef struct PlotBarRow {
    const char *name;
    bool best;     /* true for the row that is best in the whole table */
    PlotBar *bars; /* the bars of the row, one per column */
} PlotBarRow;

typedef struct PlotBarColumn {
    const char *name;
    double top;             /* value at the full width of the column; greater than 0 */
    double limit;           /* value of the limit, at most `top`; 0: no line is drawn */
    const char *limit_text; /* text above the line of the limit */
} PlotBarColumn;

typedef struct PlotBars {
    const char *title, *aside; /* left and right text of the first line of the head */
    const char *headline;      /* second line of the head: the quantity that the bars show */
    const char *note;          /* third line of the head */
    const char *unit;          /* unit of the axis */
    const char *limit_name;    /* name of the limit; empty: there are no limits */
    PlotBarColumn *columns;
    PlotBarRow *rows;
    int column_count, row_count;
} PlotBars;

#endif
