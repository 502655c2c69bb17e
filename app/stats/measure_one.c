#include "app/stats/measure.h"

#include <string.h>

#include "app/engine/job.h"
#include "app/engine/plan.h"
#include "app/engine/share/resources.h"
#include "app/explain/explain.h"
#include "app/sandbox/sandbox.h"
#include "app/stats/picture_counts.h"
#include "app/term/messages.h"
#include "app/text/streams.h"
#include "kernels/core/parallel/clock.h"
#include "kernels/core/params.h"

/* Counting takes one thread, for which more threads that decode would wait. */
enum { MOST_ROW_THREADS = 3 };

/* State while one file is measured. */
typedef struct Measurement {
    Measurer *measurer;
    Job job; /* description of the measurement for `explain`; the job writes no file */
    ImgStep step;
    Load load;
    JobReport report;
    Measured *measured;
    int threads; /* number of threads for this picture */
} Measurement;

static ImgStatus load_and_plan(Measurement *measurement, ImgError *err)
{
    Measurer *measurer = measurement->measurer;
    Share share = {.exec = measurer->exec, .team = measurer->team};
    Plan plan = {.peak_bytes = 0};
    ImgStatus status = plan_file(&measurement->load, &measurement->step, 1, NULL, measurer->place,
                                 &share, &plan, err);
    measurement->threads = share.threads;
    measurer->exec = share.exec;
    measurer->team = share.team;
    measurement->report.before = measurement->load.raw;
    measurement->report.after = plan.after;
    measurement->report.peak_bytes = plan.peak_bytes + measurement->load.kept;
    return status;
}

static ImgStatus prepare_exec(Measurement *measurement, ImgError *err)
{
    Measurer *measurer = measurement->measurer;
    if (measurer->place != NULL) {
        img_exec_set_threads(measurer->exec, measurer->team, measurement->threads);
        img_exec_set_store(measurer->exec, NULL);
        return IMG_OK;
    }
    ImgStatus status = IMG_OK;
    measurement->threads = resources_wanted_threads(&measurer->settings->engine);
    if (measurer->exec == NULL) {
        /* The team exists already if an earlier attempt to create the executor failed. */
        if (measurer->team == NULL)
            measurer->team = resources_team(measurement->report.peak_bytes);
        ImgExecConfig config = {
            .backend = (ImgBackend)measurer->settings->engine.backend,
            .impl = measurer->settings->engine.impl,
            .device = measurer->settings->engine.device,
            .threads = measurement->threads,
            .team = measurer->team,
        };
        status = img_exec_create(&config, &measurer->exec, err);
    }
    if (status == IMG_OK) {
        img_exec_set_store(measurer->exec, measurement->load.store);
        img_exec_prepare(measurer->exec, &measurement->step, 1, measurement->report.before,
                         resources_decode_seconds(measurement->report.before));
    }
    return status;
}

static ImgStatus check_transparency(const Measurement *measurement, const PictureCounts *picture,
                                    ImgError *err)
{
    const Tables *tables = &measurement->measured->tables;
    if (!picture_counts_transparent(picture, tables))
        return IMG_OK;
    if (tables->pixels == 0)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "every pixel is fully transparent, and --skip-transparent leaves none to "
                        "count; leave the option out");
    report_note(measurement->measurer->settings,
                "%s: every pixel is fully transparent; all are counted",
                streams_input_name(measurement->measured->path));
    return IMG_OK;
}

/* Makes the tables from the counts, which are in load->image. */
static ImgStatus make_tables(Measurement *measurement, const PictureCounts *picture, ImgError *err)
{
    uint64_t unknown;
    ImgStatus status = picture_counts_finish(picture, &measurement->load.image.view,
                                             &measurement->measured->tables, &unknown, err);
    if (status == IMG_OK)
        status = check_transparency(measurement, picture, err);
    if (status == IMG_OK && unknown > 0)
        report_note(measurement->measurer->settings,
                    "%s: pixels without a colour in the palette, counted as black: %llu",
                    streams_input_name(measurement->measured->path), (unsigned long long)unknown);
    return load_failure(&measurement->load, status, err);
}

/* Counts while rows are decoded. Sets *done to false if the whole picture is needed: the file seems
 * to be damaged, or `picture` needs its pixels. */
static ImgStatus count_by_rows(Measurement *measurement, const PictureCounts *picture, bool *done,
                               ImgError *err)
{
    const Measurer *measurer = measurement->measurer;
    Load *load = &measurement->load;
    Share share = {.threads = measurement->threads, .team = measurer->team, .exec = measurer->exec};
    if (picture_counts_need_pixels(picture)) {
        *done = false;
        return plan_leave_rows(load, &measurement->step, 1, measurer->place, &share, err);
    }
    const ImgStatus status = plan_run_rows(load, &measurement->step, 1, measurer->place, &share,
                                           &measurement->report.run, done, err);
    measurement->report.by_rows = *done;
    return status;
}

static ImgStatus count_whole(Measurement *measurement, PictureCounts *picture, ImgError *err)
{
    const Measurer *measurer = measurement->measurer;
    Load *load = &measurement->load;
    ImgStatus status = load_decode(load, measurer->team, measurement->threads, err);
    if (status != IMG_OK)
        return status;
    picture_counts_of_pixels(picture, &load->image.view);
    resources_limit_exec(measurer->exec, &load->limits, load->room);
    status = img_exec_run(measurer->exec, &measurement->step, 1, &load->image,
                          &measurement->report.run, err);
    return load_failure(load, status, err);
}

static ImgStatus count(Measurement *measurement, ImgError *err)
{
    Load *load = &measurement->load;
    PictureCounts picture = picture_counts_begin(
        load->raw.format, img_source_metadata(load->source), &measurement->measurer->how);
    ImgStatus status = IMG_OK;
    bool done = false;
    if (load->by_rows)
        status = count_by_rows(measurement, &picture, &done, err);
    if (status == IMG_OK && !done)
        status = count_whole(measurement, &picture, err);
    picture.metadata = &load->metadata;
    return status == IMG_OK ? make_tables(measurement, &picture, err) : status;
}

static ImgStatus measure(Measurement *measurement, ImgError *err)
{
    double start = img_clock();
    ImgStatus status = load_and_plan(measurement, err);
    if (status == IMG_OK)
        status = load_failure(&measurement->load, prepare_exec(measurement, err), err);
    if (status == IMG_OK)
        status = count(measurement, err);
    measurement->report.load = measurement->load.report;
    measurement->report.total = img_clock() - start;
    measurement->measured->shape = measurement->load.raw;
    return status;
}

typedef struct Attempt {
    Measurer *measurer;
    const char *path;
    Measured *measured;
} Attempt;

static ImgStatus attempt(void *context, uint64_t least, uint64_t *lacking, ImgError *err)
{
    const Attempt *own = context;
    Measurer *measurer = own->measurer;
    Measured *measured = own->measured;
    *measured = (Measured){.path = own->path, .tables = TABLES_NONE};
    Measurement measurement = {.measurer = measurer,
                               .step = {.op = &img_measure_histogram},
                               .load = load_begin(own->path, &measurer->settings->engine, false),
                               .measured = measured};
    measurement.load.held = measurer->held;
    measurement.load.least = least;
    measurement.load.begins_anew = measurer->place != NULL;
    /* Pictures of a batch are counted on a GPU, which needs them as a whole. */
    measurement.load.takes_rows =
        measurer->place == NULL || !resources_may_use_gpu(&measurer->settings->engine);
    measurement.load.takes_any_size = measurement.load.takes_rows;
    measurement.load.most_row_threads = MOST_ROW_THREADS;
    measurement.load.scratch = measurer->place == NULL ? sandbox_scratch() : NULL;
    measurement.job = (Job){.input = own->path,
                            .steps = &measurement.step,
                            .count = 1,
                            .scratch = measurement.load.scratch,
                            .options = &measurer->settings->engine};
    memcpy(measurement.step.params.bytes, &measurer->how, sizeof measurer->how);
    ImgStatus status = measure(&measurement, err);
    if (status == IMG_OK)
        load_note_damage(&measurement.load);
    if (measurement.load.store != NULL)
        measurement.report.stored_bytes = img_store_bytes(measurement.load.store);
    if (status == IMG_OK)
        explain(measurer->settings, &measurement.job, &measurement.report);
    else
        tables_free(&measured->tables);
    *lacking = status != IMG_OK ? measurement.load.lacking : 0;
    load_end(&measurement.load);
    return status;
}

ImgStatus measure_one(Measurer *measurer, const char *path, Measured *measured, ImgError *err)
{
    Attempt own = {measurer, path, measured};
    return place_attempts(measurer->place, attempt, &own, err);
}
