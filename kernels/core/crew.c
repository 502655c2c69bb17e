/* Threads are started for each piece of work: some 20 microseconds each, little beside the
 * milliseconds that are shared out, and nothing is left behind. All are started by the caller: a
 * thread that starts others allocates, and the C library reserves 128 MB of addresses for that. */
#include "kernels/core/crew.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/* The C library keeps 40 MB of stacks for the next threads: that many small ones, but few of the
 * usual size. */
enum { STACK_BYTES = 1 << 20 };

typedef struct Member {
    pthread_t thread;
    ImgCrewWork *work;
    void *context;
    int worker;
} Member;

static void *run_member(void *argument)
{
    const Member *member = argument;
    member->work(member->context, member->worker);
    return NULL;
}

/* Starts members from number 1 on, and says how many there are with the caller. */
static int start(Member *members, int threads, ImgCrewWork *work, void *context)
{
    int count = 1;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return count;
    bool small = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0;
    for (; small && count < threads; count++) {
        Member *member = &members[count];
        *member = (Member){.work = work, .context = context, .worker = count};
        if (pthread_create(&member->thread, &attributes, run_member, member) != 0)
            break;
    }
    pthread_attr_destroy(&attributes);
    return count;
}

int img_crew_run(int threads, ImgCrewWork *work, void *context)
{
    Member *members = threads > 1 ? calloc((size_t)threads, sizeof *members) : NULL;
    int count = members != NULL ? start(members, threads, work, context) : 1;
    work(context, 0);
    for (int i = 1; i < count; i++)
        pthread_join(members[i].thread, NULL);
    free(members);
    return count;
}
