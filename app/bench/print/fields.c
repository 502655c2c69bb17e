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

static uint64_t count_at(const ImgLaunchCounts *counts, size_t offset)
{
    uint64_t count;
    memcpy(&count, (const char *)counts + offset, sizeof count);
    return count;
}

uint64_t bench_count_get(const ImgLaunchCounts *counts, const BenchCountField *field)
{
    return count_at(counts, field->offset);
}

/* Returns true if the count is worth showing. The number of launches must exceed 1. The number of
 * warps is shown if some of them were split. Any other count must be above 0. */
static bool adds_information(const ImgLaunchCounts *counts, const BenchCountField *field)
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
            adds_information(&group->rows[r].counts, field))
            return true;
    return false;
}

#define READS(member)  offsetof(ImgLaunchCounts, member[IMG_READS])
#define WRITES(member) offsetof(ImgLaunchCounts, member[IMG_WRITES])
#define TWICE(offset)                                                                              \
    {                                                                                              \
        offset, offset                                                                             \
    }

static const BenchCounter counters[LAB_COUNTERS] = {
    [LAB_NO_COUNTER] = {"", "", "", false, {0, 0}},
    [LAB_SHARED_WAVEFRONTS] = {"shared_wavefronts",
                               "wavefronts of shared memory",
                               "wavefronts",
                               false,
                               {READS(shared_wavefronts), WRITES(shared_wavefronts)}},
    [LAB_SHARED_READ_WAVEFRONTS] = {"shared_read_wavefronts", "wavefronts of shared reads",
                                    "wavefronts", false, TWICE(READS(shared_wavefronts))},
    [LAB_GLOBAL_READS] = {"global_read_requests", "reads of global memory", "reads", false,
                          TWICE(READS(global_requests))},
    [LAB_GLOBAL_SECTORS] = {"global_sectors",
                            "sectors of global memory",
                            "sectors",
                            false,
                            {READS(global_sectors), WRITES(global_sectors)}},
    [LAB_SPLIT_WARPS] = {"split_warps", "split warps", "split warps", true,
                         TWICE(offsetof(ImgLaunchCounts, split_warps))},
    [LAB_SPLIT_BRANCHES] = {"split_branches", "split branches", "split branches", true,
                            TWICE(offsetof(ImgLaunchCounts, split_branches))},
};

const BenchCounter *bench_counter(LabCounter counter)
{
    return &counters[counter];
}

uint64_t bench_counter_get(const ImgLaunchCounts *counts, LabCounter counter)
{
    const size_t *offsets = counters[counter].offsets;
    uint64_t first = count_at(counts, offsets[0]);
    return offsets[1] == offsets[0] ? first : first + count_at(counts, offsets[1]);
}

/* Returns the offset of the field whose column shows the field at `offset`. Requests of shared
 * memory have no column of their own; the column of the wavefronts shows them. */
static size_t displayed_offset(size_t offset)
{
    if (offset == READS(shared_requests))
        return READS(shared_wavefronts);
    return offset == WRITES(shared_requests) ? WRITES(shared_wavefronts) : offset;
}

bool bench_is_lesson(const BenchGroup *group, const BenchCountField *field)
{
    size_t offset = displayed_offset(field->offset);
    for (int i = 0; i < LAB_LESSON_COUNTERS; i++) {
        const size_t *offsets = counters[group->counters[i]].offsets;
        if (group->counters[i] != LAB_NO_COUNTER && (offset == offsets[0] || offset == offsets[1]))
            return true;
    }
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
