/* Work stealing (--steal): gets the files of the batch from a feed. The feed contains the files of
 * this process, and later unfinished files of other processes. */
#include <stdlib.h>
#include <time.h>

#include "app/batch/batch.h"
#include "app/batch/batch_priv.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "app/text/amounts.h"

/* Prepares files whose previous process may have crashed: removes the temporary files of that
 * process, and reads from its record which files it finished. */
static void take_over(void *context, const BatchFile *const *files, size_t count)
{
    Run *run = context;
    BatchPlan part = {.files = malloc((count + 1) * sizeof *part.files), .count = count};
    for (size_t i = 0; part.files != NULL && i < count; i++)
        part.files[i] = *files[i];
    if (part.files != NULL)
        (void)leftovers_remove(&part);
    free(part.files);
    record_read_others(run->records[0]);
    img_engine_note(&run->batch->settings->engine, "%zu file%s taken over from other processes",
                    count, count == 1 ? "" : "s");
}

/* Writes record and report to the disk before a chunk counts as finished. Otherwise a machine that
 * crashes could lose data that it has not yet sent to the file server. Other machines would
 * consider the files finished and reported. */
static bool sync_chunk(void *context)
{
    Run *run = context;
    ImgError err = {IMG_OK, ""};
    if (record_sync(run->records[0], &err) == IMG_OK &&
        (run->report_file == NULL || report_file_sync(run->report_file, &err) == IMG_OK))
        return true;
    report_failure(&err);
    pthread_mutex_lock(&run->mutex);
    run->fatal = err.status;
    pthread_mutex_unlock(&run->mutex);
    return false;
}

ImgStatus batch_open_feed(Run *run, ImgError *err)
{
    const Batch *batch = run->batch;
    uint64_t seconds;
    char *steps = steps_text(batch->steps, batch->step_count, &run->settings);
    ImgStatus status = steps != NULL ? IMG_OK : img_fail(err, IMG_E_MEMORY, "no memory");
    if (status == IMG_OK &&
        (status = img_amount_parse_seconds(batch->settings->steal, &seconds, err)) != IMG_OK)
        img_error_prefix(err, "batch: --steal");
    if (status == IMG_OK) {
        FeedConfig config = {.plan = batch->plan,
                             .steps = steps,
                             .timeout = (double)seconds,
                             .takeover = take_over,
                             .finished = sync_chunk,
                             .context = run};
        status = feed_open(&config, &run->feed, err);
    }
    free(steps);
    return status;
}

static bool is_stopped(Run *run)
{
    pthread_mutex_lock(&run->mutex);
    bool over = run->fatal != IMG_OK || (run->totals.failed > 0 && run->batch->settings->fail_fast);
    pthread_mutex_unlock(&run->mutex);
    return over || interrupt_requested();
}

void batch_steal_file(void *context, Pool *pool, int worker, size_t turn)
{
    static const struct timespec pause = {.tv_nsec = 5 * 1000 * 1000};
    Run *run = context;
    FeedFile file;
    ClaimResult result;
    (void)turn;
    while ((result = feed_next(run->feed, &file)) == CLAIM_WAIT && !is_stopped(run))
        nanosleep(&pause, NULL);
    if (result != CLAIM_TAKEN) {
        img_pool_stop(pool);
        return;
    }
    size_t files = feed_count(run->feed);
    feed_done(run->feed, &file, batch_do_file(run, file.file, files, pool, worker));
}

void batch_note_unstarted(const Run *run)
{
    size_t files = run->feed != NULL && !interrupt_requested() ? feed_unstarted(run->feed) : 0;
    if (files > 0)
        img_engine_note(&run->settings.engine, "%zu file%s left for parts that have not started",
                        files, files == 1 ? " is" : "s are");
}
