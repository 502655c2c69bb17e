/* Converts the groups of a report to the panels of a plot. Draws nothing.
 *
 * A panel shows the groups with the same title, backend and size. Its columns are formats (for
 * experiments, cases), and its rows are variants. An experiment has one panel per counter that it
 * explains and, if it was timed, one for the rates. */
#ifndef IMGTOOL_APP_BENCH_PLOT_PANEL_H
#define IMGTOOL_APP_BENCH_PLOT_PANEL_H

#include "app/bench/report.h"
#include "app/plot/bar_table.h"
#include "app/plot/plot.h"

/* The quantity that the bars of a panel show. */
typedef enum BenchMeasure {
    BENCH_RATE, /* GB/s of the bytes that a run must move; the highest value is best */
    /* GFLOP/s; the highest value is best. Only for experiments whose number of operations is known
     * (BenchGroup.operations) and whose groups have no limit (bench_group_limit). A limit is a rate
     * in GB/s, so experiments with a limit show BENCH_RATE. */
    BENCH_ARITHMETIC,
    BENCH_COUNT, /* a counter; the lowest value is best. Only for experiments */
} BenchMeasure;

typedef struct BenchPanel {
    BenchMeasure measure;
    LabCounter counter;        /* counter that the panel shows if `measure` is BENCH_COUNT */
    const BenchGroup **groups; /* groups of the panel, one per column; borrowed from the report */
    size_t group_count;
    PlotBars bars;
    bool narrow; /* true if the panel fits in half the width of the page */
} BenchPanel;

typedef struct BenchPanels {
    BenchPanel *items; /* panels, in the order of their first groups */
    size_t count;
    PlotLabels labels; /* owner of all texts in the panels */
} BenchPanels;

#define BENCH_PANELS_NONE ((BenchPanels){.items = NULL})

/* Makes the panels of a report. *panels must be BENCH_PANELS_NONE. Groups with nothing to draw are
 * left out, so there may be no panel. Call bench_panels_free even after a failure, and free the
 * report only after that. */
ImgStatus bench_panels(const BenchReport *report, BenchPanels *panels, ImgError *err);
void bench_panels_free(BenchPanels *panels);

/* Sets the measure of the panel to GB/s or GFLOP/s, depending on its groups. Returns false if its
 * groups have no rates. */
bool bench_panel_find_rates(BenchPanel *panel);

/* Returns true if the panel has a value to draw. */
bool bench_panel_has_values(const BenchPanel *panel);

/* Fills the columns, bars and unit of the panel. Their memory must be allocated, and the rows must
 * already have the names of the variants. */
void bench_panel_values(BenchPanel *panel, PlotLabels *labels);

/* Writes the headline, such as "cuda-fast is fastest, at 95 to 97 % of the device copy". Adds a
 * note that compares the best row with the first variant. Marks the best row. Call it after
 * bench_panel_values. */
void bench_panel_headline(BenchPanel *panel, PlotLabels *labels);

/* Returns the value of a row in the unit of the panel; negative if there is no value to draw. */
double bench_panel_value(const BenchPanel *panel, const BenchGroup *group, const BenchRow *row);

/* Returns true if the bar has a number, which may be 0. */
bool bench_panel_is_drawn(const PlotBar *bar);

/* Returns the value of a row in a column, relative to the limit of that column; 0 if it is
 * unknown. */
double bench_panel_share(const BenchPanel *panel, int row, int column);

/* Writes a value relative to the limit (such as the rate of a copy) as a percentage: "96 %", "0.4
 * %", "< 0.1 %" or "> 9999 %". Returns `text`. */
const char *bench_panel_share_text(double share, char text[PLOT_BAR_NUMBER]);

/* Returns the row `name` of the group; NULL if there is none. Does not return the row that is the
 * limit of the group. */
const BenchRow *bench_panel_row(const BenchGroup *group, const char *name);

/* --- The head of a plot: title, machine, command, and a legend of the colours ----------------- */

enum { BENCH_HEAD_HEIGHT = 96 };

typedef struct BenchHead {
    /* three lines of text. The labels of the panels own `machine` and `run`. `title` belongs to the
     * labels or is a constant */
    const char *title, *machine, *run;
    /* each is true if at least one panel shows rates, counts, limits or failures */
    bool rates, counts, limits, failures;
} BenchHead;

BenchHead bench_head(const BenchReport *report, BenchPanels *panels);

/* Draws the head with its upper left corner at (x, y). */
void bench_head_draw(cairo_t *cairo, double x, double y, double width, const BenchHead *head);

#endif
