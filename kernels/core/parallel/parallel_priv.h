/* Private to parallel.c and team.c: threads of a team, and what they are called for. */
#ifndef IMGTOOL_KERNELS_CORE_PARALLEL_PARALLEL_PRIV_H
#define IMGTOOL_KERNELS_CORE_PARALLEL_PARALLEL_PRIV_H

#include <stdatomic.h>
#include <stdbool.h>

#include "kernels/core/parallel/parallel.h"

/* IDLE, CALLED and LEAVING are set by whoever has the member. CALLED becomes WORKING by the member,
 * or IDLE again by the caller, whichever is first. */
typedef enum ImgMemberState {
    IMG_MEMBER_IDLE,
    IMG_MEMBER_CALLED,
    IMG_MEMBER_WORKING,
    IMG_MEMBER_LEAVING
} ImgMemberState;

typedef struct ImgRegion ImgRegion;

/* A thread other than the calling one. It belongs to a team while it is idle, else to a region. */
typedef struct ImgMember {
    pthread_t thread;
    struct ImgMember *next;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    bool asleep;
    atomic_int state;
    ImgRegion *region; /* what it is called for, and which part of it */
    int part;
} ImgMember;

/* One piece of work. */
struct ImgRegion {
    ImgTeam *team;
    ImgPartFunction *work;
    void *context;
    int parts;
    ImgMember *members; /* called for it */
    int member_count;
    atomic_int next_part; /* of those that no member was called for */
    atomic_int working;   /* members that have not come back */
    pthread_mutex_t mutex;
    pthread_cond_t done;
};

/* Takes up to `count` members from the team, or starts them; writes how many there are. */
ImgMember *img_team_take(ImgTeam *team, int count, int *taken);
void img_team_put_back(ImgTeam *team, ImgMember *members);

/* Tells a member what to do; it sees whatever was written before. */
void img_member_call(ImgMember *member, ImgMemberState state);

/* Does a part, and then those that no member was called for. */
void img_region_work(ImgRegion *region, int part);

/* Looks at *value until it is what is waited for, or for some microseconds. */
void img_spin(const atomic_int *value, bool (*is_over)(int));

#endif
