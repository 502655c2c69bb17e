#include "app/bench/print/match.h"

#include <math.h>
#include <string.h>

#include "app/bench/print/fields.h"

/* --- Work ------------------------------------------------------------------------------------ */

size_t bench_work_count(const BenchReport *report)
{
    return report->group_count + report->job_count;
}

BenchWork bench_work_at(const BenchReport *report, size_t index)
{
    if (index < report->group_count) {
        const BenchGroup *group = &report->groups[index];
        return (BenchWork){.section = bench_section_name(group->section),
                           .title = group->title,
                           .subject = group->subject,
                           .backend = group->backend,
                           .group = group};
    }
    const BenchJob *job = &report->jobs[index - report->group_count];
    return (BenchWork){.section = "jobs",
                       .title = job->title,
                       .subject = job->subject,
                       .backend = job->backend,
                       .job = job};
}

static bool same_work(BenchWork a, BenchWork b)
{
    return a.backend == b.backend && strcmp(a.section, b.section) == 0 &&
           strcmp(a.title, b.title) == 0 && strcmp(a.subject, b.subject) == 0;
}

bool bench_work_find(const BenchReport *report, BenchWork like, BenchWork *found)
{
    for (size_t i = 0; i < bench_work_count(report); i++) {
        *found = bench_work_at(report, i);
        if (same_work(*found, like))
            return true;
    }
    return false;
}

/* --- Rows ------------------------------------------------------------------------------------ */

size_t bench_work_rows(BenchWork work)
{
    return work.group != NULL ? work.group->count : STAGE_COUNT;
}

BenchWorkRow bench_work_row(BenchWork work, size_t index)
{
    if (work.group == NULL)
        return (BenchWorkRow){bench_stage_name((BenchStage)index), work.job->verdict,
                              &work.job->stages[index], NULL};
    const BenchRow *row = &work.group->rows[index];
    return (BenchWorkRow){row->name, row->verdict, &row->cold,
                          row->counting != BENCH_UNCOUNTED ? row : NULL};
}

bool bench_work_find_row(BenchWork work, const char *name, BenchWorkRow *found)
{
    for (size_t i = 0; i < bench_work_rows(work); i++) {
        *found = bench_work_row(work, i);
        if (strcmp(found->name, name) == 0)
            return true;
    }
    return false;
}

bool bench_work_row_exists(BenchWork work, BenchWorkRow row)
{
    return work.group != NULL || row.timing->samples > 0;
}

/* --- Changes --------------------------------------------------------------------------------- */

static bool timed(BenchWorkRow row)
{
    return row.timing->samples > 0 && row.timing->median > 0;
}

/* Field by field, so that no padding is compared. */
static bool same_counts(const ImgLaunchCounts *a, const ImgLaunchCounts *b)
{
    for (const BenchCountField *field = bench_count_fields; field->key != NULL; field++)
        if (bench_count_get(a, field) != bench_count_get(b, field))
            return false;
    return true;
}

bool bench_change(BenchWork old, BenchWork new_, size_t index, BenchChange *change)
{
    *change = (BenchChange){.new_ = bench_work_row(new_, index)};
    if (!bench_work_find_row(old, change->new_.name, &change->old))
        return false;
    const BenchWorkRow *before = &change->old, *now = &change->new_;
    if (timed(*before) && timed(*now)) {
        change->timed = true;
        change->speed = before->timing->median / now->timing->median;
        change->noise = hypot(before->timing->noise, now->timing->noise);
        double factor = change->speed < 1 ? 1 / change->speed : change->speed;
        /* A single sample (creating a context) says nothing about its noise. */
        change->beyond =
            factor - 1 > change->noise && before->timing->samples > 1 && now->timing->samples > 1;
    }
    if (before->counted != NULL && now->counted != NULL && old.group != NULL &&
        new_.group != NULL && strcmp(old.group->counted, new_.group->counted) == 0) {
        change->counted = true;
        change->recounted = !same_counts(&before->counted->counts, &now->counted->counts);
    }
    return change->timed || change->counted;
}

BenchTotals bench_totals(const BenchReport *old, const BenchReport *new_)
{
    BenchTotals totals = {0};
    for (size_t i = 0; i < bench_work_count(new_); i++) {
        BenchWork now = bench_work_at(new_, i), before;
        BenchChange change;
        if (!bench_work_find(old, now, &before))
            continue;
        for (size_t r = 0; r < bench_work_rows(now); r++) {
            if (!bench_change(before, now, r, &change))
                continue;
            totals.compared++;
            totals.faster += change.beyond && change.speed > 1;
            totals.slower += change.beyond && change.speed < 1;
            totals.recounted += change.recounted;
        }
    }
    return totals;
}
