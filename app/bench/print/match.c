#include "app/bench/print/match.h"

#include <math.h>
#include <string.h>

#include "app/bench/print/fields.h"

/* --- Entries ---------------------------------------------------------------------------------- */

size_t bench_entry_count(const BenchReport *report)
{
    return report->group_count + report->job_count;
}

BenchEntry bench_entry_at(const BenchReport *report, size_t index)
{
    if (index < report->group_count) {
        const BenchGroup *group = &report->groups[index];
        return (BenchEntry){.section = bench_section_name(group->section),
                            .title = group->title,
                            .subject = group->subject,
                            .backend = group->backend,
                            .group = group};
    }
    const BenchJob *job = &report->jobs[index - report->group_count];
    return (BenchEntry){.section = "jobs",
                        .title = job->title,
                        .subject = job->subject,
                        .backend = job->backend,
                        .job = job};
}

static bool same_entry(BenchEntry a, BenchEntry b)
{
    return a.backend == b.backend && strcmp(a.section, b.section) == 0 &&
           strcmp(a.title, b.title) == 0 && strcmp(a.subject, b.subject) == 0;
}

bool bench_entry_find(const BenchReport *report, BenchEntry like, BenchEntry *found)
{
    for (size_t i = 0; i < bench_entry_count(report); i++) {
        *found = bench_entry_at(report, i);
        if (same_entry(*found, like))
            return true;
    }
    return false;
}

/* --- Rows ------------------------------------------------------------------------------------- */

size_t bench_entry_rows(BenchEntry entry)
{
    return entry.group != NULL ? entry.group->count : STAGE_COUNT;
}

BenchEntryRow bench_entry_row(BenchEntry entry, size_t index)
{
    if (entry.group == NULL)
        return (BenchEntryRow){bench_stage_name((BenchStage)index), entry.job->verdict,
                               &entry.job->stages[index], NULL};
    const BenchRow *row = &entry.group->rows[index];
    return (BenchEntryRow){row->name, row->verdict, &row->cold,
                           row->counting != BENCH_UNCOUNTED ? row : NULL};
}

bool bench_entry_find_row(BenchEntry entry, const char *name, BenchEntryRow *found)
{
    for (size_t i = 0; i < bench_entry_rows(entry); i++) {
        *found = bench_entry_row(entry, i);
        if (strcmp(found->name, name) == 0)
            return true;
    }
    return false;
}

bool bench_entry_row_exists(BenchEntry entry, BenchEntryRow row)
{
    return entry.group != NULL || row.timing->samples > 0;
}

/* --- Changes ---------------------------------------------------------------------------------- */

static bool timed(BenchEntryRow row)
{
    return row.timing->samples > 0 && row.timing->median > 0;
}

/* Returns true if all counts are equal. It compares them field by field, because the padding of the
 * structs may differ. */
static bool same_counts(const ImgLaunchCounts *a, const ImgLaunchCounts *b)
{
    for (const BenchCountField *field = bench_count_fields; field->key != NULL; field++)
        if (bench_count_get(a, field) != bench_count_get(b, field))
            return false;
    return true;
}

bool bench_change(BenchEntry old, BenchEntry new_, size_t index, BenchChange *change)
{
    *change = (BenchChange){.new_ = bench_entry_row(new_, index)};
    if (!bench_entry_find_row(old, change->new_.name, &change->old))
        return false;
    const BenchEntryRow *before = &change->old, *now = &change->new_;
    if (timed(*before) && timed(*now)) {
        change->timed = true;
        change->speed = before->timing->median / now->timing->median;
        change->noise = hypot(before->timing->noise, now->timing->noise);
        double factor = change->speed < 1 ? 1 / change->speed : change->speed;
        /* With a single sample the noise is unknown, for example for the creation of a context.
         * Such a change is never marked as significant. */
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
    for (size_t i = 0; i < bench_entry_count(new_); i++) {
        BenchEntry now = bench_entry_at(new_, i), before;
        BenchChange change;
        if (!bench_entry_find(old, now, &before))
            continue;
        for (size_t r = 0; r < bench_entry_rows(now); r++) {
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
