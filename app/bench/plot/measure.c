/* What is drawn of a panel, and how much of it each row has. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/bench/plot/panel.h"

/* What goes beyond is not a measurement, and no axis could be drawn for it. */
static const double SMALLEST = 1e-9, GREATEST = 1e20;

const BenchRow *bench_panel_row(const BenchGroup *group, const char *name)
{
    for (size_t r = 0; r < group->count; r++)
        if (group->rows[r].verdict != BENCH_LIMIT && strcmp(group->rows[r].name, name) == 0)
            return &group->rows[r];
    return NULL;
}

const char *bench_panel_share_text(double share, char text[PLOT_BAR_NUMBER])
{
    double percent = 100 * share;
    const char *format = "%.0f %%";
    if (percent < 0.1 || percent >= 9999.5)
        format = percent < 0.1 ? "< 0.1 %%" : "> 9999 %%";
    else if (percent < 9.95)
        format = "%.1f %%";
    (void)snprintf(text, PLOT_BAR_NUMBER, format, percent);
    return text;
}

static double wavefronts(const BenchRow *row)
{
    const uint64_t *counts = row->counts.shared_wavefronts;
    return (double)counts[IMG_READS] + (double)counts[IMG_WRITES];
}

double bench_panel_value(BenchMeasure measure, const BenchGroup *group, const BenchRow *row)
{
    double value = 0;
    bool timed = row->cold.samples > 0 && row->verdict != BENCH_SKIPPED;
    if (measure == BENCH_RATE && timed)
        value = bench_rate(group, row) / 1e9;
    else if (measure == BENCH_ARITHMETIC && timed)
        value = (double)group->operations / row->cold.median / 1e9;
    else if (measure == BENCH_WAVEFRONTS && row->counting != BENCH_UNCOUNTED)
        value = wavefronts(row);
    if (row->verdict == BENCH_FAILED || !isfinite(value) || value < SMALLEST || value > GREATEST)
        return 0;
    return value;
}

static bool has_values(BenchMeasure measure, const BenchGroup *const *groups, size_t count)
{
    bool rows = false, values = false;
    for (size_t g = 0; g < count; g++)
        for (size_t r = 0; r < groups[g]->count; r++) {
            rows |= groups[g]->rows[r].verdict != BENCH_LIMIT;
            values |= bench_panel_value(measure, groups[g], &groups[g]->rows[r]) > 0;
        }
    return rows && values;
}

static bool has_limit(const BenchGroup *const *groups, size_t count)
{
    for (size_t g = 0; g < count; g++) {
        const BenchRow *limit = bench_group_limit(groups[g]);
        if (limit != NULL && bench_panel_value(BENCH_RATE, groups[g], limit) > 0)
            return true;
    }
    return false;
}

BenchMeasure bench_panel_measure(const BenchGroup *const *groups, size_t count)
{
    bool lab = groups[0]->section == BENCH_LAB;
    if (lab && !has_limit(groups, count) && has_values(BENCH_ARITHMETIC, groups, count))
        return BENCH_ARITHMETIC;
    if (has_values(BENCH_RATE, groups, count))
        return BENCH_RATE;
    if (lab && has_values(BENCH_WAVEFRONTS, groups, count))
        return BENCH_WAVEFRONTS;
    return BENCH_NOTHING;
}

double bench_panel_share(const BenchPanel *panel, int row, int column)
{
    const PlotBars *bars = &panel->bars;
    double limit = bars->columns[column].limit;
    const BenchRow *found = bench_panel_row(panel->groups[column], bars->rows[row].name);
    if (limit <= 0 || found == NULL)
        return 0;
    return bars->rows[row].bars[column].value / limit;
}
