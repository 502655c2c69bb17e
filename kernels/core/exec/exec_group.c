/* Groups of small pictures on a shared device. Executors that have a small picture wait in a queue.
 * The first of them leads: it takes all pictures that wait, up to a limit, and runs them together.
 * Pictures that arrive meanwhile form the next group. So groups are small while the device is
 * nearly idle, and grow when it is busy. */
#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/parallel/lock.h"

/* Largest number of groups on the device at once. While one group is copied to the device, another
 * one computes, and a third one is copied back. */
enum { GROUPS_MOST = 4 };

typedef enum State { WAITS, LEADS, IS_DONE } State;

typedef struct Group Group;

/* A picture in the queue or in a group. It belongs to the thread that runs the picture. */
typedef struct Request {
    ImgGroupPicture picture;
    State state;
    sem_t changed; /* posted when the state changes */
    Group *group;  /* set when the picture leaves the queue; NULL: memory was short */
    struct Request *next;
} Request;

struct Group {
    ImgCuda *cuda; /* NULL if no lane could be taken */
    size_t count;
    atomic_size_t left; /* number of pictures that still use the memory of the lane */
    Request *requests[IMG_GROUP_MOST];
    ImgGroupPicture *pictures[IMG_GROUP_MOST];
    ImgStatus status;
    ImgError failure;
};

struct ImgGroups {
    pthread_mutex_t mutex; /* guards the fields below */
    Request *first, **end; /* the queue; `end` is the address of the last link */
    int running;           /* number of groups that were begun and are not finished */
};

ImgGroups *img_groups_create(void)
{
    ImgGroups *groups = calloc(1, sizeof *groups);
    if (groups == NULL)
        return NULL;
    img_lock_init(&groups->mutex);
    groups->end = &groups->first;
    return groups;
}

void img_groups_free(ImgGroups *groups)
{
    if (groups == NULL)
        return;
    pthread_mutex_destroy(&groups->mutex);
    free(groups);
}

/* --- One group; called without the mutex ------------------------------------------------------ */

static ImgStatus run_group(ImgAsyncDevice *async, Group *group, ImgError *err)
{
    ImgStatus status = img_async_device_take(async, &group->cuda, err);
    if (status != IMG_OK) {
        group->cuda = NULL;
        return status;
    }
    return img_group_run(group->cuda, group->pictures, group->count, img_async_device_turn(async),
                         err);
}

/* --- The queue; called with the mutex --------------------------------------------------------- */

static void add_to_queue(ImgGroups *groups, Request *request)
{
    *groups->end = request;
    groups->end = &request->next;
}

static Request *take_first(ImgGroups *groups)
{
    Request *first = groups->first;
    groups->first = first->next;
    if (groups->first == NULL)
        groups->end = &groups->first;
    return first;
}

/* Changes the state of a request and wakes its thread, which may then free the request. */
static void change_state(Request *request, State state)
{
    request->state = state;
    (void)sem_post(&request->changed);
}

/* Returns true if the next picture in the queue may join a group that needs `bytes` bytes. Sources
 * and sinks of a group have the same functions. */
static bool may_join(const Group *group, const Request *next, uint64_t bytes)
{
    const ImgRunEnds *first = group->pictures[0]->ends, *ends = next->picture.ends;
    return group->count < IMG_GROUP_MOST &&
           bytes + img_group_bytes(&next->picture) <= IMG_GROUP_BYTES_MOST &&
           ends->source->many == first->source->many && ends->sink->many == first->sink->many;
}

/* Moves the first picture of the queue, and as many of the next ones as may join it, to a new
 * group. If memory is short, ends the first picture without a group and returns NULL. */
static Group *make_group(ImgGroups *groups)
{
    uint64_t bytes = 0;
    Group *group = calloc(1, sizeof *group);
    if (group == NULL) {
        change_state(take_first(groups), IS_DONE);
        return NULL;
    }
    while (groups->first != NULL && (group->count == 0 || may_join(group, groups->first, bytes))) {
        Request *request = take_first(groups);
        bytes += img_group_bytes(&request->picture);
        request->group = group;
        group->requests[group->count] = request;
        group->pictures[group->count++] = &request->picture;
    }
    group->left = group->count;
    return group;
}

/* Called when a group is over: makes the next group of the pictures that wait, if any. The first of
 * them leads it. */
static void start_next(ImgGroups *groups)
{
    Group *next = NULL;
    while (next == NULL && groups->first != NULL)
        next = make_group(groups);
    if (next != NULL)
        change_state(next->requests[0], LEADS);
    else
        groups->running--;
}

/* Adds a picture to the queue. If few groups are running, it leads a group at once. */
static void enter_queue(ImgGroups *groups, Request *own)
{
    add_to_queue(groups, own);
    if (groups->running == GROUPS_MOST)
        return;
    groups->running++;
    start_next(groups);
}

/* --- One picture; called without the mutex ---------------------------------------------------- */

/* Runs the group that the picture leads. */
static void lead(ImgGroups *groups, ImgAsyncDevice *async, Request *own)
{
    Group *group = own->group;
    group->status = run_group(async, group, &group->failure);
    pthread_mutex_lock(&groups->mutex);
    start_next(groups);
    pthread_mutex_unlock(&groups->mutex);
    for (size_t i = 1; i < group->count; i++)
        change_state(group->requests[i], IS_DONE);
}

/* Waits until the picture was processed in a group. */
static void wait_for_group(ImgGroups *groups, ImgAsyncDevice *async, Request *own)
{
    pthread_mutex_lock(&groups->mutex);
    enter_queue(groups, own);
    pthread_mutex_unlock(&groups->mutex);
    while (sem_wait(&own->changed) != 0 && errno == EINTR)
        ;
    if (own->state == LEADS)
        lead(groups, async, own);
}

/* Leaves the group. The last picture gives the lane back. */
static void leave_group(ImgAsyncDevice *async, Group *group)
{
    if (atomic_fetch_sub(&group->left, 1) > 1)
        return;
    if (group->cuda != NULL)
        img_async_device_give(async, group->cuda);
    free(group);
}

static ImgStatus end_picture(const Group *group, const ImgGroupPicture *picture, ImgError *err)
{
    const ImgDeviceEnd *source = picture->ends->source, *sink = picture->ends->sink;
    ImgStatus status = img_group_enter(group->cuda, err);
    if (status == IMG_OK)
        status = source->end(source->context, &picture->source, err);
    if (status == IMG_OK)
        status = sink->end(sink->context, &picture->sink, err);
    return status;
}

static ImgStatus run_in_group(ImgAsyncDevice *async, Request *own, ImgError *err)
{
    ImgGroups *groups = img_async_device_groups(async);
    const ImgRunEnds *ends = own->picture.ends;
    ImgHostMemory *host = own->picture.exec->host;
    if (!img_host_memory_reserve(&host[IMG_HOST_OF_SOURCE], ends->source->host_bytes) ||
        !img_host_memory_reserve(&host[IMG_HOST_OF_SINK], ends->sink->host_bytes))
        return img_fail(err, IMG_E_MEMORY, "no memory for copies to and from the GPU");
    wait_for_group(groups, async, own);
    Group *group = own->group;
    if (group == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for a group of pictures");
    ImgStatus status = group->status == IMG_OK
                           ? end_picture(group, &own->picture, err)
                           : img_fail(err, group->status, "%s", group->failure.message);
    leave_group(async, group);
    return status;
}

bool img_exec_may_group(const ImgExec *exec, const ImgStep *steps, size_t count,
                        const ImgRunEnds *ends)
{
    return exec->config.async_device != NULL && exec->config.impl == NULL && !ends->in_parts &&
           ends->source != NULL && ends->source->many != NULL && ends->sink != NULL &&
           ends->sink->many != NULL && !img_steps_measure(steps, count) &&
           img_exec_cost(steps, count, ends->shape, 1).applicable;
}

ImgStatus img_exec_run_in_group(ImgExec *exec, ImgStep *steps, size_t count, const ImgRunEnds *ends,
                                ImgRunReport *report, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    Request own = {
        .picture = {.exec = exec, .steps = steps, .count = count, .ends = ends, .report = report}};
    *report = (ImgRunReport){.backend = IMG_BACKEND_CUDA};
    snprintf(report->reason, sizeof report->reason, "%s", exec->reason);
    (void)sem_init(&own.changed, 0, 0);
    const ImgStatus status = run_in_group(exec->config.async_device, &own, &failure);
    (void)sem_destroy(&own.changed);
    if (status == IMG_OK)
        return IMG_OK;
    if (status != IMG_E_MEMORY)
        img_exec_note_failure(exec, &failure, exec->reason);
    return img_fail(err, failure.status, "%s", failure.message);
}
