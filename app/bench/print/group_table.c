/* Makes a table of the times and counts of a group. */
#include <stdio.h>
#include <string.h>

#include "app/bench/print/fields.h"
#include "app/bench/print/tables.h"

bool bench_timed(const BenchTiming *timing)
{
    return timing->samples > 0;
}

/* --- Cells ------------------------------------------------------------------------------------ */

static const BenchRow *row_of(const void *context, size_t row)
{
    const BenchGroupView *view = context;
    return &view->group->rows[row];
}

typedef enum Column {
    NAME,
    MEDIAN,
    NOISE,
    MINIMUM,
    WARM,
    RATE,
    OPERATIONS,
    SHARE,
    SPEEDUP,
    INTERVAL,
    COUNTING,
    RESULT,
} Column;

static void time_cell(const void *context, size_t column, size_t row, char text[BENCH_CLEAN])
{
    const BenchGroupView *view = context;
    const BenchGroup *group = view->group;
    const BenchRow *of = row_of(context, row);
    const BenchTiming *timing = column == WARM ? &of->warm : &of->cold;
    const bool timed = bench_timed(timing);
    if (timed && (column == MEDIAN || column == WARM))
        bench_time_text(timing->median, text);
    if (timed && column == MINIMUM)
        bench_time_text(timing->minimum, text);
    /* With a single sample the noise is unknown, so the cell stays empty. */
    if (column == NOISE && timing->samples > 1)
        bench_noise_text(timing->noise, view->utf8, text);
    if (timed && column == RATE && group->bytes > 0)
        bench_rate_text(bench_rate(group, of), text);
    if (timed && column == OPERATIONS && group->operations > 0 && of->verdict != BENCH_LIMIT)
        bench_rate_text((double)group->operations / timing->median, text);
}

static void ratio_cell(const void *context, size_t column, size_t row, char text[BENCH_CLEAN])
{
    const BenchGroupView *view = context;
    const BenchRow *of = row_of(context, row);
    char low[BENCH_UNIT], high[BENCH_UNIT];
    const double share = bench_share(view->group, of);
    if (column == SHARE && share > 0)
        bench_share_text(share, text);
    if (column == SPEEDUP && of->speedup > 0)
        snprintf(text, BENCH_CLEAN, "%sx", bench_number_text(of->speedup, low));
    if (column == INTERVAL && of->speedup > 0 && of->speedup_low > 0 &&
        of->speedup_low < of->speedup_high)
        snprintf(text, BENCH_CLEAN, "%s-%s", bench_number_text(of->speedup_low, low),
                 bench_number_text(of->speedup_high, high));
}

static void word_cell(const void *context, size_t column, size_t row, char text[BENCH_CLEAN])
{
    const BenchRow *of = row_of(context, row);
    if (column == NAME)
        bench_clean_text(of->name, text);
    else if (column == COUNTING)
        snprintf(text, BENCH_CLEAN, "%s", bench_counting_name(of->counting));
    else
        snprintf(text, BENCH_CLEAN, "%s",
                 of->verdict == BENCH_FAILED ? "FAIL" : bench_verdict_name(of->verdict));
}

static void count_cell(const void *context, size_t field, size_t row, char text[BENCH_CLEAN])
{
    const BenchRow *of = row_of(context, row);
    if (of->counting != BENCH_UNCOUNTED)
        bench_count_text(bench_count_get(&of->counts, &bench_count_fields[field]), text);
}

static void remark_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    (void)index;
    const BenchRow *of = row_of(context, row);
    char message[BENCH_CLEAN];
    if (of->verdict != BENCH_FAILED && of->verdict != BENCH_SKIPPED)
        return;
    if (of->message[0] == '\0')
        return;
    bench_clean_text(of->message, message);
    snprintf(text, BENCH_CLEAN, "%s: %.*s", of->verdict == BENCH_FAILED ? "FAIL" : "skipped",
             BENCH_CLEAN - 16, message);
}

static BenchTint tint(const void *context, size_t row)
{
    const BenchGroupView *view = context;
    const BenchRow *of = row_of(context, row);
    if (of == view->best)
        return BENCH_BEST;
    if (of->verdict == BENCH_FAILED)
        return BENCH_BAD;
    return of->verdict == BENCH_VERIFIED ? BENCH_PLAIN : BENCH_DIM;
}

/* --- Tables ----------------------------------------------------------------------------------- */

static const BenchRow *find_best(const BenchGroup *group)
{
    const BenchRow *best = NULL;
    size_t candidates = 0;
    for (size_t r = 0; r < group->count; r++) {
        const BenchRow *row = &group->rows[r];
        if (row->verdict != BENCH_VERIFIED || !bench_timed(&row->cold) || row->speedup <= 0)
            continue;
        candidates++;
        if (best == NULL || row->cold.median < best->cold.median)
            best = row;
    }
    return candidates > 1 ? best : NULL;
}

BenchGroupView bench_group_view(const BenchGroup *group, bool utf8)
{
    BenchGroupView view = {.group = group, .best = find_best(group), .utf8 = utf8};
    view.counted = bench_group_counting(group, &view.mixed_counting) != BENCH_UNCOUNTED;
    for (size_t r = 0; r < group->count; r++)
        view.timed |= bench_timed(&group->rows[r].cold) || bench_timed(&group->rows[r].warm);
    return view;
}

static void add_times(BenchTable *table, bool beside_counts)
{
    bench_table_add(table, "median", time_cell, MEDIAN, BENCH_RIGHT);
    bench_table_add(table, "noise", time_cell, NOISE, BENCH_RIGHT);
    if (!beside_counts)
        bench_table_add(table, "minimum", time_cell, MINIMUM, BENCH_OPTIONAL);
    bench_table_add(table, "warm", time_cell, WARM, beside_counts ? BENCH_OPTIONAL : BENCH_RIGHT);
    bench_table_add(table, "GB/s", time_cell, RATE, BENCH_RIGHT);
    bench_table_add(table, "GFLOP/s", time_cell, OPERATIONS, BENCH_RIGHT);
    bench_table_add(table, "of limit", ratio_cell, SHARE, BENCH_RIGHT);
    bench_table_add(table, "speed-up", ratio_cell, SPEEDUP, BENCH_RIGHT);
    bench_table_add(table, "interval", ratio_cell, INTERVAL, BENCH_LEFT | BENCH_OPTIONAL);
}

static void add_counts(BenchTable *table, const BenchGroupView *view)
{
    for (size_t f = 0; bench_count_fields[f].key != NULL; f++) {
        const BenchCountField *field = &bench_count_fields[f];
        bool lesson = view->group->counters[0] != LAB_NO_COUNTER;
        bool optional = lesson ? !bench_is_lesson(view->group, field) : field->optional;
        if (bench_count_shown(view->group, field))
            bench_table_add(table, field->heading, count_cell, f,
                            optional ? BENCH_OPTIONAL : BENCH_RIGHT);
    }
    if (view->mixed_counting)
        bench_table_add(table, "counts", word_cell, COUNTING, BENCH_LEFT);
}

BenchTable bench_group_table(const BenchGroupView *view, bool times, bool counts, bool result)
{
    BenchTable table = {.row_count = view->group->count, .context = view, .tint = tint};
    bench_table_add(&table, "variant", word_cell, NAME, BENCH_LEFT);
    if (times)
        add_times(&table, counts);
    if (counts)
        add_counts(&table, view);
    if (result) {
        bench_table_add(&table, "result", word_cell, RESULT, BENCH_LEFT);
        table.remark = remark_cell;
    }
    return table;
}
