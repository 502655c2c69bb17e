#include "app/job.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/interrupt.h"
#include "app/report.h"
#include "app/resources.h"
#include "io/encode.h"
#include "io/expand.h"
#include "io/metadata.h"
#include "io/output.h"
#include "io/source.h"

/* Everything that one run owns. */
typedef struct Work {
    const Job *job;
    JobReport *report;
    ImgLimits limits;
    ImgFileFormat format;
    ImgSource *source; /* to the end: its warnings are printed then */
    ImgOutput *output;
    ImgExec *exec; /* our own, the job's, or what we share in */
    bool exec_is_own;
    int threads;    /* for work on a large picture; 0: not decided yet */
    ImgShape start; /* what the first step gets: the file's picture, or that one expanded */
    ImgImage image;
    ImgMetadata metadata;
    const char *loss; /* what the format does not hold; NULL: nothing is lost */
} Work;

/* A backend that cannot be had is no fault of the file. */
static ImgStatus at_input(const Work *work, ImgStatus status, ImgError *err)
{
    if (status != IMG_OK && status != IMG_E_UNAVAILABLE)
        img_error_prefix(err, "%s", report_input_name(work->job->input));
    return status;
}

static ImgStatus at_output(const Work *work, ImgStatus status, ImgError *err)
{
    if (status != IMG_OK)
        img_error_prefix(err, "%s", report_output_name(work->job->output));
    return status;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static bool is_expanded(const Work *work)
{
    return work->start.format.color != work->report->before.format.color;
}

/* The most that is alive at a time: the file and its pixels, these and their expanded form, two
 * images between which a step runs, or the result and what its encoder takes. `running` is the
 * third of them. */
static ImgStatus count_memory(Work *work, uint64_t running, ImgError *err)
{
    JobReport *report = work->report;
    size_t before, start, after;
    ImgStatus status = img_shape_bytes(report->before, &before, err);
    if (status == IMG_OK)
        status = img_shape_bytes(work->start, &start, err);
    if (status == IMG_OK)
        status = img_shape_bytes(report->after, &after, err);
    if (status != IMG_OK)
        return status;
    uint64_t decoding = report->bytes_read + before;
    uint64_t encoding =
        after + img_encode_bytes(work->format, report->after, img_source_metadata(work->source));
    uint64_t expanding = is_expanded(work) ? (uint64_t)before + start : 0;
    report->peak_bytes = larger(larger(running, expanding), larger(decoding, encoding));
    return IMG_OK;
}

static ImgStatus choose_format(Work *work, ImgError *err)
{
    struct stat info;
    const char *path = work->job->output;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return img_fail(err, IMG_E_IO, "is a folder; name the file to write in it");
    if (work->job->format != NULL) {
        work->format = *work->job->format;
        return IMG_OK;
    }
    return img_file_format_from_path(path, &work->format, err);
}

/* Only steps that ask get the facts: text that is too long to inflate must not stop the others. */
static ImgStatus find_facts(const Work *work, ImgFacts *facts, ImgError *err)
{
    const Job *job = work->job;
    *facts = (ImgFacts){0};
    for (size_t i = 0; i < job->count; i++)
        if (job->steps[i].op->bind != NULL)
            return img_metadata_facts(img_source_metadata(work->source), &work->limits, facts, err);
    return IMG_OK;
}

/* Before there are facts, which few steps ask for, and metadata, which only tells of transparent
 * colours. */
static uint64_t guess_bytes(const Work *work)
{
    const Job *job = work->job;
    ImgStep steps[IMG_STEPS_MAX];
    ImgShape before = img_source_shape(work->source), after;
    ImgFacts no_facts = {0};
    uint64_t running = 0;
    size_t pixels = 0;
    memcpy(steps, job->steps, job->count * sizeof *steps);
    (void)img_shape_bytes(before, &pixels, NULL);
    if (img_steps_plan(steps, job->count, before, &no_facts, &after, &running, NULL) != IMG_OK)
        running = 2 * (uint64_t)pixels;
    return larger(running, resources_file_bytes(job->input) + pixels) +
           resources_codec_bytes(job->settings, 1);
}

/* The first bytes, then room for the rest. */
static ImgStatus open_source(Work *work, ImgError *err)
{
    const Job *job = work->job;
    double start = img_clock();
    ImgStatus status = img_source_open(job->input, &work->limits, &work->source, err);
    work->report->read = img_clock() - start;
    if (status != IMG_OK || job->admit == NULL)
        return status;
    JobShare share = {1, NULL};
    status = job->admit(job->admit_context, img_source_shape(work->source), guess_bytes(work),
                        &share, err);
    work->threads = share.threads;
    work->exec = share.exec;
    return status;
}

/* Reads the file and works out what will happen to it; no pixel is decoded yet. */
static ImgStatus read_and_plan(Work *work, ImgError *err)
{
    const Job *job = work->job;
    JobReport *report = work->report;
    ImgStatus status = open_source(work, err);
    double start = img_clock();
    if (status == IMG_OK)
        status = img_source_load(work->source, err);
    report->read += img_clock() - start;
    if (status != IMG_OK)
        return status;

    ImgFacts facts;
    uint64_t running = 0;
    report->before = img_source_shape(work->source);
    report->bytes_read = img_source_bytes(work->source);
    work->start = report->before;
    if (img_steps_need_channels(job->steps, job->count))
        work->start = img_expanded_shape(report->before, img_source_metadata(work->source));
    status = find_facts(work, &facts, err);
    if (status == IMG_OK)
        status = img_steps_plan(job->steps, job->count, work->start, &facts, &report->after,
                                &running, err);
    if (status == IMG_OK)
        status = count_memory(work, running, err);
    if (status == IMG_OK)
        status = resources_check_memory(report->before, report->peak_bytes, &work->limits, err);
    return status;
}

/* Before the pixels are decoded: a folder that is not there should not cost the user that time. */
static ImgStatus open_output(Work *work, ImgError *err)
{
    const char *path = work->job->output;
    if (path[0] == '-' && path[1] == '\0' && isatty(STDOUT_FILENO))
        return img_fail(err, IMG_E_USAGE,
                        "is a terminal, which cannot show a picture; redirect it or name a file");
    return img_output_open(path, interrupt_hooks(), &work->output, err);
}

/* Of the step that moves most; planned before. */
static uint64_t most_traffic(const Job *job, ImgShape shape)
{
    uint64_t most = 0;
    for (size_t i = 0; i < job->count; i++) {
        const ImgOp *op = job->steps[i].op;
        most = larger(most, op->traffic(shape, &job->steps[i].params));
        (void)op->shape(shape, &job->steps[i].params, &shape, NULL);
    }
    return most;
}

/* Small pictures use no threads, and are not to wait for a trial. */
static int choose_threads(Work *work)
{
    JobReport *report = work->report;
    if (!resources_use_threads(most_traffic(work->job, work->start)))
        return resources_wanted_threads(work->job->settings);
    return resources_try_threads(work->job->settings, report->peak_bytes, &report->threads_refused);
}

static ImgStatus open_exec(Work *work, ImgError *err)
{
    const Settings *settings = work->job->settings;
    if (work->job->admit != NULL) {
        img_exec_set_threads(work->exec, work->threads);
        return IMG_OK;
    }
    work->exec = work->job->exec;
    work->threads = resources_wanted_threads(settings);
    if (work->exec != NULL)
        return IMG_OK;
    work->threads = choose_threads(work);
    work->exec_is_own = true;
    ImgExecConfig config = {
        .backend = (ImgBackend)settings->backend,
        .impl = settings->impl,
        .device = settings->device,
        .threads = work->threads,
    };
    return img_exec_create(&config, &work->exec, err);
}

static ImgStatus decode_and_run(Work *work, ImgError *err)
{
    const Job *job = work->job;
    JobReport *report = work->report;
    ImgStatus status = open_exec(work, err);
    if (status != IMG_OK)
        return status;
    img_exec_prepare(work->exec, job->steps, job->count, work->start,
                     resources_decode_seconds(report->before));

    double start = img_clock();
    int wanted = job->admit != NULL ? work->threads : resources_wanted_threads(job->settings);
    ImgPngDecodeOptions how = {.threads =
                                   resources_decode_threads(job->settings, work->source, wanted)};
    status = img_source_decode(work->source, &how, &work->image, &report->decoding, err);
    report->decode = img_clock() - start;
    if (status != IMG_OK)
        return status;
    work->metadata = img_source_take_metadata(work->source);
    if (is_expanded(work))
        status = img_expand(&work->image, &work->metadata, err);
    if (status != IMG_OK)
        return status;
    return img_exec_run(work->exec, job->steps, job->count, &work->image, &report->run, err);
}

static ImgStatus follow_metadata(Work *work, ImgError *err)
{
    const Job *job = work->job;
    ImgEffect effect = img_steps_effect(job->steps, job->count, work->start);
    if (job->settings->strip)
        img_metadata_strip(&work->metadata);
    return img_metadata_follow(&work->metadata, &effect, &work->limits, err);
}

static ImgStatus write_output(Work *work, ImgError *err)
{
    const Settings *settings = work->job->settings;
    JobReport *report = work->report;
    work->loss = img_encode_loss(work->format, &work->image, &work->metadata);
    ImgEncodeOptions how = {
        .level = settings->level,
        .threads = work->image.size >= IMG_BYTES_WORTH_THREADS_TO_ENCODE ? work->threads : 1,
        .index = !settings->no_index,
        .quality = settings->quality,
    };
    double start = img_clock();
    ImgStatus status = img_encode(work->format, &work->image, &work->metadata, &how, work->output,
                                  &report->encoding, err);
    double written = img_output_seconds(work->output);
    report->encode = img_clock() - start - written;
    if (status != IMG_OK)
        return status;
    report->bytes_written = img_output_bytes(work->output);
    start = img_clock();
    const char *temporary;
    status = img_output_finish(work->output, &temporary, err);
    if (status == IMG_OK && temporary != NULL && work->job->finished != NULL)
        status = work->job->finished(work->job->finished_context, temporary, err);
    if (status == IMG_OK)
        status = img_output_commit(&work->output, err);
    report->write = written + img_clock() - start;
    return status;
}

/* The colour type is not what it was, and nobody asked for that. */
static void note_expansion(const Work *work)
{
    const ImgStep *step = work->job->steps;
    while (!step->op->needs_channels)
        step++;
    ImgFormat from = work->report->before.format, to = work->start.format;
    report_note(work->job->settings, "%s: %s expanded to %s of %d bits: %s works on channels",
                report_input_name(work->job->input),
                from.color == IMG_COLOR_PALETTE ? "palette" : "transparent colour",
                img_color_name(to.color), to.bits, step->op->name);
}

static void note_useless_options(const Work *work)
{
    static const char *const names[] = {[IMG_FILE_PNG] = "PNG",
                                        [IMG_FILE_JPEG] = "JPEG",
                                        [IMG_FILE_BMP] = "BMP",
                                        [IMG_FILE_TGA] = "TGA"};
    const Settings *settings = work->job->settings;
    const char *output = report_output_name(work->job->output);
    atomic_uint *told = work->job->told_formats;
    unsigned bit = 1U << work->format;
    if (told != NULL && (atomic_fetch_or(told, bit) & bit) != 0)
        return;
    if (work->format != IMG_FILE_PNG && option_given(settings, "level"))
        report_note(settings, "%s: --level has no effect on %s", output, names[work->format]);
    if (work->format != IMG_FILE_JPEG && option_given(settings, "quality"))
        report_note(settings, "%s: --quality has no effect on %s", output, names[work->format]);
}

/* At the end, because a failure is to be one clear line. */
static void print_notes(const Work *work)
{
    const Settings *settings = work->job->settings;
    const char *input = report_input_name(work->job->input);
    const char *output = report_output_name(work->job->output);
    for (const char *const *line = img_source_warnings(work->source); *line != NULL; line++)
        report_note(settings, "%s: %s", input, *line);
    if (is_expanded(work))
        note_expansion(work);
    if (work->loss != NULL)
        report_note(settings, "%s: %s", output, work->loss);
    note_useless_options(work);
}

ImgStatus job_run(const Job *job, JobReport *report, ImgError *err)
{
    *report = (JobReport){.total = 0};
    double start = img_clock();
    Work work = {
        .job = job,
        .report = report,
        .limits = resources_limits(job->settings),
        .image = IMG_IMAGE_NONE,
        .metadata = IMG_METADATA_NONE,
    };

    ImgStatus status = at_output(&work, choose_format(&work, err), err);
    if (status != IMG_OK)
        goto done;
    status = at_input(&work, read_and_plan(&work, err), err);
    if (status != IMG_OK)
        goto done;
    status = at_output(&work, open_output(&work, err), err);
    if (status != IMG_OK)
        goto done;
    status = at_input(&work, decode_and_run(&work, err), err);
    if (status != IMG_OK)
        goto done;
    status = at_input(&work, follow_metadata(&work, err), err);
    if (status != IMG_OK)
        goto done;
    status = at_output(&work, write_output(&work, err), err);
    if (status == IMG_OK)
        print_notes(&work);

done:
    img_output_discard(&work.output);
    img_image_free(&work.image);
    img_metadata_free(&work.metadata);
    img_source_close(work.source);
    if (work.exec_is_own)
        img_exec_destroy(work.exec);
    report->total = img_clock() - start;
    return status;
}
