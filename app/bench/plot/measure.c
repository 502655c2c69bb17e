/* Chooses the quantity that a panel of a plot shows, and computes its value for each row. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/bench/plot/panel.h"
#include "app/bench/print/fields.h"

/* Values outside of these limits are not drawn, because no measurement gives them and an axis for
 * them would be useless. NOTHING stands for a missing value. */
static const double SMALLEST = 1e-9, GREATEST = 1e20, NOTHING = -1;

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

/* Returns a count of the row. Returns NOTHING if the count is 0 because the counter does not apply.
 * A variant without shared memory, for example, has 0 wavefronts, which would wrongly be the best
 * value. */
static double count_of(LabCounter counter, const BenchRow *row)
{
    uint64_t count = bench_counter_get(&row->counts, counter);
    return count > 0 || bench_counter(counter)->zero_is_best ? (double)count : NOTHING;
}

static double rate_of(BenchMeasure measure, const BenchGroup *group, const BenchRow *row)
{
    double rate = measure == BENCH_RATE ? bench_rate(group, row)
                                        : (double)group->operations / row->cold.median;
    return rate / 1e9 >= SMALLEST ? rate / 1e9 : NOTHING;
}

double bench_panel_value(const BenchPanel *panel, const BenchGroup *group, const BenchRow *row)
{
    double value = NOTHING;
    if (row->verdict == BENCH_FAILED)
        return NOTHING;
    if (panel->measure == BENCH_COUNT && row->counting != BENCH_UNCOUNTED)
        value = count_of(panel->counter, row);
    else if (panel->measure != BENCH_COUNT && row->cold.samples > 0 &&
             row->verdict != BENCH_SKIPPED)
        value = rate_of(panel->measure, group, row);
    return isfinite(value) && value <= GREATEST ? value : NOTHING;
}

bool bench_panel_is_drawn(const PlotBar *bar)
{
    return bar->kind == PLOT_BAR_PLAIN || bar->kind == PLOT_BAR_BEST;
}

/* Returns true if the panel is worth drawing: it has at least one variant, and at least one value
 * above 0. */
bool bench_panel_has_values(const BenchPanel *panel)
{
    bool rows = false, values = false;
    for (size_t g = 0; g < panel->group_count; g++)
        for (size_t r = 0; r < panel->groups[g]->count; r++) {
            rows |= panel->groups[g]->rows[r].verdict != BENCH_LIMIT;
            values |= bench_panel_value(panel, panel->groups[g], &panel->groups[g]->rows[r]) > 0;
        }
    return rows && values;
}

static bool has_limit(const BenchPanel *panel)
{
    for (size_t g = 0; g < panel->group_count; g++) {
        const BenchRow *limit = bench_group_limit(panel->groups[g]);
        if (limit != NULL && bench_panel_value(panel, panel->groups[g], limit) > 0)
            return true;
    }
    return false;
}

bool bench_panel_find_rates(BenchPanel *panel)
{
    panel->measure = BENCH_RATE;
    if (panel->groups[0]->section != BENCH_LAB || has_limit(panel))
        return bench_panel_has_values(panel);
    panel->measure = BENCH_ARITHMETIC;
    if (bench_panel_has_values(panel))
        return true;
    panel->measure = BENCH_RATE;
    return bench_panel_has_values(panel);
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
