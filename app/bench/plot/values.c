/* Converts measurements to the bars of a plot: their lengths, their texts, and marks for the best
 * ones. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/bench/plot/panel.h"
#include "app/bench/print/fields.h"
#include "app/plot/ticks.h"

/* All columns have the same scale if their largest values differ at most by this factor. */
static const double COMMON_SCALE = 12;

/* Maximum noise, relative to the value, for which an axis leaves room. Longer whiskers are cut. */
static const double NOISE_SHOWN = 0.05;

/* --- Bars ------------------------------------------------------------------------------------- */

static const char *missing_text(const BenchPanel *panel, const BenchRow *row)
{
    if (row == NULL)
        /* This dash means that the variant does not exist for the format of the column. */
        return "\xE2\x80\x93";
    if (row->verdict == BENCH_FAILED)
        return "FAIL";
    if (panel->measure == BENCH_COUNT)
        return row->counting == BENCH_UNCOUNTED ? "not counted" : "none";
    return row->verdict == BENCH_SKIPPED ? "skipped" : "not timed";
}

static void fill_bar(const BenchPanel *panel, const BenchGroup *group, const BenchRow *row,
                     PlotBar *bar, PlotLabels *labels)
{
    bar->share = "";
    double value = row == NULL ? -1 : bench_panel_value(panel, group, row);
    if (row == NULL || value < 0) {
        bool failed = row != NULL && row->verdict == BENCH_FAILED;
        bar->kind = failed ? PLOT_BAR_FAILED : PLOT_BAR_MISSING;
        bar->text = missing_text(panel, row);
        return;
    }
    char text[PLOT_BAR_NUMBER];
    bar->value = value;
    if (panel->measure != BENCH_COUNT) {
        double noise = row->cold.noise;
        bar->noise = isfinite(noise) && noise > 0 ? noise : 0;
        bar->text = plot_labels_keep(labels, plot_bar_number(bar->value, text));
    } else if (bar->value < 1e7) {
        bar->text = plot_labels_keep(labels, plot_exact_text((uint64_t)bar->value, text));
    } else {
        bar->text = plot_labels_keep(labels, plot_number_text(bar->value, text));
    }
}

static bool is_better(BenchMeasure measure, const PlotBar *bar, const PlotBar *than)
{
    return measure == BENCH_COUNT ? bar->value < than->value : bar->value > than->value;
}

/* Returns true if two bars differ by no more than their noise. */
static bool is_level(const PlotBar *a, const PlotBar *b)
{
    return fabs(a->value - b->value) <= hypot(a->value * a->noise, b->value * b->noise);
}

static void mark_best(const BenchPanel *panel, int column)
{
    const PlotBar *best = NULL;
    for (int r = 0; r < panel->bars.row_count; r++) {
        const PlotBar *bar = &panel->bars.rows[r].bars[column];
        if (bench_panel_is_drawn(bar) && (best == NULL || is_better(panel->measure, bar, best)))
            best = bar;
    }
    for (int r = 0; best != NULL && r < panel->bars.row_count; r++) {
        PlotBar *bar = &panel->bars.rows[r].bars[column];
        if (bench_panel_is_drawn(bar) && is_level(bar, best))
            bar->kind = PLOT_BAR_BEST;
    }
}

static void write_shares(const BenchPanel *panel, int column, PlotLabels *labels)
{
    double limit = panel->bars.columns[column].limit;
    for (int r = 0; limit > 0 && r < panel->bars.row_count; r++) {
        PlotBar *bar = &panel->bars.rows[r].bars[column];
        char text[PLOT_BAR_NUMBER];
        if (bar->kind == PLOT_BAR_BEST)
            bar->share = plot_labels_keep(
                labels, bench_panel_share_text(bench_panel_share(panel, r, column), text));
    }
}

/* --- Columns ---------------------------------------------------------------------------------- */

static void fill_limit(BenchPanel *panel, int column, PlotLabels *labels)
{
    const BenchGroup *group = panel->groups[column];
    PlotBarColumn *to = &panel->bars.columns[column];
    const BenchRow *limit = bench_group_limit(group);
    to->limit_text = "";
    if (panel->measure == BENCH_RATE && limit != NULL)
        to->limit = fmax(bench_panel_value(panel, group, limit), 0);
    if (to->limit <= 0)
        return;
    char text[PLOT_BAR_NUMBER];
    to->limit_text = plot_labels_format(labels, "%s GB/s", plot_bar_number(to->limit, text));
    if (panel->bars.limit_name[0] == '\0')
        panel->bars.limit_name = plot_labels_keep(labels, limit->name);
}

/* Returns the name of a column: the format, or the case of an experiment. In a plot of counts that
 * come from a smaller case, returns the name of that case, unless it only extends the name of this
 * case, as "round 3 alone" extends "round 3". */
static const char *column_name(const BenchPanel *panel, const BenchGroup *group)
{
    bool longer = strncmp(group->counted, group->subject, strlen(group->subject)) == 0;
    if (panel->measure == BENCH_COUNT && group->counted[0] != '\0' && !longer)
        return group->counted;
    return group->format[0] != '\0' ? group->format : group->subject;
}

/* Sets the scale of each column. Returns true if all columns have the same scale. */
static bool find_scales(PlotBars *bars)
{
    double most = 0, least = INFINITY;
    for (int c = 0; c < bars->column_count; c++) {
        double top = bars->columns[c].limit;
        for (int r = 0; r < bars->row_count; r++) {
            const PlotBar *bar = &bars->rows[r].bars[c];
            double value = bar->value * (1 + fmin(bar->noise, NOISE_SHOWN));
            top = value > top ? value : top;
        }
        bars->columns[c].top = top;
        most = top > most ? top : most;
        least = top > 0 && top < least ? top : least;
    }
    bool common = most <= least * COMMON_SCALE;
    for (int c = 0; c < bars->column_count; c++)
        if (common || bars->columns[c].top <= 0)
            bars->columns[c].top = most;
    return common;
}

static const char *unit_text(const BenchPanel *panel, PlotLabels *labels)
{
    const char *how = "measured";
    if (panel->measure == BENCH_RATE)
        return "GB/s";
    if (panel->measure == BENCH_ARITHMETIC)
        return "GFLOP/s";
    for (int c = 0; c < panel->bars.column_count; c++)
        for (size_t r = 0; r < panel->groups[c]->count; r++)
            if (panel->groups[c]->rows[r].counting == BENCH_MODELLED)
                how = "modelled";
    return plot_labels_format(labels, "%s (%s)", bench_counter(panel->counter)->unit, how);
}

void bench_panel_values(BenchPanel *panel, PlotLabels *labels)
{
    PlotBars *bars = &panel->bars;
    bars->unit = unit_text(panel, labels);
    bars->limit_name = "";
    for (int c = 0; c < bars->column_count; c++) {
        const BenchGroup *group = panel->groups[c];
        bars->columns[c].name = plot_labels_keep(labels, column_name(panel, group));
        fill_limit(panel, c, labels);
        for (int r = 0; r < bars->row_count; r++)
            fill_bar(panel, group, bench_panel_row(group, bars->rows[r].name),
                     &bars->rows[r].bars[c], labels);
        mark_best(panel, c);
        write_shares(panel, c, labels);
    }
    bars->note = find_scales(bars) ? "" : "each column has a scale of its own";
}
