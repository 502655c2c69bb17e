/* Runs work on the threads of a team, its members. The caller assigns a part to each member. If a
 * member has not woken up when the caller has finished its own part, the caller cancels the
 * assignment and does that part itself. So work never waits for a thread to be scheduled. Work also
 * proceeds in a forked process, which has no members. */
#include <stdlib.h>

#include "kernels/core/parallel/parallel_priv.h"

void img_region_work(ImgRegion *region, int part)
{
    while (part < region->parts) {
        region->work(region->context, part);
        part = atomic_fetch_add(&region->next_part, 1);
    }
}

/* Takes members from the team and assigns to each one part of the work, beginning with part
 * `first_part`. */
static void begin(ImgRegion *region, int first_part)
{
    pthread_mutex_init(&region->mutex, NULL);
    pthread_cond_init(&region->done, NULL);
    region->members =
        img_team_take(region->team, region->parts - first_part, &region->member_count);
    atomic_init(&region->next_part, first_part + region->member_count);
    atomic_init(&region->working, region->member_count);
    int part = first_part;
    for (ImgMember *member = region->members; member != NULL; member = member->next) {
        member->region = region;
        member->part = part++;
        img_member_call(member, IMG_MEMBER_CALLED);
    }
}

static void relieve(ImgRegion *region)
{
    for (ImgMember *member = region->members; member != NULL; member = member->next) {
        int called = IMG_MEMBER_CALLED;
        if (!atomic_compare_exchange_strong(&member->state, &called, IMG_MEMBER_IDLE))
            continue;
        atomic_fetch_sub(&region->working, 1);
        region->work(region->context, member->part);
    }
}

/* Waits until all members have returned. Locks the mutex even if all have returned: the last member
 * may still hold it, and the caller of this function destroys the mutex next. */
static void wait_for_members(ImgRegion *region)
{
    int working;
    do
        working = atomic_load(&region->working);
    while (working > 0 && img_spin_while(&region->working, working));
    pthread_mutex_lock(&region->mutex);
    while (atomic_load(&region->working) > 0)
        pthread_cond_wait(&region->done, &region->mutex);
    pthread_mutex_unlock(&region->mutex);
}

static void end(ImgRegion *region)
{
    img_region_work(region, atomic_fetch_add(&region->next_part, 1));
    relieve(region);
    wait_for_members(region);
    img_team_put_back(region->team, region->members);
    pthread_cond_destroy(&region->done);
    pthread_mutex_destroy(&region->mutex);
}

int img_parallel_run(ImgTeam *team, int parts, ImgPartFunction *work, void *context)
{
    if (parts < 2) {
        work(context, 0);
        return 1;
    }
    ImgRegion region = {.team = team, .work = work, .context = context, .parts = parts};
    begin(&region, 1);
    work(context, 0);
    end(&region);
    return region.member_count + 1;
}

/* --- Ranges ----------------------------------------------------------------------------------- */

typedef struct Ranges {
    ImgRangeFunction *work;
    void *context;
    int64_t count;
    int parts;
} Ranges;

/* Calls the work for range number `part`. The first ranges are one item longer than the others if
 * the items cannot be divided evenly. */
static void do_range(void *context, int part)
{
    const Ranges *ranges = context;
    int64_t each = ranges->count / ranges->parts, more = ranges->count % ranges->parts;
    int64_t first = part * each + (part < more ? part : more);
    ranges->work(ranges->context, first, first + each + (part < more ? 1 : 0));
}

void img_parallel_for(ImgTeam *team, int threads, int64_t count, ImgRangeFunction *work,
                      void *context)
{
    Ranges ranges = {work, context, count, count < threads ? (int)count : threads};
    if (count > 0 && ranges.parts < 2)
        work(context, 0, count);
    else if (count > 0)
        (void)img_parallel_run(team, ranges.parts, do_range, &ranges);
}

/* --- Beside the calling thread ---------------------------------------------------------------- */

struct ImgHelpers {
    ImgRegion region;
};

ImgHelpers *img_helpers_start(ImgTeam *team, int parts, ImgPartFunction *work, void *context)
{
    ImgHelpers *helpers = calloc(1, sizeof *helpers);
    if (helpers == NULL)
        return NULL;
    ImgRegion *region = &helpers->region;
    *region = (ImgRegion){.team = team, .work = work, .context = context, .parts = parts};
    begin(region, 0);
    if (region->member_count > 0)
        return helpers;
    region->parts = 0;
    end(region);
    free(helpers);
    return NULL;
}

int img_helpers_count(const ImgHelpers *helpers)
{
    return helpers->region.member_count;
}

void img_helpers_finish(ImgHelpers *helpers)
{
    end(&helpers->region);
    free(helpers);
}
