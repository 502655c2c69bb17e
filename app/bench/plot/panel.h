/* Converts the groups of a report to the panels of a plot. No drawing here.
 *
 * A panel shows the groups with the same title, backend and size. Its columns are formats (in the
 * lab, cases) and its rows are variants. Groups of the lab have one panel per counter of the lesson
 * and, if they were timed, one for the rates. */
#ifndef IMGTOOL_APP_BENCH_PLOT_PANEL_H
#define IMGTOOL_APP_BENCH_PLOT_PANEL_H

#include "app/bench/report.h"
#include "app/plot/bars.h"
#include "app/plot/labels.h"

/* The quantity that bars show. */
typedef enum BenchMeasure {
    BENCH_RATE,       /* GB/s; more is better */
    BENCH_ARITHMETIC, /* GFLOP/s, in the lab if the arithmetic is known and no limit was timed; more
                         is better */
    BENCH_COUNT,      /* a counter, in the lab; less is better */
} BenchMeasure;

typedef struct BenchPanel {
    BenchMeasure measure;
    LabCounter counter;        /* for BENCH_COUNT */
    const BenchGroup **groups; /* one per column; belong to the report */
    size_t group_count;
    PlotBars bars;
    bool narrow; /* layout: half the width of the page is enough */
} BenchPanel;

typedef struct BenchPanels {
    BenchPanel *items; /* in the order of their first groups */
    size_t count;
    PlotLabels labels; /* texts of all panels */
} BenchPanels;

#define BENCH_PANELS_NONE ((BenchPanels){.items = NULL})

/* Initialise with BENCH_PANELS_NONE. Groups without anything to draw are left out; the result may
 * be empty. Free even after a failure. The report must exist until then. */
ImgStatus bench_panels(const BenchReport *report, BenchPanels *panels, ImgError *err);
void bench_panels_free(BenchPanels *panels);

/* Chooses the rates that the groups of the panel have; false if they have none. */
bool bench_panel_find_rates(BenchPanel *panel);

/* True if the panel has anything to draw. */
bool bench_panel_has_values(const BenchPanel *panel);

/* Fills columns, bars and the unit. Their memory must be allocated, and rows must have the names of
 * the groups. */
void bench_panel_values(BenchPanel *panel, PlotLabels *labels);

/* Writes "cuda-fast is fastest, at 95 to 97 % of the device copy", and a note with the factor over
 * the first variant; marks the winning row. Call it after bench_panel_values. */
void bench_panel_headline(BenchPanel *panel, PlotLabels *labels);

/* Returns the row's value in the panel's unit; negative if there is nothing to draw. */
double bench_panel_value(const BenchPanel *panel, const BenchGroup *group, const BenchRow *row);

/* True if the bar has a number, even 0. */
bool bench_panel_is_drawn(const PlotBar *bar);

/* Returns the share of the limit of a row in a column; 0: unknown. */
double bench_panel_share(const BenchPanel *panel, int row, int column);

/* Writes "96 %", "0.4 %", "< 0.1 %" or "> 9999 %"; returns `text`. */
const char *bench_panel_share_text(double share, char text[PLOT_BAR_NUMBER]);

/* Returns the row with that name, or NULL. */
const BenchRow *bench_panel_row(const BenchGroup *group, const char *name);

#endif
