#include "io/png/progress.h"

#include <stddef.h>

void img_progress_start(ImgProgress *progress, uint64_t rows)
{
    if (progress == NULL)
        return;
    progress->caller = pthread_self();
    atomic_init(&progress->done, 0);
    progress->total = rows;
    atomic_init(&progress->cancelled, false);
    progress->failure = (ImgError){IMG_OK, ""};
}

/* Calls the callback, and cancels the work if the callback fails. `done` is limited to the total,
 * because a fallback strategy decodes rows again. */
static void report(ImgProgress *progress, uint64_t done)
{
    const uint64_t reported = done < progress->total ? done : progress->total;
    if (progress->report(progress->context, reported, progress->total, &progress->failure) !=
        IMG_OK)
        atomic_store(&progress->cancelled, true);
}

bool img_progress_add_rows(ImgProgress *progress, uint64_t rows)
{
    if (progress == NULL)
        return true;
    const uint64_t done = atomic_fetch_add(&progress->done, rows) + rows;
    if (progress->go_on != NULL)
        progress->go_on(progress->go_on_context, done);
    if (progress->report != NULL && pthread_equal(progress->caller, pthread_self()) &&
        !atomic_load(&progress->cancelled))
        report(progress, done);
    return !atomic_load(&progress->cancelled);
}

bool img_progress_is_cancelled(const ImgProgress *progress, ImgError *err)
{
    if (progress == NULL || !atomic_load(&progress->cancelled))
        return false;
    img_fail(err, progress->failure.status, "%s", progress->failure.message);
    return true;
}
