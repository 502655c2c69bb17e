#include "app/stats/measure.h"

#include <string.h>

#include "app/engine/job.h"
#include "app/engine/share/resources.h"
#include "app/explain/explain.h"
#include "app/sandbox/sandbox.h"
#include "app/stats/picture_counts.h"
#include "app/term/messages.h"
#include "app/text/streams.h"
#include "kernels/core/params.h"

/* One thread counts the samples. More decoding threads than this would only wait for it. */
enum { MOST_ROW_THREADS = 3 };

/* State while one file is measured. */
typedef struct Measurement {
    const Measurer *measurer;
    Measured *measured;
    PictureCounts counts; /* facts about the picture that are needed to convert its counts */
} Measurement;

static ImgStatus check_transparency(const Measurement *measurement, ImgError *err)
{
    const Tables *tables = &measurement->measured->tables;
    if (!picture_counts_transparent(&measurement->counts, tables))
        return IMG_OK;
    if (tables->pixels == 0)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "every pixel is fully transparent, and --skip-transparent leaves none to "
                        "count; leave the option out");
    img_engine_note(&measurement->measurer->settings->engine,
                    "%s: every pixel is fully transparent; all are counted",
                    img_streams_input_name(measurement->measured->path));
    return IMG_OK;
}

/* --- Functions of the job --------------------------------------------------------------------- */

static ImgStatus begin_counts(void *context, JobPicture *picture, ImgError *err)
{
    Measurement *own = context;
    const Load *load = picture->load;
    (void)err;
    own->counts = picture_counts_begin(load->raw.format, img_source_metadata(load->source),
                                       &own->measurer->how);
    picture->needs_pixels = picture_counts_need_pixels(&own->counts);
    return IMG_OK;
}

static ImgStatus see_pixels(void *context, JobPicture *picture, ImgError *err)
{
    Measurement *own = context;
    (void)err;
    picture_counts_of_pixels(&own->counts, &picture->load->image.view);
    return IMG_OK;
}

/* Makes the tables from the image of the job, whose "pixels" are the counts. */
static ImgStatus make_tables(void *context, JobPicture *picture, ImgError *err)
{
    Measurement *own = context;
    Load *load = picture->load;
    uint64_t unknown;
    own->counts.metadata = &load->metadata;
    ImgStatus status = picture_counts_finish(&own->counts, &load->image.view,
                                             &own->measured->tables, &unknown, err);
    if (status == IMG_OK)
        status = check_transparency(own, err);
    if (status == IMG_OK && unknown > 0)
        img_engine_note(&own->measurer->settings->engine,
                        "%s: pixels without a colour in the palette, counted as black: %llu",
                        img_streams_input_name(own->measured->path), (unsigned long long)unknown);
    return img_load_failure(load, status, err);
}

static void end_attempt(void *context, JobPicture *picture)
{
    const Measurement *own = context;
    own->measured->shape = picture->load->raw;
}

/* --- The job ---------------------------------------------------------------------------------- */

ImgStatus measure_one(Measurer *measurer, const char *path, Measured *measured, ImgError *err)
{
    const EngineOptions *options = &measurer->settings->engine;
    const bool is_alone = measurer->place == NULL;
    Measurement own = {.measurer = measurer, .measured = measured};
    ImgStep step = {.op = &img_measure_histogram};
    JobReport report;
    memcpy(step.params.bytes, &measurer->how, sizeof measurer->how);
    const Job job = {.input = path,
                     .functions = {.planned = begin_counts,
                                   .decoded = see_pixels,
                                   .use = make_tables,
                                   .end = end_attempt,
                                   .context = &own},
                     .held = measurer->held,
                     /* A GPU may count the pictures of a batch. It needs each picture as a
                      * whole. */
                     .takes_whole = !is_alone && img_resources_may_use_gpu(options),
                     .takes_any_size = true,
                     .most_row_threads = MOST_ROW_THREADS,
                     .steps = &step,
                     .count = 1,
                     .scratch = is_alone ? sandbox_scratch() : (ImgStorePlace){.directory = NULL},
                     .options = options,
                     .kept = is_alone ? &measurer->kept : NULL,
                     .place = measurer->place};
    *measured = (Measured){.path = path, .tables = TABLES_NONE};
    const ImgStatus status = img_job_run(&job, &report, err);
    if (status == IMG_OK)
        explain(measurer->settings, &job, &report);
    else
        tables_free(&measured->tables);
    return status;
}
