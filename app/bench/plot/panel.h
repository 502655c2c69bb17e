/* What the panels of a benchmark's plot show: from a report's groups to tables of bars. No drawing
 * here.
 *
 * A panel has the groups of the same title, backend and size; its columns are formats (of the lab,
 * cases), its rows variants. Groups of the lab have a panel for each count that the lesson is about
 * and, where it was timed, one for the rates. */
#ifndef IMGTOOL_APP_BENCH_PLOT_PANEL_H
#define IMGTOOL_APP_BENCH_PLOT_PANEL_H

#include "app/bench/report.h"
#include "app/plot/bars.h"
#include "app/plot/labels.h"

/* What bars are as long as. */
typedef enum BenchMeasure {
    BENCH_RATE,       /* GB/s; more is better, as of the next */
    BENCH_ARITHMETIC, /* GFLOP/s, of the lab where arithmetic is known and no limit was timed */
    BENCH_COUNT,      /* of the lab, of the panel's counter; less is better */
} BenchMeasure;

typedef struct BenchPanel {
    BenchMeasure measure;
    LabCounter counter;        /* of BENCH_COUNT */
    const BenchGroup **groups; /* one per column, of the report */
    size_t group_count;
    PlotBars bars;
    bool narrow; /* of the layout: half of the page is enough */
} BenchPanel;

typedef struct BenchPanels {
    BenchPanel *items; /* in the order in which their first groups come */
    size_t count;
    PlotLabels labels; /* texts of all */
} BenchPanels;

#define BENCH_PANELS_NONE ((BenchPanels){.items = NULL})

/* Start with BENCH_PANELS_NONE. Groups of which nothing can be drawn are left out; there may be
 * none left. Free in any case; the report must stay until then. */
ImgStatus bench_panels(const BenchReport *report, BenchPanels *panels, ImgError *err);
void bench_panels_free(BenchPanels *panels);

/* Finds what rates the panel's groups have; false where they have none. */
bool bench_panel_find_rates(BenchPanel *panel);

/* Can anything be drawn of the panel's measure? */
bool bench_panel_has_values(const BenchPanel *panel);

/* Fills columns, bars and the unit; their memory is there, rows still have the groups' names. */
void bench_panel_values(BenchPanel *panel, PlotLabels *labels);

/* "cuda-fast is fastest, at 95 to 97 % of the device copy", and a note on how that was for the
 * first variant; marks the row that it is about. After the values. */
void bench_panel_headline(BenchPanel *panel, PlotLabels *labels);

/* Returns the row's value of the panel's measure, in the panel's unit; negative where there is
 * nothing to draw. */
double bench_panel_value(const BenchPanel *panel, const BenchGroup *group, const BenchRow *row);

/* Is it a number, if only 0? */
bool bench_panel_is_drawn(const PlotBar *bar);

/* Of the limit, of a row in a column; 0: not known. */
double bench_panel_share(const BenchPanel *panel, int row, int column);

/* "96 %", "0.4 %", "< 0.1 %", "> 9999 %"; returns `text`. */
const char *bench_panel_share_text(double share, char text[PLOT_BAR_NUMBER]);

/* The row of that name, or NULL. */
const BenchRow *bench_panel_row(const BenchGroup *group, const char *name);

#endif
