/* Writes the comparison of two benchmark reports as JSON. */
#include <math.h>

#include "app/bench/changes/compare.h"
#include "app/bench/export/export.h"
#include "app/bench/print/match.h"
#include "app/text/json.h"
#include "kernels/core/select.h"

static cJSON *add_name(cJSON *list, BenchEntry entry, BenchEntryRow row, bool *failed)
{
    cJSON *object = json_object(list, NULL, failed);
    json_string(object, "section", entry.section, failed);
    json_string(object, "title", entry.title, failed);
    json_string(object, "subject", entry.subject, failed);
    json_string(object, "backend", img_backend_name(entry.backend), failed);
    json_string(object, "name", row.name, failed);
    return object;
}

static const char *change_name(const BenchChange *change)
{
    if (!change->beyond)
        return "none";
    return change->speed > 1 ? "faster" : "slower";
}

static void add_change(cJSON *rows, BenchEntry entry, const BenchChange *change, bool *failed)
{
    cJSON *object = add_name(rows, entry, change->new_, failed);
    bool timed = change->timed;
    json_number(object, "old_median_seconds", timed ? change->old.timing->median : NAN, failed);
    json_number(object, "new_median_seconds", timed ? change->new_.timing->median : NAN, failed);
    json_number(object, "speed", timed ? change->speed : NAN, failed);
    json_number(object, "noise", timed ? change->noise : NAN, failed);
    json_string(object, "change", timed ? change_name(change) : NULL, failed);
    json_string(object, "counts",
                !change->counted    ? NULL
                : change->recounted ? "differ"
                                    : "equal",
                failed);
}

static void add_changes(cJSON *root, const BenchReport *old, const BenchReport *new_, bool *failed)
{
    cJSON *rows = json_array(root, "rows", failed);
    for (size_t i = 0; i < bench_entry_count(new_); i++) {
        BenchEntry now = bench_entry_at(new_, i), before;
        BenchChange change;
        if (!bench_entry_find(old, now, &before))
            continue;
        for (size_t r = 0; r < bench_entry_rows(now); r++)
            if (bench_change(before, now, r, &change))
                add_change(rows, now, &change, failed);
    }
}

static void add_unmatched(cJSON *root, const char *key, const BenchReport *report,
                          const BenchReport *other, bool *failed)
{
    cJSON *list = json_array(root, key, failed);
    for (size_t i = 0; i < bench_entry_count(report); i++) {
        BenchEntry entry = bench_entry_at(report, i), same;
        bool found = bench_entry_find(other, entry, &same);
        for (size_t r = 0; r < bench_entry_rows(entry); r++) {
            BenchEntryRow row = bench_entry_row(entry, r), partner;
            if (!bench_entry_row_exists(entry, row))
                continue;
            if (!found || !bench_entry_find_row(same, row.name, &partner) ||
                !bench_entry_row_exists(same, partner))
                add_name(list, entry, row, failed);
        }
    }
}

void bench_add_comparison_json(cJSON *root, const BenchReport *old, const BenchReport *new_,
                               bool *failed)
{
    BenchTotals totals = bench_totals(old, new_);
    cJSON *object = json_object(root, "comparison", failed);
    bench_json_machine(object, "machine", &old->machine, failed);
    json_count(object, "compared", totals.compared, failed);
    json_count(object, "faster", totals.faster, failed);
    json_count(object, "slower", totals.slower, failed);
    json_count(object, "recounted", totals.recounted, failed);
    add_changes(object, old, new_, failed);
    add_unmatched(object, "only_old", old, new_, failed);
    add_unmatched(object, "only_new", new_, old, failed);
}
