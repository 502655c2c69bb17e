/* Runs the steps of a job: opens the executor, decodes the picture, and executes the steps. */
#include "app/engine/job_priv.h"
#include "app/engine/plan.h"
#include "app/engine/share/resources.h"

static ImgStatus find_exec(Work *work, ImgError *err)
{
    const EngineOptions *options = work->job->options;
    if (work->job->place != NULL) {
        img_exec_set_threads(work->exec, work->team, work->threads);
        return IMG_OK;
    }
    JobExec *kept = work->job->kept;
    work->threads = img_resources_wanted_threads(options);
    if (work->load.threads > 0 && work->load.threads < work->threads)
        work->threads = work->load.threads;
    if (kept != NULL && kept->exec != NULL) {
        work->exec = kept->exec;
        work->team = kept->team;
        img_exec_set_threads(work->exec, work->team, work->threads);
        return IMG_OK;
    }
    /* The team exists already if an earlier attempt to make the executor failed. */
    work->team = kept != NULL && kept->team != NULL ? kept->team
                                                    : img_resources_team(work->report->peak_bytes);
    work->exec_is_own = kept == NULL;
    ImgExecConfig config = {
        .backend = (ImgBackend)options->backend,
        .impl = options->impl,
        .device = options->device,
        .threads = work->threads,
        .team = work->team,
    };
    const ImgStatus status = img_exec_create(&config, &work->exec, err);
    if (kept != NULL)
        *kept = (JobExec){work->exec, work->team};
    return img_load_failure(&work->load, status, err);
}

ImgStatus img_work_open_exec(Work *work, ImgError *err)
{
    const Job *job = work->job;
    ImgStatus status = find_exec(work, err);
    work->limits = (PlanLimits){.load = &work->load,
                                .format = img_work_format(work),
                                .place = job->place,
                                .threads = work->threads};
    if (status == IMG_OK) {
        img_plan_limit_exec(&work->limits, work->exec);
        img_exec_set_store(work->exec, work->load.store);
    }
    if (status == IMG_OK)
        img_exec_prepare(work->exec, job->steps, job->count, work->load.shape,
                         img_resources_decode_seconds(work->load.raw));
    return status;
}

/* --- Passes over the source that only measure it ----------------------------------------------
 *
 * They are for steps that count all pixels before they change one. Thus a picture that does not fit
 * into memory is decoded several times instead of being stored. */

/* Decodes the file once for the next measurement. Sets *reading to the failure of the decoder. */
static ImgStatus measure_file(Work *work, ImgMeasured *measured, ImgStatus *reading, ImgError *err)
{
    const Job *job = work->job;
    Load *load = &work->load;
    LoadRows rows;
    img_source_keep_file(load->source, true);
    img_load_rows_begin(load, work->team, img_plan_decode_threads(load, work->threads),
                        work->threads > 1, load->bands.source_rows, &rows);
    img_load_rows_report(&rows);
    ImgStatus status = img_bands_measure(work->exec, job->steps, job->count, &rows.source,
                                         load->sink, measured, err);
    if (status == IMG_OK)
        status = img_load_rows_finish(&rows, err);
    *reading = rows.status;
    img_load_rows_end(&rows);
    img_source_keep_file(load->source, load->keeps_file);
    return status;
}

ImgStatus img_work_measure_file(Work *work, ImgMeasured *measured, ImgStatus *reading,
                                ImgError *err)
{
    ImgStatus status = IMG_OK;
    const size_t passes = work->load.bands.measures;
    for (size_t i = 0; status == IMG_OK && i < passes; i++)
        status = measure_file(work, measured, reading, err);
    work->report->file_passes = passes + 1;
    return status;
}

ImgStatus img_work_measure_image(Work *work, ImgStep *steps, size_t count,
                                 const ImgRowSource *source, ImgMeasured *measured, ImgError *err)
{
    const Load *load = &work->load;
    ImgStatus status = IMG_OK;
    const size_t passes = load->bands.measures;
    for (size_t i = 0; status == IMG_OK && i < passes; i++)
        status = img_bands_measure(work->exec, steps, count, source, load->sink, measured, err);
    return img_load_failure(load, status, err);
}

ImgStatus img_work_plan_measured(Work *work, const ImgStep *steps, size_t count, ImgShape before,
                                 ImgError *err)
{
    const Load *load = &work->load;
    ImgShape shape = before;
    for (size_t i = 0; i < count; i++) {
        ImgStatus status = steps[i].op->shape(shape, steps[i].params.bytes, &shape, err);
        if (status == IMG_OK)
            status = img_resources_check_pixels(steps[i].op->name, shape, &load->limits, err);
        if (status != IMG_OK)
            return img_load_failure(load, status, err);
    }
    work->report->after = shape;
    return img_plan_bands_again(&work->limits, steps, count, before, shape, err);
}

/* --- Rows from the decoder -------------------------------------------------------------------- */

/* If one thread decoded and ran the steps, subtracts the time of the steps from the time of
 * decoding. With several threads the measured time of decoding contains no steps. */
static void divide_time(LoadReport *load, const ImgRunReport *run)
{
    for (size_t i = 0; load->decoding.threads == 1 && i < run->count; i++)
        load->decode -= run->passes[i].in_bands ? run->passes[i].seconds : 0;
}

/* Decodes the file, runs the steps in bands, and collects the result in load.image. */
static ImgStatus collect(Work *work, const ImgMeasured *measured, LoadRows *rows, ImgError *err)
{
    Load *load = &work->load;
    ImgBands *bands = NULL;
    ImgStatus status = img_bands_begin(work->exec, work->job->steps, work->job->count,
                                       &rows->source, load->sink, measured, &bands, err);
    if (status == IMG_OK)
        status = img_bands_collect(bands, &load->image, err);
    img_bands_end(bands, &work->report->run);
    if (status == IMG_OK && rows->rows == NULL && measured->steps == 0)
        divide_time(&load->report, &work->report->run);
    if (status == IMG_OK)
        status = img_load_rows_finish(rows, err);
    img_load_rows_end(rows);
    return status;
}

/* Runs the steps on rows while these are decoded. If that is impossible, for example because the
 * file seems to be damaged, sets *done to false and reserves memory for the whole picture. The
 * caller then decodes it with img_load_decode, which gives the exact message. */
static ImgStatus run_by_rows(Work *work, bool *done, ImgError *err)
{
    const Job *job = work->job;
    Load *load = &work->load;
    Share share = {.threads = work->threads, .team = work->team, .exec = work->exec};
    ImgError failure = {IMG_OK, ""};
    ImgMeasured measured = {0};
    LoadRows rows = {.status = IMG_OK};
    *done = false;
    if (work->picture.needs_pixels)
        return img_plan_leave_rows(load, job->steps, job->count, job->place, &share, err);
    ImgStatus status = img_work_measure_file(work, &measured, &rows.status, &failure);
    if (status == IMG_OK) {
        img_load_rows_begin(load, work->team, img_plan_decode_threads(load, work->threads),
                            work->threads > 1, load->bands.source_rows, &rows);
        status = collect(work, &measured, &rows, &failure);
    }
    img_measured_free(&measured);
    *done = work->report->by_rows = status == IMG_OK;
    if (*done) {
        work->report->after = img_view_shape(&load->image.view);
        return img_load_take_metadata(load, err);
    }
    img_image_free(&load->image);
    if (rows.status == IMG_E_FORMAT || rows.status == IMG_E_UNAVAILABLE)
        return img_plan_leave_rows(load, job->steps, job->count, job->place, &share, err);
    return img_load_failure(load, img_fail(err, status, "%s", failure.message), err);
}

/* --- All ways
 * ------------------------------------------------------------------------------------- */

ImgStatus img_work_run_steps(Work *work, ImgError *err)
{
    const Job *job = work->job;
    Load *load = &work->load;
    bool done;
    if (job->plans_only && !img_steps_measure(job->steps, job->count))
        return IMG_OK;
    ImgStatus status = img_work_run_on_device(work, &done, err);
    if (status != IMG_OK || done)
        return status;
    img_work_leave_device(work);
    if (load->by_rows) {
        status = load->sink.first > 0 ? img_work_stream(work, &done, err)
                                      : run_by_rows(work, &done, err);
        if (status != IMG_OK || done)
            return status;
    }
    if (load->image.view.data == NULL)
        status = img_load_decode(load, work->team, work->threads, err);
    if (status == IMG_OK)
        status = img_work_call(work, job->functions.decoded, err);
    if (status != IMG_OK)
        return status;
    const bool has_tail =
        load->has_tail && !img_exec_prefers_cuda(work->exec, job->steps, job->count, load->shape);
    const size_t count = has_tail ? load->whole_steps : job->count;
    if (count > 0 || !has_tail)
        status = img_load_failure(
            load,
            img_exec_run(work->exec, job->steps, count, &load->image, &work->report->run, err),
            err);
    if (status != IMG_OK)
        return status;
    work->report->after = img_view_shape(&load->image.view);
    return has_tail ? img_work_stream_tail(work, err) : IMG_OK;
}
