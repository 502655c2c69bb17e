#include "io/png/watch.h"

#include <stddef.h>

void img_watch_start(ImgWatch *watch, uint64_t rows)
{
    if (watch == NULL)
        return;
    watch->caller = pthread_self();
    atomic_init(&watch->done, 0);
    watch->total = rows;
    atomic_init(&watch->stopped, false);
    watch->failure = (ImgError){IMG_OK, ""};
}

/* A fallback strategy decodes rows again, so `done` is capped at the total. The callback can still
 * cancel then. */
static void tell(ImgWatch *watch, uint64_t done)
{
    const uint64_t told = done < watch->total ? done : watch->total;
    if (watch->tell(watch->context, told, watch->total, &watch->failure) != IMG_OK)
        atomic_store(&watch->stopped, true);
}

bool img_watch_rows(ImgWatch *watch, uint64_t rows)
{
    if (watch == NULL)
        return true;
    const uint64_t done = atomic_fetch_add(&watch->done, rows) + rows;
    if (pthread_equal(watch->caller, pthread_self()) && !atomic_load(&watch->stopped))
        tell(watch, done);
    return !atomic_load(&watch->stopped);
}

bool img_watch_stopped(const ImgWatch *watch, ImgError *err)
{
    if (watch == NULL || !atomic_load(&watch->stopped))
        return false;
    img_fail(err, watch->failure.status, "%s", watch->failure.message);
    return true;
}
