/* Writes the result of a job: format, file and metadata. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/engine/job_priv.h"
#include "app/engine/share/optimize.h"
#include "app/engine/share/options.h"
#include "app/text/streams.h"
#include "io/encode.h"
#include "io/metadata/metadata_follow.h"
#include "io/output/attributes.h"
#include "io/output/backup.h"
#include "kernels/core/parallel/clock.h"

static const char OTHER_BACKUP[] = "choose another --backup=SUFFIX";

static ImgStatus at_output(const Work *work, ImgStatus status, ImgError *err)
{
    if (status != IMG_OK)
        img_error_prefix(err, "%s", img_streams_output_name(work->job->output));
    return status;
}

static ImgStatus find_format(Work *work, ImgError *err)
{
    if (S_ISDIR(work->output_mode))
        return img_fail(err, IMG_E_IO, "is a directory; name the file to write in it");
    if (work->job->format != NULL) {
        work->format = *work->job->format;
        return IMG_OK;
    }
    return img_file_format_from_path(work->job->output, &work->format, err);
}

static ImgStatus choose_format(Work *work, ImgError *err)
{
    const ImgStatus status = find_format(work, err);
    if (status != IMG_OK || !work->job->optimizes || work->format == IMG_FILE_PNG)
        return status;
    return img_fail(err, IMG_E_USAGE, "optimize writes PNG only; name a file that ends in .png");
}

const ImgFileFormat *img_work_format(const Work *work)
{
    return work->job->output != NULL ? &work->format : work->job->format;
}

ImgStatus img_work_choose_format(Work *work, ImgError *err)
{
    if (work->job->output == NULL)
        return IMG_OK;
    return at_output(work, choose_format(work, err), err);
}

/* Opens the output before pixels are decoded, so that a job whose output cannot be written fails
 * early. */
ImgStatus img_work_open_output(Work *work, ImgError *err)
{
    const Job *job = work->job;
    Result *result = &work->result;
    ImgStatus status;
    if (job->output == NULL)
        return IMG_OK;
    if (job->result == NULL)
        status = img_result_prepare(result, job->output, job->options, err);
    else
        status = img_result_take(job->result, result, err);
    if (status == IMG_OK && img_engine_interrupt(job->options) != NULL)
        img_output_set_interrupt(result->output, *img_engine_interrupt(job->options));
    if (status == IMG_OK && job->guard != NULL && !job->options->no_clobber)
        img_output_set_guard(result->output, job->guard);
    if (status == IMG_OK)
        status = img_output_begin(result->output, err);
    if (status == IMG_OK && result->backup.target != NULL)
        status = img_backup_check(&result->backup, OTHER_BACKUP, err);
    return at_output(work, status, err);
}

ImgStatus img_work_follow_metadata(Work *work, ImgError *err)
{
    const Job *job = work->job;
    Load *load = &work->load;
    ImgPalette palette;
    const MetadataChange change = {
        .effect = img_steps_effect(job->steps, job->count, load->shape),
        .palette = img_steps_palette(job->steps, job->count, &palette) ? &palette : NULL,
        .result = work->report->after.format,
        .keep = (ImgKeep)img_engine_keep(job->options, job->steps, job->count),
        .fits_profile = true,
        .dpi = job->options->dpi,
        .modified = job->modified,
        .limits = &load->limits,
    };
    return img_load_failure(load, img_adapt_metadata(&load->metadata, &change, &work->lost, err),
                            err);
}

static bool is_large(const ImgImage *image)
{
    return img_image_bytes(img_view_shape(&image->view)) >= IMG_BYTES_WORTH_THREADS_TO_ENCODE;
}

static int encode_threads(const Work *work, const ImgImage *image)
{
    const ImgShape shape = img_view_shape(&image->view);
    const uint64_t stored = image->store != NULL ? img_image_bytes(shape) : 0;
    return img_encode_threads(work->format, shape, &work->load.metadata, work->job->options->level,
                              work->load.room + stored, work->threads, NULL);
}

/* Determines what a format other than PNG loses. A lost orientation is not reported if reading it
 * would take too long. */
static void find_losses(Work *work, const ImgImage *image)
{
    const Load *load = &work->load;
    ImgFacts facts = {0};
    if (!img_encode_loss(work->format, image, &load->metadata, work->loss))
        work->loss[0] = '\0';
    if (work->format == IMG_FILE_PNG || work->lost.orientation > 0)
        return;
    if (img_metadata_facts(&load->metadata, &load->limits, &facts, NULL) == IMG_OK &&
        facts.orientation > 1)
        work->lost.orientation = facts.orientation;
}

static ImgStatus encode(Work *work, ImgError *err)
{
    const EngineOptions *options = work->job->options;
    const Load *load = &work->load;
    ImgImage image = load->image;
    if (work->pre_encoded != NULL) {
        image.view = work->pre_encoded->view; /* may contain only some of the rows */
        image.store = NULL;
    }
    ImgProgress progress;
    ImgEncodeOptions how = {
        .level = options->level,
        .pre_encoded = work->pre_encoded,
        .threads = is_large(&image) ? encode_threads(work, &image) : 1,
        .index = !options->no_index,
        .quality = options->quality,
        .team = work->team,
        .progress = img_engine_progress(options, &progress),
    };
    find_losses(work, &image);
    double start = img_clock();
    ImgStatus status = img_encode(work->format, &image, &load->metadata, &how, work->result.output,
                                  &work->report->encoding, err);
    work->report->write = img_output_seconds(work->result.output);
    work->report->encode = work->report->run.encode + img_clock() - start - work->report->write;
    work->report->bytes_written = img_output_bytes(work->result.output);
    return status;
}

bool img_work_copies_animation(const Work *work)
{
    const Job *job = work->job;
    return job->optimizes && job->refuses_animation && img_source_is_animated(work->load.source);
}

/* Copies the file of an animation, whose frames share the colour type of the still picture. */
static ImgStatus copy_file(Work *work, const ImgSourceFile *file, ImgError *err)
{
    const ImgFormat format = work->load.raw.format;
    work->report->optimized = (ImgOptimizeReport){.before = format,
                                                  .after = format,
                                                  .kept = IMG_KEPT_FILE,
                                                  .bytes_before = file->size,
                                                  .bytes_after = file->size};
    return img_output_write(work->result.output, file->data, file->size, err);
}

static ImgStatus optimize(Work *work, const ImgSourceFile *file, ImgError *err)
{
    const Load *load = &work->load;
    const EngineOptions *options = work->job->options;
    const ImgOptimizeOptions how = img_optimize_options(options);
    ImgProgress progress;
    const ImgShape shape = img_view_shape(&load->image.view);
    const ImgOptimizeInput input = {
        .image = &load->image,
        .metadata = &load->metadata,
        .file = file->data,
        .size = file->scan->size,
        .must_change =
            img_optimize_changes_metadata(options) || img_source_warnings(load->source)[0] != NULL,
        .extra_data = load->report.decoding.extra_data,
    };
    const ImgOptimizeResources resources = {
        .team = work->team,
        .threads = img_optimize_threads(options, shape, load->room, work->threads, NULL),
        .progress = img_engine_progress(options, &progress),
    };
    return img_png_optimize(&input, &how, &resources, work->result.output, &work->report->optimized,
                            err);
}

/* Optimizes the picture, and writes the file to the output. */
static ImgStatus write_smallest(Work *work, ImgError *err)
{
    const ImgSourceFile file = img_source_file(work->load.source);
    JobReport *report = work->report;
    const double start = img_clock();
    const ImgStatus status =
        img_work_copies_animation(work) ? copy_file(work, &file, err) : optimize(work, &file, err);
    report->after.format = report->optimized.after;
    report->write = img_output_seconds(work->result.output);
    report->encode = img_clock() - start - report->write;
    report->bytes_written = img_output_bytes(work->result.output);
    return status;
}

/* Writes the compressed pixels of the input instead of the result if that is smaller. The file must
 * have been decoded without a warning about its pixels. */
static ImgStatus keep_smaller(Work *work, ImgError *err)
{
    const Load *load = &work->load;
    JobReport *report = work->report;
    if (!load->keeps_file || load->report.decoding.extra_data ||
        load->metadata.interlaced != img_source_is_interlaced(load->source))
        return IMG_OK;
    ImgStatus status =
        img_source_write_pixels(load->source, &load->metadata, !work->job->options->no_index,
                                work->result.output, &report->kept_pixels, err);
    report->bytes_written = img_output_bytes(work->result.output);
    status = at_output(work, status, err);
    return status == IMG_OK ? img_load_failure(load, img_source_check_file(load->source, err), err)
                            : status;
}

static ImgStatus commit(Work *work, ImgError *err)
{
    const Job *job = work->job;
    const ImgBackup *backup = &work->result.backup;
    double start = img_clock();
    const char *temporary;
    bool made = false;
    ImgStatus status = img_output_finish(work->result.output, &temporary, err);
    for (int i = 0; i < IMG_OUTPUT_NOTES; i++) {
        const char *note = img_output_note(work->result.output, i);
        snprintf(work->replaced[i], sizeof work->replaced[i], "%s", note != NULL ? note : "");
    }
    if (status == IMG_OK && temporary != NULL && job->replaces_input && work->has_old)
        status = img_output_expect(work->result.output, &work->old, err);
    if (status == IMG_OK && temporary != NULL && work->has_old && job->options->preserve)
        status = img_attributes_copy(job->input_path != NULL ? job->input_path : job->input,
                                     &work->old, temporary, &work->unkept, err);
    if (status == IMG_OK && temporary != NULL && backup->target != NULL)
        status = img_backup_make(backup, OTHER_BACKUP, &made, err);
    if (status == IMG_OK && temporary != NULL && job->finished != NULL)
        status = job->finished(job->finished_context, temporary, err);
    if (status == IMG_OK)
        status = img_output_commit(&work->result.output, err);
    if (status != IMG_OK && made)
        (void)unlink(backup->name); /* the output was not replaced, so the backup is of no use */
    work->report->write += img_clock() - start;
    return status;
}

ImgStatus img_work_write(Work *work, ImgError *err)
{
    if (work->job->output == NULL)
        return img_work_call(work, work->job->functions.use, err);
    ImgStatus status = work->streamed ? IMG_OK : img_work_follow_metadata(work, err);
    if (status != IMG_OK)
        return status;
    if (work->job->optimizes)
        status = at_output(work, write_smallest(work, err), err);
    else if (!work->streamed)
        status = at_output(work, encode(work, err), err);
    if (status == IMG_OK && !work->job->optimizes)
        status = keep_smaller(work, err);
    return status == IMG_OK ? at_output(work, commit(work, err), err) : status;
}
