/* Times the parts of decoding and encoding on a GPU. */
#include <stdio.h>
#include <string.h>

#include "app/bench/jobs/side.h"
#include "app/bench/measure/timing.h"

/* Returns the entry for a part in the table of this backend. Adds the part if it is new. Returns
 * NULL if the table is full. */
static SidePart *find_part(Side *side, const ImgRunPart *part)
{
    for (size_t i = 0; i < side->part_count; i++) {
        SidePart *known = &side->parts[i];
        if (known->of_sink == part->of_sink && strcmp(known->name, part->name) == 0)
            return known;
    }
    if (side->part_count == IMG_RUN_PARTS)
        return NULL;
    SidePart *added = &side->parts[side->part_count++];
    *added = (SidePart){.name = part->name, .of_sink = part->of_sink};
    return added;
}

void side_add_parts(Side *side, const ImgRunReport *run)
{
    for (size_t i = 0; i < run->part_count; i++) {
        SidePart *part = find_part(side, &run->parts[i]);
        if (part != NULL)
            part->round += run->parts[i].seconds;
    }
}

void side_end_parts(Side *side)
{
    for (size_t i = 0; i < side->part_count; i++) {
        SidePart *part = &side->parts[i];
        if (part->count < SIDE_ROUNDS)
            part->samples[part->count++] = part->round;
        part->round = 0;
    }
}

static ImgStatus add_row(BenchGroup *group, SidePart *part, ImgError *err)
{
    BenchRow *row = bench_group_add_row(group, err);
    if (row == NULL)
        return err->status;
    bench_copy_text(row->name, sizeof row->name, part->name);
    /* The result is always right here, because the parts of a failed job are not reported. */
    row->verdict = BENCH_VERIFIED;
    row->cold = bench_timing(part->samples, part->count);
    return IMG_OK;
}

static ImgStatus add_group(Side *side, bool of_sink, BenchReport *report, ImgError *err)
{
    BenchGroup *group = NULL;
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < side->part_count && status == IMG_OK; i++) {
        if (side->parts[i].of_sink != of_sink || side->parts[i].count == 0)
            continue;
        if (group == NULL && (group = bench_report_add_group(report, err)) == NULL)
            return err->status;
        status = add_row(group, &side->parts[i], err);
    }
    if (group == NULL)
        return status;
    group->section = BENCH_CODEC;
    bench_copy_text(group->title, sizeof group->title, of_sink ? "encode" : "decode");
    bench_copy_text(group->subject, sizeof group->subject, side->job.subject);
    group->backend = side->job.backend;
    group->bytes = side->job.pixel_bytes;
    return status;
}

ImgStatus side_report_parts(Side *side, BenchReport *report, ImgError *err)
{
    if (side->job.verdict != BENCH_VERIFIED)
        return IMG_OK;
    ImgStatus status = add_group(side, false, report, err);
    return status == IMG_OK ? add_group(side, true, report, err) : status;
}
