/* Makes the table that compares two matching entries of an old and a new report. */
#include <stdio.h>

#include "app/bench/print/tables.h"

/* --- Cells ------------------------------------------------------------------------------------ */

static void name_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    (void)index;
    const BenchPair *pair = context;
    bench_clean_text(bench_entry_row(pair->new_, row).name, text);
}

static void median_cell(const void *context, size_t new_, size_t row, char text[BENCH_CLEAN])
{
    const BenchPair *pair = context;
    BenchChange change;
    if (bench_change(pair->old, pair->new_, row, &change) && change.timed)
        bench_time_text((new_ ? change.new_ : change.old).timing->median, text);
}

static void change_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    (void)index;
    const BenchPair *pair = context;
    BenchChange change;
    char number[BENCH_UNIT];
    if (!bench_change(pair->old, pair->new_, row, &change) || !change.timed)
        return;
    double factor = change.speed < 1 ? 1 / change.speed : change.speed;
    bench_number_text(factor, number);
    if (factor < 1.005 && !change.beyond) {
        snprintf(text, BENCH_CLEAN, "the same");
        return;
    }
    if (factor < 1.005)
        snprintf(number, sizeof number, "%.3f", factor);
    snprintf(text, BENCH_CLEAN, "%4sx %s%s", number, change.speed > 1 ? "faster" : "slower",
             change.beyond ? " *" : "");
}

static void noise_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    (void)index;
    const BenchPair *pair = context;
    BenchChange change;
    if (bench_change(pair->old, pair->new_, row, &change) && change.timed)
        bench_noise_text(change.noise, pair->utf8, text);
}

static void counts_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    (void)index;
    const BenchPair *pair = context;
    BenchChange change;
    if (bench_change(pair->old, pair->new_, row, &change) && change.counted)
        snprintf(text, BENCH_CLEAN, "%s", change.recounted ? "differ *" : "equal");
}

static BenchTint tint(const void *context, size_t row)
{
    const BenchPair *pair = context;
    BenchChange change;
    if (!bench_change(pair->old, pair->new_, row, &change))
        return BENCH_PLAIN;
    if (change.beyond)
        return change.speed > 1 ? BENCH_BEST : BENCH_BAD;
    return change.recounted ? BENCH_BAD : BENCH_PLAIN;
}

BenchTable bench_pair_table(const BenchPair *pair)
{
    BenchTable table = {.row_count = bench_entry_rows(pair->new_), .context = pair, .tint = tint};
    bench_table_add(&table, pair->new_.job != NULL ? "stage" : "variant", name_cell, 0, BENCH_LEFT);
    bench_table_add(&table, "before", median_cell, 0, BENCH_RIGHT);
    bench_table_add(&table, "now", median_cell, 1, BENCH_RIGHT);
    bench_table_add(&table, "noise", noise_cell, 0, BENCH_RIGHT);
    bench_table_add(&table, "change", change_cell, 0, BENCH_LEFT);
    bench_table_add(&table, "counts", counts_cell, 0, BENCH_LEFT);
    return table;
}
