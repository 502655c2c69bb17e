/* The comparison for programs. */
#include <math.h>

#include "app/bench/changes/compare.h"
#include "app/bench/export/json.h"
#include "app/bench/print/match.h"
#include "app/text/json.h"
#include "kernels/core/select.h"

static cJSON *add_name(cJSON *list, BenchWork work, BenchWorkRow row, bool *failed)
{
    cJSON *object = json_object(list, NULL, failed);
    json_string(object, "section", work.section, failed);
    json_string(object, "title", work.title, failed);
    json_string(object, "subject", work.subject, failed);
    json_string(object, "backend", img_backend_name(work.backend), failed);
    json_string(object, "name", row.name, failed);
    return object;
}

static const char *change_name(const BenchChange *change)
{
    if (!change->beyond)
        return "none";
    return change->speed > 1 ? "faster" : "slower";
}

static void add_change(cJSON *rows, BenchWork work, const BenchChange *change, bool *failed)
{
    cJSON *object = add_name(rows, work, change->new_, failed);
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
    for (size_t i = 0; i < bench_work_count(new_); i++) {
        BenchWork now = bench_work_at(new_, i), before;
        BenchChange change;
        if (!bench_work_find(old, now, &before))
            continue;
        for (size_t r = 0; r < bench_work_rows(now); r++)
            if (bench_change(before, now, r, &change))
                add_change(rows, now, &change, failed);
    }
}

static void add_lonely(cJSON *root, const char *key, const BenchReport *report,
                       const BenchReport *other, bool *failed)
{
    cJSON *list = json_array(root, key, failed);
    for (size_t i = 0; i < bench_work_count(report); i++) {
        BenchWork work = bench_work_at(report, i), same;
        bool found = bench_work_find(other, work, &same);
        for (size_t r = 0; r < bench_work_rows(work); r++) {
            BenchWorkRow row = bench_work_row(work, r), partner;
            if (!bench_work_row_exists(work, row))
                continue;
            if (!found || !bench_work_find_row(same, row.name, &partner) ||
                !bench_work_row_exists(same, partner))
                add_name(list, work, row, failed);
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
    add_lonely(object, "only_old", old, new_, failed);
    add_lonely(object, "only_new", new_, old, failed);
}
