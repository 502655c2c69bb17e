#include "app/bench/print/fields.h"

#include <string.h>

#define COUNT(key, heading, member, optional)                                                      \
    {                                                                                              \
        key, heading, offsetof(ImgLaunchCounts, member), optional                                  \
    }

const BenchCountField bench_count_fields[] = {
    COUNT("shared_read_requests", "shared\nreads", shared_requests[IMG_READS], false),
    COUNT("shared_read_wavefronts", "wave-\nfronts", shared_wavefronts[IMG_READS], false),
    COUNT("shared_write_requests", "shared\nwrites", shared_requests[IMG_WRITES], false),
    COUNT("shared_write_wavefronts", "wave-\nfronts", shared_wavefronts[IMG_WRITES], false),
    COUNT("global_sectors_read", "sectors\nread", global_sectors[IMG_READS], false),
    COUNT("global_sectors_written", "sectors\nwritten", global_sectors[IMG_WRITES], false),
    COUNT("split_warps", "split\nwarps", split_warps, true),
    COUNT("warps", "of\nwarps", warps, true),
    COUNT("split_branches", "split\nbranches", split_branches, true),
    COUNT("launches", "launches", launches, true),
    COUNT("global_read_requests", "global\nreads", global_requests[IMG_READS], true),
    COUNT("global_write_requests", "global\nwrites", global_requests[IMG_WRITES], true),
    COUNT("blocks", NULL, blocks, true),
    {NULL, NULL, 0, false},
};

uint64_t bench_count_get(const ImgLaunchCounts *counts, const BenchCountField *field)
{
    uint64_t count;
    memcpy(&count, (const char *)counts + field->offset, sizeof count);
    return count;
}

/* Launches say something where there are several, warps where some were split. */
static bool says_something(const ImgLaunchCounts *counts, const BenchCountField *field)
{
    if (field->offset == offsetof(ImgLaunchCounts, warps))
        return counts->split_warps > 0;
    if (field->offset == offsetof(ImgLaunchCounts, launches))
        return counts->launches > 1;
    return bench_count_get(counts, field) > 0;
}

bool bench_count_shown(const BenchGroup *group, const BenchCountField *field)
{
    for (size_t r = 0; field->heading != NULL && r < group->count; r++)
        if (group->rows[r].counting != BENCH_UNCOUNTED &&
            says_something(&group->rows[r].counts, field))
            return true;
    return false;
}

BenchCounting bench_group_counting(const BenchGroup *group, bool *mixed)
{
    BenchCounting found = BENCH_UNCOUNTED;
    *mixed = false;
    for (size_t r = 0; r < group->count; r++) {
        BenchCounting counting = group->rows[r].counting;
        if (counting == BENCH_UNCOUNTED)
            continue;
        *mixed |= found != BENCH_UNCOUNTED && found != counting;
        found = counting;
    }
    return found;
}

const char *bench_counting_name(BenchCounting counting)
{
    static const char *const names[] = {
        [BENCH_UNCOUNTED] = "", [BENCH_MODELLED] = "modelled", [BENCH_MEASURED] = "measured"};
    return names[counting];
}

const char *bench_verdict_name(BenchVerdict verdict)
{
    static const char *const names[] = {[BENCH_VERIFIED] = "verified",
                                        [BENCH_LIMIT] = "limit",
                                        [BENCH_FAILED] = "failed",
                                        [BENCH_SKIPPED] = "skipped"};
    return names[verdict];
}

const char *bench_section_name(BenchSection section)
{
    static const char *const names[] = {
        [BENCH_OPS] = "ops", [BENCH_LAB] = "lab", [BENCH_CODEC] = "codec"};
    return names[section];
}

const BenchTiming *bench_job_whole(const BenchJob *job)
{
    const BenchTiming *inside = &job->stages[STAGE_JOB];
    return inside->samples > 0 ? inside : &job->stages[STAGE_COMMAND];
}
