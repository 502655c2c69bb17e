/* Private to parallel.c and team.c: the members (threads) of a team, and regions (pieces of work)
 * that they process. */
#ifndef IMGTOOL_KERNELS_CORE_PARALLEL_PARALLEL_PRIV_H
#define IMGTOOL_KERNELS_CORE_PARALLEL_PARALLEL_PRIV_H

#include <stdatomic.h>
#include <stdbool.h>

#include "kernels/core/parallel/parallel.h"

/* State of a member. The caller of a region sets CALLED, and the member then sets WORKING and
 * finally IDLE. Before the member has set WORKING, the caller may set CALLED back to IDLE, which
 * cancels the call. LEAVING ends the thread. */
typedef enum ImgMemberState {
    IMG_MEMBER_IDLE,
    IMG_MEMBER_CALLED,
    IMG_MEMBER_WORKING,
    IMG_MEMBER_LEAVING
} ImgMemberState;

typedef struct ImgRegion ImgRegion;

/* A thread of a team. An idle member is in the list of its team; a busy one is in the list of the
 * region that it works on. */
typedef struct ImgMember {
    pthread_t thread;
    struct ImgMember *next;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    bool asleep;
    atomic_int state;
    ImgRegion *region; /* the region on which the member works */
    int part;          /* index of the first part of the region that the member processes */
} ImgMember;

/* A piece of work that is divided into parts, which members process at the same time. */
struct ImgRegion {
    ImgTeam *team;
    ImgPartFunction *work;
    void *context;
    int parts;
    ImgMember *members; /* linked list of the members that work on the region */
    int member_count;
    atomic_int next_part; /* index of the next part that has not been assigned yet */
    atomic_int working;   /* number of members that have not returned yet */
    pthread_mutex_t mutex;
    pthread_cond_t done;
};

/* Removes up to `count` idle members from the team; starts threads if there are too few. Returns
 * them as a list and sets *taken to their number. */
ImgMember *img_team_take(ImgTeam *team, int count, int *taken);
void img_team_put_back(ImgTeam *team, ImgMember *members);

/* Sets the state of a member and wakes it. The member then sees everything that the calling thread
 * has written before. */
void img_member_call(ImgMember *member, ImgMemberState state);

/* Processes part `part` of the region, and then parts that have not been assigned to a member. */
void img_region_work(ImgRegion *region, int part);

/* Polls *value for some microseconds while it equals `same`. Returns true as soon as it differs,
 * and false when the time is over. */
bool img_spin_while(const atomic_int *value, int same);

#endif
