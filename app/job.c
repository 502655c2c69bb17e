#include "app/job.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/interrupt.h"
#include "app/machine.h"
#include "app/report.h"
#include "app/size.h"
#include "io/encode.h"
#include "io/metadata.h"
#include "io/output.h"
#include "io/source.h"
#include "kernels/core/select.h"

/* What libpng decodes in a second, roughly: for guessing whether a GPU would be ready in time. */
static const double DECODE_BYTES_PER_SECOND = 150e6;

/* Everything that one run owns. */
typedef struct Work {
    const Job *job;
    JobReport *report;
    ImgLimits limits;
    ImgFileFormat format;
    ImgSource *source;
    ImgOutput *output;
    ImgExec *exec;
    ImgImage image;
    ImgMetadata metadata;
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

static ImgStatus check_impl(const ImgStep *step, const Settings *settings, ImgError *err)
{
    const ImgImpl *impl;
    ImgBackend backend = (ImgBackend)settings->backend;
    if (settings->impl == NULL)
        return backend == IMG_BACKEND_AUTO ? IMG_OK
                                           : img_impl_fastest(step->op, backend, &impl, err);
    ImgStatus status = img_impl_find(step->op, settings->impl, &impl, err);
    if (status == IMG_OK && backend != IMG_BACKEND_AUTO && backend != impl->backend)
        return img_fail(err, IMG_E_USAGE, "%s: '%s' runs on %s; leave out --backend %s",
                        step->op->name, impl->name, img_backend_name(impl->backend),
                        img_backend_name(backend));
    return status;
}

ImgStatus job_check(const Job *job, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < job->count; i++)
        status = check_impl(&job->steps[i], job->settings, err);
    return status;
}

/* The file's bytes are still there while its pixels are decoded. */
static ImgStatus check_memory(const Work *work, uint64_t raw_bytes, ImgError *err)
{
    uint64_t decoding = work->report->bytes_read + raw_bytes;
    uint64_t need = work->report->peak_bytes > decoding ? work->report->peak_bytes : decoding;
    if (need <= work->limits.max_memory)
        return IMG_OK;
    char need_text[SIZE_TEXT], limit_text[SIZE_TEXT], option[SIZE_TEXT];
    return img_fail(
        err, IMG_E_LIMIT,
        "%d x %d pixels need %s of memory at a time, more than the limit of %s; "
        "--max-memory %s would allow it",
        work->report->before.width, work->report->before.height, size_print_bytes(need, need_text),
        size_print_bytes(work->limits.max_memory, limit_text), size_print_option(need, option));
}

static ImgStatus choose_format(Work *work, ImgError *err)
{
    struct stat info;
    const char *path = work->job->output;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return img_fail(err, IMG_E_IO, "is a folder; name the file to write in it");
    return img_file_format_from_path(path, &work->format, err);
}

/* Reads the file and works out what will happen to it; no pixel is decoded yet. */
static ImgStatus read_and_plan(Work *work, ImgError *err)
{
    const Job *job = work->job;
    JobReport *report = work->report;
    double start = img_clock();
    ImgStatus status = img_source_open(job->input, &work->limits, &work->source, err);
    if (status == IMG_OK)
        status = img_source_load(work->source, err);
    report->read = img_clock() - start;
    if (status != IMG_OK)
        return status;

    for (const char *const *line = img_source_warnings(work->source); *line != NULL; line++)
        report_note(job->settings, "%s: %s", report_input_name(job->input), *line);

    ImgFacts facts;
    report->before = img_source_shape(work->source);
    report->bytes_read = img_source_bytes(work->source);
    size_t raw_bytes;
    status = img_metadata_facts(img_source_metadata(work->source), &work->limits, &facts, err);
    if (status == IMG_OK)
        status = img_shape_bytes(report->before, &raw_bytes, err);
    if (status == IMG_OK)
        status = img_steps_plan(job->steps, job->count, report->before, &facts, &report->after,
                                &report->peak_bytes, err);
    if (status == IMG_OK)
        status = check_memory(work, raw_bytes, err);
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

static ImgStatus decode_and_run(Work *work, ImgError *err)
{
    const Job *job = work->job;
    const Settings *settings = job->settings;
    JobReport *report = work->report;
    ImgExecConfig config = {
        .backend = (ImgBackend)settings->backend,
        .impl = settings->impl,
        .device = settings->device,
        .threads = settings->threads != 0 ? settings->threads : machine_threads(),
    };
    ImgStatus status = img_exec_create(&config, &work->exec, err);
    if (status != IMG_OK)
        return status;
    size_t raw_bytes = 0;
    (void)img_shape_bytes(report->before, &raw_bytes, NULL);
    img_exec_prepare(work->exec, job->steps, job->count, report->before,
                     (double)raw_bytes / DECODE_BYTES_PER_SECOND);

    double start = img_clock();
    status = img_source_decode(work->source, &work->image, err);
    report->decode = img_clock() - start;
    if (status != IMG_OK)
        return status;
    work->metadata = img_source_take_metadata(work->source);
    img_source_close(work->source);
    work->source = NULL;
    return img_exec_run(work->exec, job->steps, job->count, &work->image, &report->run, err);
}

static ImgStatus follow_metadata(Work *work, ImgError *err)
{
    const Job *job = work->job;
    ImgEffect effect = img_steps_effect(job->steps, job->count, work->report->before);
    ImgStatus status = img_metadata_follow(&work->metadata, &effect, &work->limits, err);
    if (status == IMG_OK && job->settings->strip)
        img_metadata_strip(&work->metadata);
    return status;
}

static ImgStatus write_output(Work *work, ImgError *err)
{
    const Settings *settings = work->job->settings;
    JobReport *report = work->report;
    const char *loss = img_encode_loss(work->format, &work->image, &work->metadata);
    if (loss != NULL)
        report_note(settings, "%s: %s", report_output_name(work->job->output), loss);

    ImgEncodeOptions how = {.level = settings->level, .quality = settings->quality};
    double start = img_clock();
    ImgStatus status =
        img_encode(work->format, &work->image, &work->metadata, &how, work->output, err);
    double written = img_output_seconds(work->output);
    report->encode = img_clock() - start - written;
    if (status != IMG_OK)
        return status;
    report->bytes_written = img_output_bytes(work->output);
    start = img_clock();
    status = img_output_commit(&work->output, err);
    report->write = written + img_clock() - start;
    return status;
}

ImgStatus job_run(const Job *job, JobReport *report, ImgError *err)
{
    const Settings *settings = job->settings;
    *report = (JobReport){.total = 0};
    double start = img_clock();
    Work work = {
        .job = job,
        .report = report,
        .limits = {.max_pixels = settings->max_pixels,
                   .max_memory =
                       settings->max_memory != 0 ? settings->max_memory : machine_memory() / 4 * 3,
                   .max_text = IMG_DEFAULT_MAX_TEXT},
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

done:
    img_output_discard(&work.output);
    img_image_free(&work.image);
    img_metadata_free(&work.metadata);
    img_source_close(work.source);
    img_exec_destroy(work.exec);
    report->total = img_clock() - start;
    return status;
}
