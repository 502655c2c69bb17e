/* Makes the table that compares two matching entries of an old and a new report. */
#include <stdio.h>

#include "app/bench/print/tables.h"

/* --- Cells ------------------------------------------------------------------------------------ */

typedef enum Column { NAME, BEFORE, NOW, NOISE, CHANGE, COUNTS } Column;

static void change_text(const BenchChange *change, char text[BENCH_CLEAN])
{
    char number[BENCH_UNIT];
    double factor = change->speed < 1 ? 1 / change->speed : change->speed;
    bench_number_text(factor, number);
    if (factor < 1.005 && !change->beyond) {
        snprintf(text, BENCH_CLEAN, "the same");
        return;
    }
    if (factor < 1.005)
        snprintf(number, sizeof number, "%.3f", factor);
    snprintf(text, BENCH_CLEAN, "%4sx %s%s", number, change->speed > 1 ? "faster" : "slower",
             change->beyond ? " *" : "");
}

static void cell(const void *context, size_t column, size_t row, char text[BENCH_CLEAN])
{
    const BenchPair *pair = context;
    BenchChange change;
    if (column == NAME)
        bench_clean_text(bench_entry_row(pair->new_, row).name, text);
    if (column == NAME || !bench_change(pair->old, pair->new_, row, &change))
        return;
    if (column == COUNTS && change.counted)
        snprintf(text, BENCH_CLEAN, "%s", change.recounted ? "differ *" : "equal");
    if (!change.timed)
        return;
    if (column == BEFORE || column == NOW)
        bench_time_text((column == NOW ? change.new_ : change.old).timing->median, text);
    if (column == NOISE)
        bench_noise_text(change.noise, pair->utf8, text);
    if (column == CHANGE)
        change_text(&change, text);
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
    bench_table_add(&table, pair->new_.job != NULL ? "stage" : "variant", cell, NAME, BENCH_LEFT);
    bench_table_add(&table, "before", cell, BEFORE, BENCH_RIGHT);
    bench_table_add(&table, "now", cell, NOW, BENCH_RIGHT);
    bench_table_add(&table, "noise", cell, NOISE, BENCH_RIGHT);
    bench_table_add(&table, "change", cell, CHANGE, BENCH_LEFT);
    bench_table_add(&table, "counts", cell, COUNTS, BENCH_LEFT);
    return table;
}
