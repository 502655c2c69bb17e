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

static void name_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    (void)index;
    bench_clean_text(row_of(context, row)->name, text);
}

static void median_cell(const void *context, size_t warm, size_t row, char text[BENCH_CLEAN])
{
    const BenchRow *of = row_of(context, row);
    const BenchTiming *timing = warm ? &of->warm : &of->cold;
    if (bench_timed(timing))
        bench_time_text(timing->median, text);
}

static void minimum_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    (void)index;
    const BenchTiming *timing = &row_of(context, row)->cold;
    if (bench_timed(timing))
        bench_time_text(timing->minimum, text);
}

static void noise_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    (void)index;
    const BenchGroupView *view = context;
    const BenchTiming *timing = &row_of(context, row)->cold;
    /* With a single sample the noise is unknown, so the cell stays empty. */
    if (timing->samples > 1)
        bench_noise_text(timing->noise, view->utf8, text);
}

static void rate_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    (void)index;
    const BenchGroupView *view = context;
    const BenchRow *of = row_of(context, row);
    if (bench_timed(&of->cold) && view->group->bytes > 0)
        bench_rate_text(bench_rate(view->group, of), text);
}

static void operations_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    (void)index;
    const BenchGroupView *view = context;
    const BenchRow *of = row_of(context, row);
    if (bench_timed(&of->cold) && view->group->operations > 0 && of->verdict != BENCH_LIMIT)
        bench_rate_text((double)view->group->operations / of->cold.median, text);
}

static void share_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    (void)index;
    const BenchGroupView *view = context;
    double share = bench_share(view->group, row_of(context, row));
    if (share > 0)
        bench_share_text(share, text);
}

static void speedup_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    (void)index;
    const BenchRow *of = row_of(context, row);
    char number[BENCH_UNIT];
    if (of->speedup > 0)
        snprintf(text, BENCH_CLEAN, "%sx", bench_number_text(of->speedup, number));
}

static void interval_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    (void)index;
    const BenchRow *of = row_of(context, row);
    char low[BENCH_UNIT], high[BENCH_UNIT];
    if (of->speedup > 0 && of->speedup_low > 0 && of->speedup_low < of->speedup_high)
        snprintf(text, BENCH_CLEAN, "%s-%s", bench_number_text(of->speedup_low, low),
                 bench_number_text(of->speedup_high, high));
}

static void count_cell(const void *context, size_t field, size_t row, char text[BENCH_CLEAN])
{
    const BenchRow *of = row_of(context, row);
    if (of->counting != BENCH_UNCOUNTED)
        bench_count_text(bench_count_get(&of->counts, &bench_count_fields[field]), text);
}

static void counting_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    (void)index;
    snprintf(text, BENCH_CLEAN, "%s", bench_counting_name(row_of(context, row)->counting));
}

static void result_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    (void)index;
    BenchVerdict verdict = row_of(context, row)->verdict;
    snprintf(text, BENCH_CLEAN, "%s",
             verdict == BENCH_FAILED ? "FAIL" : bench_verdict_name(verdict));
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
    bench_table_add(table, "median", median_cell, 0, BENCH_RIGHT);
    bench_table_add(table, "noise", noise_cell, 0, BENCH_RIGHT);
    if (!beside_counts)
        bench_table_add(table, "minimum", minimum_cell, 0, BENCH_OPTIONAL);
    bench_table_add(table, "warm", median_cell, 1, beside_counts ? BENCH_OPTIONAL : BENCH_RIGHT);
    bench_table_add(table, "GB/s", rate_cell, 0, BENCH_RIGHT);
    bench_table_add(table, "GFLOP/s", operations_cell, 0, BENCH_RIGHT);
    bench_table_add(table, "of limit", share_cell, 0, BENCH_RIGHT);
    bench_table_add(table, "speed-up", speedup_cell, 0, BENCH_RIGHT);
    bench_table_add(table, "interval", interval_cell, 0, BENCH_LEFT | BENCH_OPTIONAL);
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
        bench_table_add(table, "counts", counting_cell, 0, BENCH_LEFT);
}

BenchTable bench_group_table(const BenchGroupView *view, bool times, bool counts, bool result)
{
    BenchTable table = {.row_count = view->group->count, .context = view, .tint = tint};
    bench_table_add(&table, "variant", name_cell, 0, BENCH_LEFT);
    if (times)
        add_times(&table, counts);
    if (counts)
        add_counts(&table, view);
    if (result) {
        bench_table_add(&table, "result", result_cell, 0, BENCH_LEFT);
        table.remark = remark_cell;
    }
    return table;
}
