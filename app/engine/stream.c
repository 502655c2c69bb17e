/* Runs steps and encodes the result in bands, so that the result is never in memory as a whole. The
 * source is either a file that is decoded meanwhile, or a picture in memory. */
#include <stdatomic.h>

#include "app/engine/job_priv.h"
#include "app/text/streams.h"
#include "kernels/core/parallel/clock.h"

typedef struct Stream {
    Work *work;
    ImgStep *steps; /* steps that run in bands */
    size_t count;
    ImgRowSource source;
    LoadRows rows; /* rows of the file; unused if the source is a picture in memory */
    ImgMeasured measured;
    double earlier; /* seconds of decoding in the passes that measured */
    ImgBands *bands;
    ImgPngEncoder *encoder;
    ImgProgress counted, *progress; /* `progress` is &counted, or NULL */
    atomic_bool failed;
    bool output_failed; /* the first failure concerned the output, not the input */
} Stream;

/* Adds the name of the output to the message. */
static ImgStatus at_output(const Stream *stream, ImgStatus status, ImgError *err)
{
    if (status != IMG_OK)
        img_error_prefix(err, "%s", img_streams_output_name(stream->work->job->output));
    return status;
}

static ImgStatus open_encoder(Stream *stream, ImgError *err)
{
    Work *work = stream->work;
    const EngineOptions *options = work->job->options;
    const ImgPngEncodeOptions how = {.level = options->level,
                                     .threads = img_bands_workers(stream->bands),
                                     .index = !options->no_index,
                                     .team = work->team};
    return at_output(stream,
                     img_png_encoder_start(work->report->after, &work->load.metadata, &how,
                                           work->load.strips, work->result.output, &stream->encoder,
                                           err),
                     err);
}

static ImgStatus open_bands(Stream *stream, ImgError *err)
{
    const Work *work = stream->work;
    return img_load_failure(&work->load,
                            img_bands_begin(work->exec, stream->steps, stream->count,
                                            &stream->source, work->load.sink, &stream->measured,
                                            &stream->bands, err),
                            err);
}

static ImgStatus take_band(void *context, int worker, int32_t first, const ImgView *rows,
                           ImgError *err)
{
    Stream *stream = context;
    const ImgStatus status = img_png_encoder_rows(stream->encoder, worker, first, rows, err);
    if (status == IMG_OK && !img_progress_add_rows(stream->progress, (uint64_t)rows->height) &&
        img_progress_is_cancelled(stream->progress, err))
        return err->status;
    if (status != IMG_OK && !atomic_exchange(&stream->failed, true))
        stream->output_failed = true;
    return status;
}

static void stop(void *context)
{
    Stream *stream = context;
    atomic_store(&stream->failed, true);
    img_png_encoder_stop(stream->encoder);
}

/* Runs the steps and encodes, band by band. */
static ImgStatus run_bands(Stream *stream, ImgError *err)
{
    Load *load = &stream->work->load;
    JobReport *report = stream->work->report;
    const ImgBandSink sink = {take_band, stop, stream};
    const double start = img_clock();
    stream->progress = img_engine_progress(stream->work->job->options, &stream->counted);
    img_progress_start(stream->progress, (uint64_t)report->after.height);
    ImgStatus status = img_bands_run(stream->bands, &sink, err);
    report->encode = img_clock() - start;
    if (status != IMG_OK)
        return stream->output_failed ? at_output(stream, status, err)
                                     : img_load_failure(load, status, err);
    if (stream->source.image == NULL)
        load->report.decode = stream->earlier + (load->report.decode - stream->earlier) /
                                                    img_bands_workers(stream->bands);
    status = img_load_failure(load, img_load_rows_finish(&stream->rows, err), err);
    return status == IMG_OK
               ? at_output(stream, img_png_encoder_finish(stream->encoder, &report->encoding, err),
                           err)
               : status;
}

/* Sets the times of the report. `others` is the time of all work except encoding, in seconds; the
 * rest of the measured time is the time of encoding. */
static void note_times(const Work *work, double others)
{
    JobReport *report = work->report;
    ImgOutput *output = work->result.output;
    report->write = img_output_seconds(output);
    report->encode -= others + report->write;
    report->encode = report->encode > 0 ? report->encode : 0;
    report->bytes_written = img_output_bytes(output);
}

/* Prepares for decoding the whole picture instead, with the metadata as they were in the file. */
static ImgStatus leave(const Stream *stream, ImgError *err)
{
    Work *work = stream->work;
    const Job *job = work->job;
    Load *load = &work->load;
    Share share = {.threads = work->threads, .team = work->team, .exec = work->exec};
    ImgStatus status = at_output(stream, img_output_restart(work->result.output, err), err);
    if (status != IMG_OK)
        return status;
    img_metadata_free(&load->metadata);
    status = img_source_read_metadata(load->source, err);
    return status == IMG_OK
               ? img_plan_leave_rows(load, job->steps, job->count, job->place, &share, err)
               : img_load_failure(load, status, err);
}

static ImgStatus run(Stream *stream, ImgError *err)
{
    Work *work = stream->work;
    ImgStatus status = img_work_follow_metadata(work, err);
    if (status == IMG_OK)
        status = open_bands(stream, err);
    if (status == IMG_OK)
        status = open_encoder(stream, err);
    if (status == IMG_OK)
        status = run_bands(stream, err);
    return status;
}

/* Decodes the file, runs the steps and encodes. Sets *reading to the status of the decoder. */
static ImgStatus stream_file(Stream *stream, ImgStatus *reading, ImgError *err)
{
    Work *work = stream->work;
    Load *load = &work->load;
    img_load_rows_begin(load, work->team, 1, img_load_streams_ahead(load, work->threads),
                        load->bands.source_rows, &stream->rows);
    stream->source = stream->rows.source;
    ImgStatus status = img_load_take_metadata(load, err);
    if (status == IMG_OK)
        status = run(stream, err);
    *reading = stream->rows.status;
    img_png_encoder_free(stream->encoder);
    img_bands_end(stream->bands, &work->report->run);
    img_load_rows_end(&stream->rows);
    return status;
}

ImgStatus img_work_stream(Work *work, bool *done, ImgError *err)
{
    Load *load = &work->load;
    Stream stream = {.work = work, .steps = work->job->steps, .count = work->job->count};
    ImgStatus reading = IMG_OK;
    ImgError failure = {IMG_OK, ""};
    ImgStatus status = img_work_measure_file(work, &stream.measured, &reading, &failure);
    if (status == IMG_OK && img_steps_measure(stream.steps, stream.count))
        status = img_work_plan_measured(work, stream.steps, stream.count, load->shape, &failure);
    stream.earlier = load->report.decode;
    if (status == IMG_OK)
        status = stream_file(&stream, &reading, &failure);
    *done = work->streamed = work->report->by_rows = status == IMG_OK;
    if (*done)
        note_times(work, load->report.decode + work->report->run.kernel - stream.earlier -
                             stream.measured.seconds);
    img_measured_free(&stream.measured);
    if (*done)
        return IMG_OK;
    if (reading == IMG_E_FORMAT || reading == IMG_E_UNAVAILABLE)
        return leave(&stream, err);
    return img_fail(err, status, "%s", failure.message);
}

/* --- The last steps --------------------------------------------------------------------------- */

/* Adds the passes in `more` to *report. Their step numbers are relative to step number `first` of
 * the job. */
static void add_report(ImgRunReport *report, const ImgRunReport *more, size_t first)
{
    if (first == 0) {
        *report = *more;
        return;
    }
    report->kernel += more->kernel;
    for (size_t i = 0; i < more->count && report->count < IMG_PASSES_MAX; i++) {
        report->passes[report->count] = more->passes[i];
        report->passes[report->count++].first += first;
    }
}

ImgStatus img_work_stream_tail(Work *work, ImgError *err)
{
    const size_t first = work->load.whole_steps;
    const ImgImage *image = &work->load.image;
    Stream stream = {
        .work = work,
        .steps = work->job->steps + first,
        .count = work->job->count - first,
        .source = {.shape = img_view_shape(&image->view), .image = image},
    };
    ImgRunReport report = {.count = 0};
    const ImgShape shape = stream.source.shape;
    if (work->load.raises != NULL)
        img_place_raise(work->load.raises, UINT64_MAX / 2);
    ImgStatus status = img_work_plan_measured(work, stream.steps, stream.count, shape, err);
    if (status == IMG_OK)
        status = img_work_measure_image(work, stream.steps, stream.count, &stream.source,
                                        &stream.measured, err);
    if (status == IMG_OK && stream.measured.steps > 0)
        status = img_work_plan_measured(work, stream.steps, stream.count, shape, err);
    if (status == IMG_OK)
        status = run(&stream, err);
    img_png_encoder_free(stream.encoder);
    img_bands_end(stream.bands, &report);
    add_report(&work->report->run, &report, first);
    work->streamed = status == IMG_OK;
    if (work->streamed)
        note_times(work, report.kernel - stream.measured.seconds);
    img_measured_free(&stream.measured);
    return status;
}
