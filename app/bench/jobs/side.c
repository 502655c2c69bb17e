#include "app/bench/jobs/side.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/bench/measure/timing.h"
#include "app/cli/pipeline.h"
#include "app/engine/share/resources.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

ImgStatus side_open(Side *side, const Settings *settings, ImgBackend backend, const Steps *steps,
                    ImgError *err)
{
    *side = (Side){.settings = *settings, .steps = steps};
    Settings *own = &side->settings;
    own->engine.backend = (int32_t)backend;
    own->engine.impl = NULL;
    own->engine.verbosity = VERBOSITY_QUIET;
    side->job.backend = backend;
    if (steps->count > 0)
        img_pipeline_print(steps->at, steps->count, side->job.title, sizeof side->job.title);
    else
        bench_copy_text(side->job.title, sizeof side->job.title, "codec");

    ImgStep at[IMG_STEPS_MAX];
    memcpy(at, steps->at, sizeof at);
    Job job = {.steps = at, .count = steps->count, .options = &own->engine};
    ImgStatus status = backend == IMG_BACKEND_CUDA ? img_job_check(&job, err) : IMG_OK;
    if (status != IMG_OK)
        return status;
    /* The thread team has as many threads as memory allows in addition to the largest possible
     * job. */
    side->kept.team = img_resources_team(img_resources_limits(&own->engine).max_memory);
    ImgExecConfig config = {
        .backend = backend,
        .device = own->engine.device,
        .threads = img_resources_wanted_threads(&own->engine),
        .team = side->kept.team,
    };
    return img_exec_create(&config, &side->kept.exec, err);
}

ImgStatus side_open_device(Side *side, double *seconds, ImgError *err)
{
    ImgStep turn = {.op = NULL};
    ImgImage image = IMG_IMAGE_NONE;
    ImgRunReport report = {.init = 0};
    ImgShape shape = {1, 1, {IMG_COLOR_GRAY, 8}};
    ImgStatus status = img_op_find("rotate", &turn.op, err);
    if (status == IMG_OK) {
        img_params_init(turn.op, &turn.params);
        status = img_params_set(turn.op, &turn.params, "angle", "90", err);
    }
    if (status == IMG_OK)
        status = img_image_alloc(shape, &image, err);
    if (status == IMG_OK) {
        image.view.data[0] = 0;
        status = img_exec_run(side->kept.exec, &turn, 1, &image, &report, err);
    }
    img_image_free(&image);
    *seconds += report.init;
    return status;
}

ImgStatus side_run(Side *side, const char *input, double stages[STAGE_COUNT], JobReport *report,
                   ImgError *err)
{
    /* A job changes its steps to fit its file, so it gets a copy of them. */
    ImgStep steps[IMG_STEPS_MAX];
    memcpy(steps, side->steps->at, sizeof steps);
    Job job = {
        .input = input,
        .output = side->output,
        .steps = steps,
        .count = side->steps->count,
        .options = &side->settings.engine,
        .kept = &side->kept,
        .in_parts = side->steps->count == 0,
    };
    /* The old output is removed before the run, because replacing a file would add the time of
     * waiting for the disk. */
    unlink(side->output);
    ImgStatus status = img_job_run(&job, report, err);
    if (status != IMG_OK)
        return status;
    const ImgRunReport *run = &report->run;
    stages[STAGE_READ] += report->load.read;
    stages[STAGE_DECODE] += report->load.decode + report->load.expand;
    stages[STAGE_UPLOAD] += run->upload;
    stages[STAGE_KERNEL] += run->kernel;
    stages[STAGE_DOWNLOAD] += run->download;
    stages[STAGE_ENCODE] += report->encode;
    stages[STAGE_WRITE] += report->write;
    stages[STAGE_JOB] += report->total;
    return IMG_OK;
}

ImgStatus side_run_command(const Side *side, const char *program, const char *pipeline,
                           const char *input, double *seconds, ImgError *err)
{
    unlink(side->output);
    return bench_spawn(program, &side->settings, pipeline, input, side->output, seconds, err);
}

void side_add_picture(Side *side, const JobReport *report)
{
    BenchJob *job = &side->job;
    ImgShape shape = report->before;
    job->images++;
    job->pixel_bytes += (uint64_t)shape.width * (uint64_t)shape.height *
                        (uint64_t)img_format_pixel_size(shape.format);
    job->bytes_in += report->load.bytes;
    job->bytes_out += report->bytes_written;
    snprintf(job->device, sizeof job->device, "%s", report->run.device);
}

void side_add_sample(Side *side, BenchStage stage, double seconds)
{
    if (side->counts[stage] < SIDE_ROUNDS)
        side->samples[stage][side->counts[stage]++] = seconds;
}

/* Returns true if jobs of this backend have `stage`. Uploads and downloads need a GPU, and
 * STAGE_KERNEL needs steps. */
static bool has_stage(const Side *side, BenchStage stage)
{
    if (stage == STAGE_UPLOAD || stage == STAGE_DOWNLOAD)
        return side->job.backend == IMG_BACKEND_CUDA;
    return stage != STAGE_KERNEL || side->steps->count > 0;
}

/* Adds one sample to each stage from STAGE_READ to STAGE_JOB. STAGE_CONTEXT and STAGE_COMMAND are
 * not measured in each round; their samples come from side_add_sample. */
void side_add_round(Side *side, const double stages[STAGE_COUNT])
{
    for (BenchStage stage = STAGE_READ; stage <= STAGE_JOB; stage++)
        if (has_stage(side, stage))
            side_add_sample(side, stage, stages[stage]);
    side_end_parts(side);
}

/* Copies `message` to the job. If it is too long, keeps only its end, with the reason and the last
 * part of the path. Does not cut a UTF-8 character. */
static void set_message(BenchJob *job, const char *message)
{
    static const char cut[] = "...";
    size_t length = strlen(message), size = sizeof job->message;
    char *to = job->message;
    if (length >= size) {
        message += length - (size - sizeof cut);
        while (((unsigned char)*message & 0xc0) == 0x80)
            message++;
        to = stpcpy(to, cut);
    }
    memcpy(to, message, strlen(message) + 1);
}

void side_fail(Side *side, const ImgError *err)
{
    BenchJob *job = &side->job;
    job->verdict = BENCH_FAILED;
    side->ended |= err->status == IMG_E_DEVICE;
    if (side->failures++ == 0)
        set_message(job, err->message);
}

void side_skip(Side *side, const ImgError *err)
{
    side->job.verdict = BENCH_SKIPPED;
    side->ended = true;
    side->failures = 0;
    set_message(&side->job, err->message);
}

static void count_failures(Side *side)
{
    char message[BENCH_MESSAGE + 64];
    size_t others = side->failures - 1;
    snprintf(message, sizeof message, "%s; and %zu other%s", side->job.message, others,
             others == 1 ? "" : "s");
    set_message(&side->job, message);
}

ImgStatus side_finish(Side *side, BenchReport *report, ImgError *err)
{
    for (BenchStage stage = 0; stage < STAGE_COUNT; stage++)
        side->job.stages[stage] = bench_timing(side->samples[stage], side->counts[stage]);
    side->job.failures = side->failures;
    if (side->failures > 1)
        count_failures(side);
    BenchJob *job = bench_report_add_job(report, err);
    if (job == NULL)
        return err->status;
    *job = side->job;
    return side_report_parts(side, report, err);
}

void side_close(Side *side)
{
    img_job_exec_free(&side->kept);
}

/* --- The parts of decoding and encoding on a GPU ---------------------------------------------- */

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
    /* Every row that is reported is verified, because the parts of a failed job are not
     * reported. */
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
