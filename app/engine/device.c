/* Runs a job in which a GPU also decodes and encodes the file, so that only compressed bytes cross
 * the bus. If that is impossible or fails, the file is still in memory, and the CPU decodes or
 * encodes it. */
#include <stdint.h>

#include "app/engine/job_priv.h"
#include "app/engine/share/resources.h"
#include "app/text/streams.h"

/* Opens the reader with which a GPU decodes the file. If a palette or a transparent colour must be
 * expanded, there is no reader, because the CPU does that. */
static void open_reader(Work *work, const char **why_not)
{
    ImgSourceFile file = img_source_file(work->load.source);
    *why_not =
        file.data == NULL ? "the file is not in memory" : "its colours are expanded on the CPU";
    if (file.data != NULL && !img_load_is_expanded(&work->load))
        work->reader = img_png_device_reader(file.data, file.header, file.scan,
                                             img_source_metadata(work->load.source),
                                             file.in_caller_buffer, why_not);
}

/* Estimates the size of the output in bytes. Assumes that the output compresses as well as the
 * input file. */
static size_t expected_bytes(const Work *work, size_t file)
{
    const double expected = (double)file * (double)img_image_bytes(work->report->after) /
                            (double)img_image_bytes(work->load.raw);
    return expected < (double)(PTRDIFF_MAX / 2) ? (size_t)expected : file;
}

static void open_writer(Work *work, const char **why_not)
{
    ImgSourceFile file = img_source_file(work->load.source);
    ImgPngEncodeOptions how = {.level = work->job->options->level, .threads = 1};
    *why_not = "its format is written on the CPU";
    if (img_steps_measure(work->job->steps, work->job->count))
        *why_not = "its size depends on pixels";
    else if (work->format == IMG_FILE_PNG)
        work->writer = img_png_device_writer(work->report->after, &how, file.header->interlaced,
                                             expected_bytes(work, file.size), why_not);
}

/* Source and sink of a run on a GPU. */
typedef struct Ends {
    ImgDeviceEnd source, sink;
    ImgRunEnds both;
} Ends;

static void list_ends(const Work *work, Ends *ends)
{
    ends->both = (ImgRunEnds){.shape = work->load.shape, .in_parts = work->job->in_parts};
    if (work->reader != NULL) {
        ends->source = img_png_device_source(work->reader);
        ends->both.source = &ends->source;
    }
    if (work->writer != NULL) {
        ends->sink = img_png_device_sink(work->writer);
        ends->both.sink = &ends->sink;
    }
}

/* Runs the steps on a GPU. The source is either the compressed file or a picture that is already
 * decoded. A small picture runs in a group, or alone if the group lacked memory. */
static ImgStatus run_between(Work *work, const Ends *ends, bool in_group, ImgError *err)
{
    const Job *job = work->job;
    ImgRunReport *report = &work->report->run;
    if (in_group) {
        const ImgStatus status =
            img_exec_run_in_group(work->exec, job->steps, job->count, &ends->both, report, err);
        if (status != IMG_E_MEMORY)
            return status;
        img_error_clear(err);
    }
    return img_exec_run_between(work->exec, job->steps, job->count, &ends->both, &work->load.image,
                                report, err);
}

/* Like run_between. Meanwhile the worker does not count as working. */
static ImgStatus run_and_wait(Work *work, const Ends *ends, bool in_group, ImgError *err)
{
    const Place *place = work->job->place;
    if (place != NULL)
        img_pool_begin_wait(place->pool, place->worker, in_group);
    const ImgStatus status = run_between(work, ends, in_group, err);
    if (place != NULL)
        img_pool_end_wait(place->pool, place->worker, in_group);
    return status;
}

static void note_what_is_left(Work *work, const char *unread, const char *unwritten)
{
    if (work->reader == NULL)
        work->report->decoded_on_cpu = unread;
    if (work->writer == NULL)
        work->report->encoded_on_cpu = unwritten;
}

static void note_failure(Work *work, const ImgError *failure)
{
    const char *reason = failure->status == IMG_E_MEMORY
                             ? "there was too little GPU memory for the whole picture"
                             : "the GPU could not verify it, or failed";
    work->report->decoded_on_cpu = work->report->encoded_on_cpu = reason;
    img_engine_detail(work->job->options, "%s: repeated on the CPU: %s",
                      img_streams_input_name(work->load.path), failure->message);
}

static ImgStatus decode_first(Work *work, ImgError *err)
{
    return work->reader == NULL ? img_load_decode(&work->load, work->team, work->threads, err)
                                : IMG_OK;
}

static ImgStatus take_result(Work *work, ImgError *err)
{
    ImgStatus status = IMG_OK;
    Load *load = &work->load;
    if (work->reader != NULL) {
        load->report.decode = work->report->run.decode;
        load->report.decoding = (ImgPngDecodeReport){IMG_PNG_ON_DEVICE, "", 1, 1, false};
        status = img_load_take_metadata(load, err);
        if (!load->keeps_file)
            img_source_free_file(load->source);
    }
    if (work->writer != NULL)
        work->pre_encoded = img_png_device_strips(work->writer);
    else
        work->report->after = img_view_shape(&load->image.view);
    return status;
}

/* Returns true if a GPU may process the picture together with other small pictures. */
static bool may_group(const Work *work, const Ends *ends)
{
    const Job *job = work->job;
    return img_resources_codec_cost(work->load.shape, work->report->after, true, true, 1)
               .in_group &&
           img_exec_may_group(work->exec, job->steps, job->count, &ends->both);
}

/* Frees a writer that pays only in a group. */
static void drop_small_writer(Work *work, Ends *ends, const char **why_not)
{
    if (work->writer == NULL || !ends->sink.only_many)
        return;
    img_png_device_writer_free(work->writer);
    work->writer = NULL;
    ends->both.sink = NULL;
    *why_not = "so small a picture is encoded on a GPU only in a batch";
}

static bool is_worth_it(Work *work, bool in_group)
{
    ImgEndsCost cost =
        img_resources_codec_cost(work->load.shape, work->report->after, work->reader != NULL,
                                 work->writer != NULL, work->threads);
    cost.in_group = in_group;
    return img_exec_takes_ends(work->exec, work->job->steps, work->job->count, work->load.shape,
                               &cost);
}

ImgStatus img_work_run_on_device(Work *work, bool *done, ImgError *err)
{
    const char *unread = NULL, *unwritten = NULL;
    Ends ends;
    *done = false;
    if (!img_cuda_in_build() || work->job->options->backend == IMG_BACKEND_CPU ||
        work->job->optimizes || work->load.store != NULL || work->job->output == NULL)
        return IMG_OK;
    open_reader(work, &unread);
    open_writer(work, &unwritten);
    list_ends(work, &ends);
    const bool in_group = may_group(work, &ends);
    if (!in_group)
        drop_small_writer(work, &ends, &unwritten);
    if ((work->reader == NULL && work->writer == NULL) ||
        (work->reader == NULL && work->load.by_rows))
        return IMG_OK;
    ImgStatus status = decode_first(work, err);
    work->left_to_cpu = status == IMG_OK && !is_worth_it(work, in_group);
    if (status != IMG_OK || work->left_to_cpu)
        return status;
    note_what_is_left(work, unread, unwritten);
    ImgError failure = {IMG_OK, ""};
    *done = run_and_wait(work, &ends, in_group, &failure) == IMG_OK;
    if (*done)
        return take_result(work, err);
    note_failure(work, &failure);
    return IMG_OK;
}

void img_work_leave_device(Work *work)
{
    img_png_device_reader_free(work->reader);
    img_png_device_writer_free(work->writer);
    work->reader = NULL;
    work->writer = NULL;
    work->pre_encoded = NULL;
}
