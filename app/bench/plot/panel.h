/* Converts the groups of a report to the panels of a plot. Draws nothing.
 *
 * A panel shows the groups that have the same title, backend and size. Its columns are formats (in
 * the lab, cases) and its rows are variants. Groups of the lab have one panel per counter of the
 * experiment and, if they were timed, one for the rates. */
#ifndef IMGTOOL_APP_BENCH_PLOT_PANEL_H
#define IMGTOOL_APP_BENCH_PLOT_PANEL_H

#include "app/bench/report.h"
#include "app/plot/bars.h"
#include "app/plot/labels.h"

/* The quantity that the bars of a panel show. */
typedef enum BenchMeasure {
    BENCH_RATE, /* GB/s; the highest value is best */
    /* GFLOP/s; the highest value is best. Only in the lab, if the number of operations is known and
     * no limit was timed */
    BENCH_ARITHMETIC,
    BENCH_COUNT, /* a counter; the lowest value is best. Only in the lab */
} BenchMeasure;

typedef struct BenchPanel {
    BenchMeasure measure;
    LabCounter counter;        /* the counter if the measure is BENCH_COUNT */
    const BenchGroup **groups; /* groups of the panel, one per column; they belong to the report */
    size_t group_count;
    PlotBars bars;
    bool narrow; /* true if half the width of the page is enough for the panel */
} BenchPanel;

typedef struct BenchPanels {
    BenchPanel *items; /* panels, in the order of their first groups */
    size_t count;
    PlotLabels labels; /* owner of the texts of all panels */
} BenchPanels;

#define BENCH_PANELS_NONE ((BenchPanels){.items = NULL})

/* Makes the panels of a report. Initialise *panels with BENCH_PANELS_NONE. Groups without anything
 * to draw are left out, so the result may be empty. Call bench_panels_free even after a failure.
 * The report must exist until then. */
ImgStatus bench_panels(const BenchReport *report, BenchPanels *panels, ImgError *err);
void bench_panels_free(BenchPanels *panels);

/* Chooses the kind of rate that the groups of the panel have. Returns false if they have no
 * rates. */
bool bench_panel_find_rates(BenchPanel *panel);

/* Returns true if the panel has anything to draw. */
bool bench_panel_has_values(const BenchPanel *panel);

/* Fills the columns, the bars and the unit. Their memory must be allocated, and the rows must have
 * the names of the variants. */
void bench_panel_values(BenchPanel *panel, PlotLabels *labels);

/* Writes a headline such as "cuda-fast is fastest, at 95 to 97 % of the device copy", and a note
 * with the factor between the winner and the first variant. Marks the winning row. Call it after
 * bench_panel_values. */
void bench_panel_headline(BenchPanel *panel, PlotLabels *labels);

/* Returns the value of the row in the panel's unit; negative if there is nothing to draw. */
double bench_panel_value(const BenchPanel *panel, const BenchGroup *group, const BenchRow *row);

/* Returns true if the bar has a number, even if the number is 0. */
bool bench_panel_is_drawn(const PlotBar *bar);

/* Returns the value of a row in a column as a share of the limit; 0 if it is unknown. */
double bench_panel_share(const BenchPanel *panel, int row, int column);

/* Writes a share such as "96 %", "0.4 %", "< 0.1 %" or "> 9999 %". Returns `text`. */
const char *bench_panel_share_text(double share, char text[PLOT_BAR_NUMBER]);

/* Returns the row of the group with that name; NULL if there is none. */
const BenchRow *bench_panel_row(const BenchGroup *group, const char *name);

#endif
