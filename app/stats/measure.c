/* One file after the other, or many side by side: results are used in the order of the files. */
#include "app/stats/measure.h"

#include <pthread.h>
#include <stdlib.h>

#include "app/cli/exit_code.h"
#include "app/job/job.h"
#include "app/sched/device_pool.h"
#include "app/sched/pool.h"
#include "app/sched/resources.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "app/text/streams.h"

/* What is done with the results. */
typedef struct Sink {
    const MeasureHandlers *handlers;
    int code;
    bool single, over; /* over: no file after this one can go better */
} Sink;

bool measure_is_single(const Inputs *inputs)
{
    return inputs->count + inputs->failures <= 1;
}

static ImgStatus check_settings(const Settings *settings, ImgError *err)
{
    ImgStep step = {.op = &img_measure_histogram};
    Job job = {.steps = &step, .count = 1, .settings = settings};
    return job_check(&job, err);
}

static Measurer measurer_of(const Settings *settings)
{
    return (Measurer){.settings = settings,
                      .how = {.luma = settings->luma,
                              .transparent = settings->skip_transparent ? IMG_TRANSPARENT_SKIP
                                                                        : IMG_TRANSPARENT_COUNT}};
}

/* Takes the tables over. */
static void use_result(Sink *sink, Measured *measured, ImgError *err)
{
    const MeasureHandlers *handlers = sink->handlers;
    if (err->status == IMG_OK && handlers->use(measured, handlers->context, err) != IMG_OK)
        img_error_prefix(err, "%s", streams_input_name(measured->path));
    if (err->status != IMG_OK)
        sink->code = report_failure(err);
    if (err->status != IMG_OK && handlers->failed != NULL)
        handlers->failed(measured, err, handlers->context);
    if (err->status == IMG_E_UNAVAILABLE || err->status == IMG_E_DEVICE)
        sink->single = sink->over = true; /* the exit code is that of the backend */
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
    img_exec_destroy(measurer.exec);
    resources_explain_refused(settings, measurer.team);
    img_team_free(measurer.team);
}

/* --- Side by side ----------------------------------------------------------------------------- */

typedef struct Slot {
    bool complete;
    Measured measured;
    ImgError err;
} Slot;

typedef struct Side {
    Settings settings; /* with the memory of all */
    const Inputs *inputs;
    DevicePool *devices;
    ImgTeam *team;
    Sink *sink;
    int jobs;
    uint64_t waiting_bytes; /* the most of results that wait for their turn */

    pthread_mutex_t mutex;
    pthread_cond_t used;
    Slot *slots; /* of the files from next_use on */
    size_t slot_count, next_use;
} Side;

/* Tables of files that are done wait for the file that is to be used next. They may take a quarter
 * of the memory; where that is too little for one, files are measured one after the other. */
static void divide_memory(Side *side)
{
    enum { SLOTS_PER_JOB = 4, PART = 4 };
    const uint64_t fit = side->settings.max_memory / PART / TABLES_BYTES_MOST;
    const size_t most = (size_t)side->jobs * SLOTS_PER_JOB;
    side->slot_count = fit + 1 < most ? (size_t)fit + 1 : most;
    side->waiting_bytes = (uint64_t)(side->slot_count - 1) * TABLES_BYTES_MOST;
}

static void wait_for_slot(Side *side, size_t index)
{
    pthread_mutex_lock(&side->mutex);
    while (index - side->next_use >= side->slot_count)
        pthread_cond_wait(&side->used, &side->mutex);
    pthread_mutex_unlock(&side->mutex);
}

static void use_what_is_due(Side *side)
{
    for (;;) {
        Slot *slot = &side->slots[side->next_use % side->slot_count];
        if (!slot->complete)
            return;
        if (!side->sink->over)
            use_result(side->sink, &slot->measured, &slot->err);
        else
            tables_free(&slot->measured.tables);
        slot->complete = false;
        side->next_use++;
        pthread_cond_broadcast(&side->used);
    }
}

static void measure_at(void *context, Pool *pool, int worker, size_t index)
{
    Side *side = context;
    const ImgStep step = {.op = &img_measure_histogram};
    const Place place = {.pool = pool,
                         .worker = worker,
                         .devices = side->devices,
                         .team = side->team,
                         .steps = &step,
                         .count = 1,
                         .pictures = side->inputs->count - index};
    Measurer measurer = measurer_of(&side->settings);
    Measured measured = {.path = side->inputs->paths[index], .tables = TABLES_NONE};
    ImgError err = {IMG_OK, ""};
    wait_for_slot(side, index);
    measurer.place = &place;
    measurer.held = side->waiting_bytes;
    (void)measure_one(&measurer, measured.path, &measured, &err);
    pthread_mutex_lock(&side->mutex);
    side->slots[index % side->slot_count] = (Slot){true, measured, err};
    use_what_is_due(side);
    pthread_mutex_unlock(&side->mutex);
}

static bool go_on(void *context)
{
    Side *side = context;
    device_pool_report_lost(side->devices);
    pthread_mutex_lock(&side->mutex);
    bool over = side->sink->over;
    pthread_mutex_unlock(&side->mutex);
    return !over && !interrupt_requested();
}

/* False: no memory for it. */
static bool measure_side_by_side(const Settings *settings, const Inputs *inputs, int jobs,
                                 Sink *sink)
{
    Side side = {.settings = *settings, .inputs = inputs, .sink = sink, .jobs = jobs};
    side.settings.max_memory = resources_batch_memory(settings);
    divide_memory(&side);
    side.slots = calloc(side.slot_count, sizeof *side.slots);
    if (side.slots == NULL || device_pool_create(settings, jobs, &side.devices, NULL) != IMG_OK) {
        free(side.slots);
        return false;
    }
    resources_keep_memory(settings, side.settings.max_memory, jobs);
    side.team = resources_batch_team();
    pthread_mutex_init(&side.mutex, NULL);
    pthread_cond_init(&side.used, NULL);
    PoolConfig config = {.team = side.team,
                         .jobs = jobs,
                         .memory = side.settings.max_memory - side.waiting_bytes,
                         .count = inputs->count,
                         .work = measure_at,
                         .watch = go_on,
                         .context = &side};
    (void)pool_run(&config);
    pthread_cond_destroy(&side.used);
    pthread_mutex_destroy(&side.mutex);
    device_pool_free(side.devices);
    resources_explain_refused(settings, side.team);
    img_team_free(side.team);
    free(side.slots);
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
    int jobs = resources_jobs(settings, 0);
    if (inputs->count < 2 || jobs < 2 || !measure_side_by_side(settings, inputs, jobs, &sink))
        measure_in_turn(settings, inputs, &sink);
    return sink.code != CLI_OK && !sink.single ? CLI_SOME_FAILED : sink.code;
}
