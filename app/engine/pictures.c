#include "app/engine/pictures.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "app/engine/share/device_pool.h"
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

static bool is_fatal(ImgStatus status)
{
    return status == IMG_E_UNAVAILABLE || status == IMG_E_DEVICE;
}

static void note_failure(Run *run, Pool *pool, const ImgError *failure)
{
    pthread_mutex_lock(&run->lock);
    run->pictures->failed(run->pictures->functions.context, failure);
    run->failed++;
    run->last = failure->status;
    pthread_mutex_unlock(&run->lock);
    if (run->pictures->stops || is_fatal(failure->status))
        img_pool_stop(pool);
}

static ImgStatus run_job(const Run *run, const Place *place, size_t index, ImgStep *steps,
                         ImgError *err)
{
    const Pictures *all = run->pictures;
    JobReport report;
    const Job job = {.index = index,
                     .input = all->paths[index],
                     .functions = all->functions,
                     .again = all->again,
                     .held = all->held,
                     .plans_only = all->plans_only,
                     .steps = steps,
                     .count = all->step_count,
                     .scratch = all->count == 1 ? all->scratch : (ImgStorePlace){.directory = NULL},
                     .options = &run->options,
                     .format = all->format,
                     .place = place};
    return img_job_run(&job, &report, err);
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
    ImgError err = {IMG_OK, ""};
    ImgStep *steps = malloc((all->step_count + 1) * sizeof *steps);
    ImgStatus status = IMG_OK;
    if (steps == NULL)
        status = img_fail(&err, IMG_E_MEMORY, "%s: no memory for the steps", all->paths[index]);
    else
        memcpy(steps, all->steps, all->step_count * sizeof *steps);
    if (status == IMG_OK)
        status = run_job(run, &place, index, steps, &err);
    if (status != IMG_OK)
        note_failure(run, pool, &err);
    free(steps);
}

static bool watch(void *context)
{
    const Run *run = context;
    img_device_pool_report_lost(run->devices);
    return true;
}

/* A single picture may use all memory, like any command. Several pictures use the memory that is
 * free. */
static EngineOptions settings_of(const Pictures *pictures)
{
    EngineOptions options = *pictures->options;
    options.max_memory = pictures->count > 1 ? img_resources_batch_memory(&options)
                                             : img_resources_limits(&options).max_memory;
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

ImgStatus img_pictures_run(const Pictures *pictures, size_t *failed)
{
    ImgError err = {IMG_OK, ""};
    Run run = {.pictures = pictures, .options = settings_of(pictures)};
    const int jobs = pictures->plans_only ? 1 : img_resources_jobs(&run.options, 1);
    if (img_device_pool_create(&run.options, jobs, &run.devices, &err) != IMG_OK) {
        pictures->failed(pictures->functions.context, &err);
        return err.status;
    }
    if (pictures->count > 1)
        img_resources_keep_memory(pictures->options, memory_of(&run), jobs);
    run.team = img_resources_batch_team();
    pthread_mutex_init(&run.lock, NULL);
    const PoolConfig config = {.team = run.team,
                               .jobs = jobs,
                               .memory = memory_of(&run),
                               .count = pictures->count,
                               .work = work,
                               .watch = watch,
                               .context = &run};
    (void)img_pool_run(&config);
    pthread_mutex_destroy(&run.lock);
    img_device_pool_free(run.devices);
    img_resources_explain_refused(&run.options, run.team);
    img_team_free(run.team);
    *failed = run.failed;
    return run.last;
}
