/* Writes a headline that summarises a panel of a plot in one sentence. */
#include <stdio.h>
#include <string.h>

#include "app/bench/plot/panel.h"
#include "app/bench/print/fields.h"

typedef struct Range {
    double low, high; /* smallest and largest value; both are 0 if there is no value */
} Range;

static void widen(Range *range, double value)
{
    if (value <= 0)
        return;
    range->low = range->high == 0 || value < range->low ? value : range->low;
    range->high = value > range->high ? value : range->high;
}

typedef const char *(*RangeText)(double value, char text[PLOT_BAR_NUMBER]);

static const char *factor_text(double value, char text[PLOT_BAR_NUMBER])
{
    if (value >= 99.5)
        return plot_bar_number(value, text);
    (void)snprintf(text, PLOT_BAR_NUMBER, "%.2g", value);
    return text;
}

/* Writes a range such as "95 to 97 %". If both ends have the same text, writes it once. */
static const char *range_text(Range range, RangeText number, PlotLabels *labels)
{
    char low[PLOT_BAR_NUMBER], high[PLOT_BAR_NUMBER];
    (void)number(range.low, low);
    (void)number(range.high, high);
    if (strcmp(low, high) == 0)
        return plot_labels_keep(labels, low);
    char *unit = strstr(low, " %");
    if (unit != NULL)
        *unit = '\0';
    return plot_labels_format(labels, "%s to %s", low, high);
}

/* --- The winner ------------------------------------------------------------------------------- */

static int count_wins(const BenchPanel *panel, int row)
{
    int count = 0;
    for (int c = 0; c < panel->bars.column_count; c++)
        count += panel->bars.rows[row].bars[c].kind == PLOT_BAR_BEST;
    return count;
}

/* Returns the sum of a row's values, each relative to the scale of its column. For counts, of which
 * the lowest is best, the sum is negated. If two rows are best in equally many columns, the higher
 * score wins. */
static double score(const BenchPanel *panel, int row)
{
    double sum = 0;
    for (int c = 0; c < panel->bars.column_count; c++)
        sum += panel->bars.rows[row].bars[c].value / panel->bars.columns[c].top;
    return panel->measure == BENCH_COUNT ? -sum : sum;
}

static int find_winner(const BenchPanel *panel)
{
    int winner = 0;
    for (int r = 1; r < panel->bars.row_count; r++) {
        int more = count_wins(panel, r) - count_wins(panel, winner);
        if (more > 0 || (more == 0 && score(panel, r) > score(panel, winner)))
            winner = r;
    }
    return winner;
}

/* Counts the rows that are level with the winner, which is the best row of the panel. Such a row is
 * among the best in each column in which the winner is among the best. Sets *other to the last of
 * these rows. */
static int count_level(const BenchPanel *panel, int winner, int *other)
{
    int count = 0;
    for (int r = 0; r < panel->bars.row_count; r++) {
        bool all = r != winner;
        for (int c = 0; c < panel->bars.column_count; c++)
            all &= panel->bars.rows[winner].bars[c].kind != PLOT_BAR_BEST ||
                   panel->bars.rows[r].bars[c].kind == PLOT_BAR_BEST;
        count += all;
        if (all)
            *other = r;
    }
    return count;
}

/* count_columns returns the number of columns with at least one number. count_rows does the same
 * for rows. */
static int count_columns(const PlotBars *bars)
{
    int count = 0;
    for (int c = 0; c < bars->column_count; c++)
        for (int r = 0; r < bars->row_count; r++)
            if (bench_panel_is_drawn(&bars->rows[r].bars[c])) {
                count++;
                break;
            }
    return count;
}

static int count_rows(const PlotBars *bars)
{
    int count = 0;
    for (int r = 0; r < bars->row_count; r++)
        for (int c = 0; c < bars->column_count; c++)
            if (bench_panel_is_drawn(&bars->rows[r].bars[c])) {
                count++;
                break;
            }
    return count;
}

/* --- Sentences -------------------------------------------------------------------------------- */

static const char *share_label(const BenchPanel *panel, int row, PlotLabels *labels)
{
    Range range = {0, 0};
    for (int c = 0; c < panel->bars.column_count; c++)
        if (panel->bars.rows[row].bars[c].value > 0)
            widen(&range, bench_panel_share(panel, row, c));
    if (range.high <= 0)
        return "";
    return plot_labels_format(labels, "%s of the %s",
                              range_text(range, bench_panel_share_text, labels),
                              panel->bars.limit_name);
}

static const char *level_label(const BenchPanel *panel, int winner, PlotLabels *labels)
{
    int other = 0, count = count_level(panel, winner, &other);
    if (count == 1)
        return plot_labels_format(labels, ", level with %s", panel->bars.rows[other].name);
    return count > 1 ? plot_labels_format(labels, ", level with %d others", count) : "";
}

/* Compares the winner (the best row) with the first row, and returns the range of the factor over
 * all columns. For rates it is the winner's rate divided by the rate of the first row. For counts,
 * where the winner has the fewest, it is the count of the first row divided by the winner's count.
 * */
static Range find_factor(const BenchPanel *panel, int winner)
{
    const PlotBars *bars = &panel->bars;
    Range range = {0, 0};
    for (int c = 0; c < bars->column_count; c++) {
        double first = bars->rows[0].bars[c].value, own = bars->rows[winner].bars[c].value;
        if (first > 0 && own > 0)
            widen(&range, panel->measure == BENCH_COUNT ? first / own : own / first);
    }
    return range;
}

static const char *factor_label(const BenchPanel *panel, int winner, PlotLabels *labels)
{
    Range range = find_factor(panel, winner);
    const char *first = panel->bars.rows[0].name;
    if (winner == 0 || range.high <= 0)
        return "";
    const char *text = range_text(range, factor_text, labels);
    if (panel->measure == BENCH_COUNT)
        return plot_labels_format(labels, "%s has %s times as many", first, text);
    return plot_labels_format(labels, "%s times as fast as %s", text, first);
}

void bench_panel_headline(BenchPanel *panel, PlotLabels *labels)
{
    PlotBars *bars = &panel->bars;
    int winner = find_winner(panel), won = count_wins(panel, winner), columns = count_columns(bars);
    const char *does = "is fastest", *name = bars->rows[winner].name,
               *share = share_label(panel, winner, labels);
    bars->headline = "";
    if (won == 0)
        return;
    if (panel->measure == BENCH_COUNT)
        does = plot_labels_format(labels, "has the fewest %s", bench_counter(panel->counter)->name);
    bars->rows[winner].best = true;
    if (count_rows(bars) == 1) {
        if (share[0] != '\0')
            bars->headline = plot_labels_format(labels, "%s reaches %s", name, share);
        return;
    }
    const char *where =
        won < columns ? plot_labels_format(labels, " in %d of %d columns", won, columns) : "";
    bars->headline = plot_labels_format(labels, "%s %s%s%s%s%s", name, does, where,
                                        share[0] != '\0' ? ", at " : "", share,
                                        level_label(panel, winner, labels));
    const char *factor = factor_label(panel, winner, labels);
    if (factor[0] != '\0')
        bars->note = plot_labels_format(labels, "%s%s%s", factor, bars->note[0] != '\0' ? "; " : "",
                                        bars->note);
}
