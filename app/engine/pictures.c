#include "app/engine/pictures.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "app/engine/plan.h"
#include "app/engine/share/device_pool.h"
#include "app/engine/share/place.h"
#include "app/engine/share/pool.h"
#include "app/engine/share/resources.h"

typedef struct Run {
    const Pictures *pictures;
    EngineOptions options; /* max_memory is for all pictures together */
    DevicePool *devices;
    ImgTeam *team;
    pthread_mutex_t lock; /* protects the fields below */
    size_t failed;
    ImgStatus last; /* of the last failure */
} Run;

static ImgStatus run_whole(Load *load, ImgStep *steps, size_t count, const Share *share,
                           ImgError *err)
{
    ImgStatus status = load_decode(load, share->team, share->threads, err);
    if (status != IMG_OK)
        return status;
    status = img_exec_run(share->exec, steps, count, &load->image, NULL, err);
    return load_failure(load, status, err);
}

static ImgStatus run_steps(const Run *run, Picture *picture, ImgStep *steps, const Place *place,
                           Share *share, PlanLimits *limits, ImgError *err)
{
    Load *load = &picture->load;
    const size_t count = run->pictures->step_count;
    ImgRunReport report;
    ImgStatus status = IMG_OK;
    bool done = false;
    *limits = (PlanLimits){load, run->pictures->format, place, share->threads, 0};
    img_exec_set_threads(share->exec, share->team, share->threads);
    plan_limit_exec(limits, share->exec);
    img_exec_set_store(share->exec, load->store);
    if (load->by_rows)
        status = plan_run_rows(load, steps, count, place, share, &report, &done, err);
    if (status == IMG_OK && !done)
        status = run_whole(load, steps, count, share, err);
    if (status == IMG_OK)
        picture->shape = img_view_shape(&load->image.view);
    return status;
}

static ImgStatus work_on(const Run *run, Picture *picture, ImgStep *steps, const Place *place,
                         Share *share, ImgError *err)
{
    const Pictures *all = run->pictures;
    Plan plan = {.peak_bytes = 0};
    PlanLimits limits = {.threads = 0}; /* valid until `use` has run */
    ImgStatus status =
        plan_file(&picture->load, steps, all->step_count, all->format, place, share, &plan, err);
    picture->shape = plan.after;
    picture->team = share->team;
    picture->threads = share->threads;
    picture->exec = share->exec;
    if (status == IMG_OK && all->planned != NULL)
        status = all->planned(all->context, picture, err);
    if (status == IMG_OK && (!all->plans_only || img_steps_measure(steps, all->step_count)))
        status = run_steps(run, picture, steps, place, share, &limits, err);
    if (status == IMG_OK)
        status = all->use(all->context, picture, err);
    if (status == IMG_OK)
        load_note_damage(&picture->load);
    return status;
}

static bool is_fatal(ImgStatus status)
{
    return status == IMG_E_UNAVAILABLE || status == IMG_E_DEVICE;
}

static void note_failure(Run *run, Pool *pool, const ImgError *failure)
{
    pthread_mutex_lock(&run->lock);
    run->pictures->failed(run->pictures->context, failure);
    run->failed++;
    run->last = failure->status;
    pthread_mutex_unlock(&run->lock);
    if (run->pictures->stops || is_fatal(failure->status))
        pool_stop(pool);
}

typedef struct Attempt {
    Run *run;
    const Place *place;
    size_t index;
} Attempt;

static ImgStatus attempt(void *context, uint64_t least, uint64_t *lacking, ImgError *err)
{
    const Attempt *own = context;
    const Run *run = own->run;
    const Pictures *all = run->pictures;
    const char *path = all->paths[own->index];
    *lacking = 0;
    ImgStep *steps = malloc((all->step_count + 1) * sizeof *steps);
    if (steps == NULL)
        return img_fail(err, IMG_E_MEMORY, "%s: no memory for the steps", path);
    memcpy(steps, all->steps, all->step_count * sizeof *steps);
    Picture picture = {
        .index = own->index, .load = load_begin(path, &run->options, false), .steps = steps};
    Share share = {.threads = 0};
    picture.load.again = all->again;
    picture.load.held = all->held;
    picture.load.least = least;
    picture.load.takes_rows = !all->plans_only;
    picture.load.scratch = all->count == 1 ? all->scratch : NULL;
    if (picture.load.scratch != NULL && (all->options->given & ENGINE_GIVEN_MAX_PIXELS) == 0)
        picture.load.limits.max_pixels = IMG_PIXELS_MAX;
    picture.load.begins_anew = true;
    const ImgStatus status = work_on(run, &picture, steps, own->place, &share, err);
    *lacking = status != IMG_OK ? picture.load.lacking : 0;
    if (all->end != NULL)
        all->end(all->context, &picture);
    load_end(&picture.load);
    if (share.exec != NULL)
        img_exec_trim(share.exec, pool_share(own->place->pool));
    free(steps);
    return status;
}

static void work(void *context, Pool *pool, int worker, size_t index)
{
    Run *run = context;
    const Pictures *all = run->pictures;
    const Place place = {.pool = pool,
                         .worker = worker,
                         .devices = run->devices,
                         .team = run->team,
                         .steps = all->steps,
                         .count = all->step_count,
                         .pictures = all->count - index};
    Attempt own = {run, &place, index};
    ImgError err = {IMG_OK, ""};
    if (place_attempts(&place, attempt, &own, &err) != IMG_OK)
        note_failure(run, pool, &err);
}

static bool watch(void *context)
{
    const Run *run = context;
    device_pool_report_lost(run->devices);
    return true;
}

/* A single picture may use all memory, like any command. Several pictures use the memory that is
 * free. */
static EngineOptions settings_of(const Pictures *pictures)
{
    EngineOptions options = *pictures->options;
    options.max_memory = pictures->count > 1 ? resources_batch_memory(&options)
                                             : resources_limits(&options).max_memory;
    if (pictures->step_count == 0 && options.backend == IMG_BACKEND_AUTO)
        options.backend = IMG_BACKEND_CPU; /* without steps no other backend is needed */
    return options;
}

/* Returns the memory for all pictures together. */
static uint64_t memory_of(const Run *run)
{
    const Pictures *pictures = run->pictures;
    const uint64_t all = run->options.max_memory;
    const uint64_t held = pictures->held + img_steps_held(pictures->steps, pictures->step_count);
    return all > held ? all - held : 1;
}

ImgStatus pictures_run(const Pictures *pictures, size_t *failed)
{
    ImgError err = {IMG_OK, ""};
    Run run = {.pictures = pictures, .options = settings_of(pictures)};
    const int jobs = pictures->plans_only ? 1 : resources_jobs(&run.options, 1);
    if (device_pool_create(&run.options, jobs, &run.devices, &err) != IMG_OK) {
        pictures->failed(pictures->context, &err);
        return err.status;
    }
    if (pictures->count > 1)
        resources_keep_memory(pictures->options, memory_of(&run), jobs);
    run.team = resources_batch_team();
    pthread_mutex_init(&run.lock, NULL);
    const PoolConfig config = {.team = run.team,
                               .jobs = jobs,
                               .memory = memory_of(&run),
                               .count = pictures->count,
                               .work = work,
                               .watch = watch,
                               .context = &run};
    (void)pool_run(&config);
    pthread_mutex_destroy(&run.lock);
    device_pool_free(run.devices);
    resources_explain_refused(&run.options, run.team);
    img_team_free(run.team);
    *failed = run.failed;
    return run.last;
}
