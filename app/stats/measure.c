/* Measures files one after the other or in parallel. The results are used in the order of the
 * files. */
#include "app/stats/measure.h"

#include <pthread.h>
#include <stdlib.h>

#include "app/cli/exit_code.h"
#include "app/engine/job.h"
#include "app/engine/share/device_pool.h"
#include "app/engine/share/pool.h"
#include "app/engine/share/resources.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "app/text/streams.h"

/* Destination of the results: the handlers of the caller, and the exit code. */
typedef struct Sink {
    const MeasureHandlers *handlers;
    int code;
    /* `single`: after a failure, the exit code is the code of that failure, because there is only
     * one file or a backend has failed; otherwise it is CLI_SOME_FAILED. `over`: a failure that
     * would affect all further files has ended the measurement. */
    bool single, over;
} Sink;

bool measure_is_single(const Inputs *inputs)
{
    return inputs->count + inputs->failures <= 1;
}

static ImgStatus check_settings(const Settings *settings, ImgError *err)
{
    ImgStep step = {.op = &img_measure_histogram};
    Job job = {.steps = &step, .count = 1, .options = &settings->engine};
    return img_job_check(&job, err);
}

static Measurer measurer_of(const Settings *settings)
{
    return (Measurer){.settings = settings,
                      .how = {.luma = settings->luma,
                              .transparent = settings->skip_transparent ? IMG_TRANSPARENT_SKIP
                                                                        : IMG_TRANSPARENT_COUNT}};
}

/* Passes a result to the handler, or reports its failure. Takes ownership of the tables. */
static void use_result(Sink *sink, Measured *measured, ImgError *err)
{
    const MeasureHandlers *handlers = sink->handlers;
    if (err->status == IMG_OK && handlers->use(measured, handlers->context, err) != IMG_OK)
        img_error_prefix(err, "%s", img_streams_input_name(measured->path));
    if (err->status != IMG_OK)
        sink->code = report_failure(err);
    if (err->status != IMG_OK && handlers->failed != NULL)
        handlers->failed(measured, err, handlers->context);
    if (err->status == IMG_E_UNAVAILABLE || err->status == IMG_E_DEVICE)
        /* A backend has failed. The exit code reports this failure, and no further file is
         * measured. */
        sink->single = sink->over = true;
    tables_free(&measured->tables);
}

static void measure_in_turn(const Settings *settings, const Inputs *inputs, Sink *sink)
{
    Measurer measurer = measurer_of(settings);
    for (size_t i = 0; i < inputs->count && !sink->over && !interrupt_requested(); i++) {
        ImgError err = {IMG_OK, ""};
        Measured measured;
        (void)measure_one(&measurer, inputs->paths[i], &measured, &err);
        use_result(sink, &measured, &err);
    }
    img_resources_explain_refused(&settings->engine, measurer.kept.team);
    img_job_exec_free(&measurer.kept);
}

/* --- In parallel ------------------------------------------------------------------------------ */

typedef struct Slot {
    bool complete;
    Measured measured;
    ImgError err;
} Slot;

typedef struct Parallel {
    Settings settings; /* copy of the settings, in which max_memory is for all files together */
    const Inputs *inputs;
    DevicePool *devices;
    ImgTeam *team;
    Sink *sink;
    int jobs;
    /* Bytes of memory for results that wait for the result of an earlier file. */
    uint64_t waiting_bytes;

    pthread_mutex_t mutex;
    pthread_cond_t used;
    /* ring buffer of results; the first one belongs to file number `next_use` */
    Slot *slots;
    size_t slot_count, next_use;
} Parallel;

/* Reserves a quarter of the memory for results that wait for an earlier file, which limits their
 * number. If not even one result fits, there is one slot, and files are measured one after the
 * other. */
static void divide_memory(Parallel *parallel)
{
    enum { SLOTS_PER_JOB = 4, PART = 4 };
    const uint64_t fit = parallel->settings.engine.max_memory / PART / TABLES_BYTES_MOST;
    const size_t most = (size_t)parallel->jobs * SLOTS_PER_JOB;
    parallel->slot_count = fit + 1 < most ? (size_t)fit + 1 : most;
    parallel->waiting_bytes = (uint64_t)(parallel->slot_count - 1) * TABLES_BYTES_MOST;
}

static void wait_for_slot(Parallel *parallel, size_t index)
{
    pthread_mutex_lock(&parallel->mutex);
    while (index - parallel->next_use >= parallel->slot_count)
        pthread_cond_wait(&parallel->used, &parallel->mutex);
    pthread_mutex_unlock(&parallel->mutex);
}

static void use_completed(Parallel *parallel)
{
    for (;;) {
        Slot *slot = &parallel->slots[parallel->next_use % parallel->slot_count];
        if (!slot->complete)
            return;
        if (!parallel->sink->over)
            use_result(parallel->sink, &slot->measured, &slot->err);
        else
            tables_free(&slot->measured.tables);
        slot->complete = false;
        parallel->next_use++;
        pthread_cond_broadcast(&parallel->used);
    }
}

static void measure_at(void *context, Pool *pool, int worker, size_t index)
{
    Parallel *parallel = context;
    const ImgStep step = {.op = &img_measure_histogram};
    const Place place = {.pool = pool,
                         .worker = worker,
                         .devices = parallel->devices,
                         .team = parallel->team,
                         .steps = &step,
                         .count = 1,
                         .pictures = parallel->inputs->count - index};
    Measurer measurer = measurer_of(&parallel->settings);
    Measured measured = {.path = parallel->inputs->paths[index], .tables = TABLES_NONE};
    ImgError err = {IMG_OK, ""};
    wait_for_slot(parallel, index);
    measurer.place = &place;
    measurer.held = parallel->waiting_bytes;
    (void)measure_one(&measurer, measured.path, &measured, &err);
    pthread_mutex_lock(&parallel->mutex);
    parallel->slots[index % parallel->slot_count] = (Slot){true, measured, err};
    use_completed(parallel);
    pthread_mutex_unlock(&parallel->mutex);
}

static bool continues(void *context)
{
    Parallel *parallel = context;
    img_device_pool_report_lost(parallel->devices);
    pthread_mutex_lock(&parallel->mutex);
    bool over = parallel->sink->over;
    pthread_mutex_unlock(&parallel->mutex);
    return !over && !interrupt_requested();
}

/* Measures the files on several threads. Returns false, without measuring, if there is no memory
 * for that. */
static bool measure_in_parallel(const Settings *settings, const Inputs *inputs, int jobs,
                                Sink *sink)
{
    Parallel parallel = {.settings = *settings, .inputs = inputs, .sink = sink, .jobs = jobs};
    parallel.settings.engine.max_memory = img_resources_batch_memory(&settings->engine);
    divide_memory(&parallel);
    parallel.slots = calloc(parallel.slot_count, sizeof *parallel.slots);
    if (parallel.slots == NULL ||
        img_device_pool_create(&settings->engine, jobs, &parallel.devices, NULL) != IMG_OK) {
        free(parallel.slots);
        return false;
    }
    img_resources_keep_memory(&settings->engine, parallel.settings.engine.max_memory, jobs);
    parallel.team = img_resources_batch_team();
    pthread_mutex_init(&parallel.mutex, NULL);
    pthread_cond_init(&parallel.used, NULL);
    PoolConfig config = {.team = parallel.team,
                         .jobs = jobs,
                         .memory = parallel.settings.engine.max_memory - parallel.waiting_bytes,
                         .count = inputs->count,
                         .work = measure_at,
                         .watch = continues,
                         .context = &parallel};
    (void)img_pool_run(&config);
    pthread_cond_destroy(&parallel.used);
    pthread_mutex_destroy(&parallel.mutex);
    img_device_pool_free(parallel.devices);
    img_resources_explain_refused(&settings->engine, parallel.team);
    img_team_free(parallel.team);
    free(parallel.slots);
    return true;
}

int measure_files(const Settings *settings, const Inputs *inputs, const MeasureHandlers *handlers)
{
    ImgError err = {IMG_OK, ""};
    if (check_settings(settings, &err) != IMG_OK)
        return report_failure(&err);
    Sink sink = {.handlers = handlers,
                 .code = inputs->failures > 0 ? inputs->failure_code : CLI_OK,
                 .single = measure_is_single(inputs)};
    int jobs = img_resources_jobs(&settings->engine, 0);
    if (inputs->count < 2 || jobs < 2 || !measure_in_parallel(settings, inputs, jobs, &sink))
        measure_in_turn(settings, inputs, &sink);
    return sink.code != CLI_OK && !sink.single ? CLI_SOME_FAILED : sink.code;
}
