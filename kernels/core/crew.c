/* Threads are started for each piece of work: some 20 microseconds each, little beside the
 * milliseconds that are shared out, and nothing is left behind. */
#include "kernels/core/crew.h"

#include <pthread.h>
#include <stdlib.h>

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

int img_crew_run(int threads, ImgCrewWork *work, void *context)
{
    int count = 1;
    Member *members = threads > 1 ? calloc((size_t)threads, sizeof *members) : NULL;
    for (; members != NULL && count < threads; count++) {
        Member *member = &members[count];
        *member = (Member){.work = work, .context = context, .worker = count};
        if (pthread_create(&member->thread, NULL, run_member, member) != 0)
            break;
    }
    work(context, 0);
    for (int i = 1; i < count; i++)
        pthread_join(members[i].thread, NULL);
    free(members);
    return count;
}
