/* Private to parallel.c and team.c: the threads of a team and the work they do. */
#ifndef IMGTOOL_KERNELS_CORE_PARALLEL_PARALLEL_PRIV_H
#define IMGTOOL_KERNELS_CORE_PARALLEL_PARALLEL_PRIV_H

#include <stdatomic.h>
#include <stdbool.h>

#include "kernels/core/parallel/parallel.h"

/* State of a member. The owner of the member sets IDLE, CALLED and LEAVING. From CALLED only one
 * change is possible: either the member sets WORKING, or the caller sets IDLE again, whichever is
 * first. */
typedef enum ImgMemberState {
    IMG_MEMBER_IDLE,
    IMG_MEMBER_CALLED,
    IMG_MEMBER_WORKING,
    IMG_MEMBER_LEAVING
} ImgMemberState;

typedef struct ImgRegion ImgRegion;

/* A thread other than the calling one. An idle member belongs to a team, a busy one to a region. */
typedef struct ImgMember {
    pthread_t thread;
    struct ImgMember *next;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    bool asleep;
    atomic_int state;
    ImgRegion *region; /* the region that it works on, and the number of its part */
    int part;
} ImgMember;

/* Work that is divided into parts, which members process at the same time. */
struct ImgRegion {
    ImgTeam *team;
    ImgPartFunction *work;
    void *context;
    int parts;
    ImgMember *members; /* linked list of the members that work on it */
    int member_count;
    atomic_int next_part; /* next part that has not been assigned yet */
    atomic_int working;   /* number of members that have not returned */
    pthread_mutex_t mutex;
    pthread_cond_t done;
};

/* Takes up to `count` members from the team, starting threads if necessary. Sets *taken to their
 * number. */
ImgMember *img_team_take(ImgTeam *team, int count, int *taken);
void img_team_put_back(ImgTeam *team, ImgMember *members);

/* Sets the state of a member and wakes it. The member sees everything written before. */
void img_member_call(ImgMember *member, ImgMemberState state);

/* Processes a part, and then parts for which no member was called. */
void img_region_work(ImgRegion *region, int part);

/* Polls for some microseconds. Returns true once *value is no longer `same`. */
bool img_spin_while(const atomic_int *value, int same);

#endif
