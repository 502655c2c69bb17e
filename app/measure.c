/* One file after the other, or many side by side: results are used in the order of the files. */
#include "app/measure.h"

#include <pthread.h>
#include <stdlib.h>

#include "app/batch/execs.h"
#include "app/batch/pool.h"
#include "app/exit_code.h"
#include "app/interrupt.h"
#include "app/job.h"
#include "app/machine.h"
#include "app/measure_one.h"
#include "app/report.h"
#include "app/resources.h"

/* What is done with the results. */
typedef struct Sink {
    MeasuredFunction *use;
    void *context;
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
                      .limits = resources_limits(settings),
                      .how = {.luma = settings->luma,
                              .transparent = settings->skip_transparent ? IMG_TRANSPARENT_SKIP
                                                                        : IMG_TRANSPARENT_COUNT}};
}

/* Takes the tables over. */
static void use_result(Sink *sink, Measured *measured, ImgError *err)
{
    if (err->status == IMG_OK && sink->use(measured, sink->context, err) != IMG_OK)
        img_error_prefix(err, "%s", report_input_name(measured->path));
    if (err->status != IMG_OK)
        sink->code = report_failure(err);
    if (err->status == IMG_E_UNAVAILABLE || err->status == IMG_E_DEVICE)
        sink->single = sink->over = true; /* the exit code is that of the backend */
    tables_free(&measured->tables);
}

static void measure_in_turn(const Settings *settings, const Inputs *inputs, Sink *sink)
{
    Measurer measurer = measurer_of(settings);
    for (size_t i = 0; i < inputs->count && !sink->over && !interrupt_asked(); i++) {
        ImgError err = {IMG_OK, ""};
        Measured measured;
        (void)measure_one(&measurer, inputs->paths[i], &measured, &err);
        use_result(sink, &measured, &err);
    }
    img_exec_destroy(measurer.exec);
}

/* --- Side by side -------------------------------------------------------------------------------
 */

typedef struct Slot {
    bool complete;
    Measured measured;
    ImgError err;
} Slot;

typedef struct Side {
    Settings settings; /* with the memory of all */
    const Inputs *inputs;
    Execs *execs;
    Sink *sink;
    int jobs;

    pthread_mutex_t mutex;
    pthread_cond_t used;
    Slot *slots; /* of the files from next_use on */
    size_t slot_count, next_use;
} Side;

typedef struct Place {
    Side *side;
    Pool *pool;
    int worker;
    size_t index;
} Place;

static ImgStatus admit(void *context, ImgShape shape, uint64_t bytes, JobShare *share,
                       ImgError *err)
{
    const Place *place = context;
    Side *side = place->side;
    const ImgStep step = {.op = &img_measure_histogram};
    const ExecsPicture picture = {&step, 1, shape, side->inputs->count - place->index};
    ImgStatus status = execs_get(side->execs, place->worker, &picture, &share->exec, err);
    if (status == IMG_OK)
        share->threads = pool_admit(place->pool, place->worker, bytes);
    return status;
}

/* Files far ahead of the one that is to be used next would pile up their tables. */
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
    Place place = {side, pool, worker, index};
    Measurer measurer = measurer_of(&side->settings);
    Measured measured = {.path = side->inputs->paths[index], .tables = TABLES_NONE};
    ImgError err = {IMG_OK, ""};
    wait_for_slot(side, index);
    measurer.admit = admit;
    measurer.admit_context = &place;
    (void)measure_one(&measurer, measured.path, &measured, &err);
    pthread_mutex_lock(&side->mutex);
    side->slots[index % side->slot_count] = (Slot){true, measured, err};
    use_what_is_due(side);
    pthread_mutex_unlock(&side->mutex);
}

static bool go_on(void *context)
{
    Side *side = context;
    execs_report_lost(side->execs);
    pthread_mutex_lock(&side->mutex);
    bool over = side->sink->over;
    pthread_mutex_unlock(&side->mutex);
    return !over && !interrupt_asked();
}

/* False: no memory for it. */
static bool measure_side_by_side(const Settings *settings, const Inputs *inputs, int jobs,
                                 Sink *sink)
{
    enum { SLOTS_A_JOB = 4 };
    Side side = {.settings = *settings, .inputs = inputs, .sink = sink, .jobs = jobs};
    side.settings.max_memory = resources_batch_memory(settings);
    side.slot_count = (size_t)jobs * SLOTS_A_JOB;
    side.slots = calloc(side.slot_count, sizeof *side.slots);
    if (side.slots == NULL || execs_create(settings, jobs, &side.execs, NULL) != IMG_OK) {
        free(side.slots);
        return false;
    }
    pthread_mutex_init(&side.mutex, NULL);
    pthread_cond_init(&side.used, NULL);
    PoolConfig config = {.jobs = jobs,
                         .memory = side.settings.max_memory,
                         .count = inputs->count,
                         .work = measure_at,
                         .watch = go_on,
                         .context = &side};
    (void)pool_run(&config);
    pthread_cond_destroy(&side.used);
    pthread_mutex_destroy(&side.mutex);
    execs_free(side.execs);
    free(side.slots);
    return true;
}

int measure_files(const Settings *settings, const Inputs *inputs, MeasuredFunction *use,
                  void *context)
{
    ImgError err = {IMG_OK, ""};
    if (check_settings(settings, &err) != IMG_OK)
        return report_failure(&err);
    Sink sink = {.use = use,
                 .context = context,
                 .code = inputs->failures > 0 ? inputs->failure_code : CLI_OK,
                 .single = measure_is_single(inputs)};
    int jobs = resources_jobs(settings, 0);
    if (inputs->count < 2 || jobs < 2 || !measure_side_by_side(settings, inputs, jobs, &sink))
        measure_in_turn(settings, inputs, &sink);
    return sink.code != CLI_OK && !sink.single ? CLI_SOME_FAILED : sink.code;
}
