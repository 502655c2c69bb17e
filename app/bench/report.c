#include "app/bench/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/text/list.h"

/* Appends an item of `size` zero bytes to an array and returns its address. If memory is short,
 * returns NULL and changes nothing. */
static void *append(void **items, size_t *count, size_t size, ImgError *err)
{
    void *grown = list_grow(*items, *count, size);
    if (grown == NULL) {
        (void)img_fail(err, IMG_E_MEMORY, "no memory");
        return NULL;
    }
    *items = grown;
    void *item = (char *)grown + (*count)++ * size;
    return memset(item, 0, size);
}

BenchGroup *bench_report_add_group(BenchReport *report, ImgError *err)
{
    void *items = report->groups;
    BenchGroup *group = append(&items, &report->group_count, sizeof *group, err);
    report->groups = items;
    return group;
}

BenchRow *bench_group_add_row(BenchGroup *group, ImgError *err)
{
    void *items = group->rows;
    BenchRow *row = append(&items, &group->count, sizeof *row, err);
    group->rows = items;
    return row;
}

BenchJob *bench_report_add_job(BenchReport *report, ImgError *err)
{
    void *items = report->jobs;
    BenchJob *job = append(&items, &report->job_count, sizeof *job, err);
    report->jobs = items;
    return job;
}

void bench_report_free(BenchReport *report)
{
    for (size_t i = 0; i < report->group_count; i++)
        free(report->groups[i].rows);
    free(report->groups);
    free(report->jobs);
    *report = BENCH_REPORT_NONE;
}

void bench_copy_text(char *to, size_t size, const char *text)
{
    size_t length = strlen(text);
    if (length >= size) {
        size_t cut = size - 1;
        while (cut > 0 && size - cut < 4 && ((unsigned char)text[cut] & 0xC0) == 0x80)
            cut--;
        length = ((unsigned char)text[cut] & 0xC0) == 0x80 ? size - 1 : cut;
    }
    memcpy(to, text, length);
    to[length] = '\0';
}

void bench_row_fail(BenchRow *row, const ImgError *err)
{
    row->verdict = err->status == IMG_E_UNAVAILABLE ? BENCH_SKIPPED : BENCH_FAILED;
    bench_copy_text(row->message, sizeof row->message, err->message);
}

bool bench_report_failed(const BenchReport *report)
{
    for (size_t g = 0; g < report->group_count; g++)
        for (size_t r = 0; r < report->groups[g].count; r++)
            if (report->groups[g].rows[r].verdict == BENCH_FAILED)
                return true;
    for (size_t j = 0; j < report->job_count; j++)
        if (report->jobs[j].verdict == BENCH_FAILED)
            return true;
    return false;
}

const BenchRow *bench_group_limit(const BenchGroup *group)
{
    for (size_t r = 0; r < group->count; r++)
        if (group->rows[r].verdict == BENCH_LIMIT)
            return &group->rows[r];
    return NULL;
}

double bench_rate(const BenchGroup *group, const BenchRow *row)
{
    bool own = row->verdict == BENCH_LIMIT && group->limit_bytes > 0;
    uint64_t bytes = own ? group->limit_bytes : group->bytes;
    return row->cold.samples > 0 ? (double)bytes / row->cold.median : 0;
}

double bench_share(const BenchGroup *group, const BenchRow *row)
{
    const BenchRow *limit = bench_group_limit(group);
    double highest = limit != NULL ? bench_rate(group, limit) : 0;
    double share = highest > 0 ? bench_rate(group, row) / highest : 0;
    return isfinite(share) ? share : 0;
}

const char *bench_stage_name(BenchStage stage)
{
    static const char *const names[STAGE_COUNT] = {"context", "read",     "decode", "upload",
                                                   "kernel",  "download", "encode", "write",
                                                   "job",     "command"};
    return names[stage];
}
