/* Threads are started for each piece of work: some 20 microseconds each, little beside the
 * milliseconds that are shared out, and nothing is left behind. Each starts two others first, so
 * that 16 of them do not wait for one after the other. */
#include "kernels/core/crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* The C library keeps 40 MB of stacks for the next threads: that many small ones, but few of the
 * usual size. */
enum { STACK_BYTES = 1 << 20, CHILDREN = 2 };

typedef struct Member Member;

typedef struct Crew {
    ImgCrewWork *work;
    void *context;
    Member *members;
    int threads;
    atomic_int started;
} Crew;

struct Member {
    Crew *crew;
    pthread_t thread;
    bool started;
};

static void run(Crew *crew, int worker);

static void *run_member(void *argument)
{
    const Member *member = argument;
    run(member->crew, (int)(member - member->crew->members));
    return NULL;
}

static bool start(Member *member)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    bool started = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
                   pthread_create(&member->thread, &attributes, run_member, member) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

static void run(Crew *crew, int worker)
{
    int first = worker * CHILDREN + 1, end = first + CHILDREN;
    if (end > crew->threads)
        end = crew->threads;
    for (int i = first; i < end; i++) {
        Member *member = &crew->members[i];
        member->started = start(member);
        if (member->started)
            atomic_fetch_add(&crew->started, 1);
    }
    crew->work(crew->context, worker);
    for (int i = first; i < end; i++) {
        if (crew->members[i].started)
            pthread_join(crew->members[i].thread, NULL);
    }
}

int img_crew_run(int threads, ImgCrewWork *work, void *context)
{
    Crew crew = {.work = work, .context = context, .threads = 1, .started = 1};
    if (threads > 1 && (crew.members = calloc((size_t)threads, sizeof *crew.members)) != NULL)
        crew.threads = threads;
    for (int i = 0; i < crew.threads && crew.members != NULL; i++)
        crew.members[i].crew = &crew;
    run(&crew, 0);
    free(crew.members);
    return atomic_load(&crew.started);
}
