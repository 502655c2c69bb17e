/* The threads (members) of a team. Members do not refer to the team: the thread that needs them
 * takes them from the team, calls them, waits for them and puts them back. */
#include <fenv.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "kernels/core/parallel/parallel_priv.h"

struct ImgTeam {
    ImgTeamConfig config;
    pthread_mutex_t mutex;
    ImgMember *idle; /* list of idle members; those that were put back last are taken first */
    int refused;
};

/* --- Members ---------------------------------------------------------------------------------- */

/* Marks the member as idle and reports to its region that its work is done. As soon as the mutex is
 * released, the region may no longer exist. */
static void come_back(ImgMember *member)
{
    ImgRegion *region = member->region;
    atomic_store(&member->state, IMG_MEMBER_IDLE);
    pthread_mutex_lock(&region->mutex);
    if (atomic_fetch_sub(&region->working, 1) == 1)
        pthread_cond_signal(&region->done);
    pthread_mutex_unlock(&region->mutex);
}

static void wait_for_call(ImgMember *member)
{
    (void)img_spin_while(&member->state, IMG_MEMBER_IDLE);
    pthread_mutex_lock(&member->mutex);
    member->asleep = true;
    while (atomic_load(&member->state) == IMG_MEMBER_IDLE)
        pthread_cond_wait(&member->wake, &member->mutex);
    member->asleep = false;
    pthread_mutex_unlock(&member->mutex);
}

static void *run_member(void *argument)
{
    ImgMember *member = argument;
    /* sets the default floating-point environment: the thread inherits the environment of its
     * creator, which may have another rounding mode */
    (void)fesetenv(FE_DFL_ENV);
    while (atomic_load(&member->state) != IMG_MEMBER_LEAVING) {
        int called = IMG_MEMBER_CALLED;
        if (atomic_compare_exchange_strong(&member->state, &called, IMG_MEMBER_WORKING)) {
            img_region_work(member->region, member->part);
            come_back(member);
        } else {
            wait_for_call(member);
        }
    }
    return NULL;
}

void img_member_call(ImgMember *member, ImgMemberState state)
{
    pthread_mutex_lock(&member->mutex);
    atomic_store(&member->state, (int)state);
    if (member->asleep)
        pthread_cond_signal(&member->wake);
    pthread_mutex_unlock(&member->mutex);
}

static void free_member(ImgMember *member)
{
    pthread_cond_destroy(&member->wake);
    pthread_mutex_destroy(&member->mutex);
    free(member);
}

/* Starts the thread of a new member. Returns NULL if the system refuses a thread or memory is
 * short. */
static ImgMember *start_member(const ImgTeamConfig *config, const pthread_attr_t *attributes)
{
    ImgMember *member = calloc(1, sizeof *member);
    if (member == NULL)
        return NULL;
    pthread_mutex_init(&member->mutex, NULL);
    pthread_cond_init(&member->wake, NULL);
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        config->create != NULL ? config->create : pthread_create;
    if (create(&member->thread, attributes, run_member, member) == 0)
        return member;
    free_member(member);
    return NULL;
}

static bool reserve(const ImgTeamConfig *config, void **reserved)
{
    *reserved = NULL;
    if (config->reserve_bytes == 0)
        return true;
    if (config->reserve_bytes > SIZE_MAX)
        return false;
    void *area = mmap(NULL, (size_t)config->reserve_bytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (area == MAP_FAILED)
        return false;
    *reserved = area;
    return true;
}

/* Starts up to `count` members and returns them as a list. The calling thread starts all of them.
 * If members started other members, they would allocate memory, and the C library reserves 128 MB
 * of address space for each thread that does so. */
static ImgMember *start_members(const ImgTeamConfig *config, int count, int *started)
{
    ImgMember *first = NULL, **last = &first;
    pthread_attr_t attributes;
    void *reserved;
    *started = 0;
    if (!reserve(config, &reserved))
        return NULL;
    pthread_attr_init(&attributes);
    if (config->stack_bytes > 0)
        (void)pthread_attr_setstacksize(&attributes, config->stack_bytes);
    for (; *started < count; ++*started) {
        *last = start_member(config, &attributes);
        if (*last == NULL)
            break;
        last = &(*last)->next;
    }
    pthread_attr_destroy(&attributes);
    if (reserved != NULL)
        (void)munmap(reserved, (size_t)config->reserve_bytes);
    return first;
}

static void end_members(ImgMember *members)
{
    for (ImgMember *member = members; member != NULL; member = member->next)
        img_member_call(member, IMG_MEMBER_LEAVING);
    while (members != NULL) {
        ImgMember *member = members;
        members = member->next;
        pthread_join(member->thread, NULL);
        free_member(member);
    }
}

/* --- Teams ------------------------------------------------------------------------------------ */

ImgTeam *img_team_create(const ImgTeamConfig *config)
{
    ImgTeam *team = calloc(1, sizeof *team);
    if (team == NULL)
        return NULL;
    team->config = *config;
    pthread_mutex_init(&team->mutex, NULL);
    return team;
}

void img_team_free(ImgTeam *team)
{
    if (team == NULL)
        return;
    end_members(team->idle);
    pthread_mutex_destroy(&team->mutex);
    free(team);
}

int img_team_refused(ImgTeam *team)
{
    if (team == NULL)
        return 0;
    pthread_mutex_lock(&team->mutex);
    int refused = team->refused;
    pthread_mutex_unlock(&team->mutex);
    return refused;
}

/* Takes the first `count` members of the list. Members that were put back together keep their
 * order, so that each can process the same part of the data as in the last region. */
static ImgMember *take_idle(ImgTeam *team, int count, int *taken)
{
    ImgMember *first = team->idle, **last = &first;
    for (*taken = 0; *taken < count && *last != NULL; ++*taken)
        last = &(*last)->next;
    team->idle = *last;
    *last = NULL;
    return first;
}

/* Returns the pointer at the end of a list, to which the next member is to be assigned. */
static ImgMember **end_of(ImgMember **members)
{
    while (*members != NULL)
        members = &(*members)->next;
    return members;
}

ImgMember *img_team_take(ImgTeam *team, int count, int *taken)
{
    static const ImgTeamConfig for_once = {.stack_bytes = IMG_TEAM_STACK_BYTES};
    if (team == NULL)
        return start_members(&for_once, count, taken);
    pthread_mutex_lock(&team->mutex);
    ImgMember *members = take_idle(team, count, taken);
    if (*taken < count) {
        int started;
        *end_of(&members) = start_members(&team->config, count - *taken, &started);
        *taken += started;
        if (count - *taken > team->refused)
            team->refused = count - *taken;
    }
    pthread_mutex_unlock(&team->mutex);
    return members;
}

void img_team_put_back(ImgTeam *team, ImgMember *members)
{
    if (team == NULL) {
        end_members(members);
        return;
    }
    pthread_mutex_lock(&team->mutex);
    *end_of(&members) = team->idle;
    team->idle = members;
    pthread_mutex_unlock(&team->mutex);
}
