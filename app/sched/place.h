/* The place of one picture among those that are worked on side by side: a thread of a pool, and
 * what it gets of the memory, the threads and the devices that all of them share. */
#ifndef IMGTOOL_APP_SCHED_PLACE_H
#define IMGTOOL_APP_SCHED_PLACE_H

#include "app/sched/device_pool.h"
#include "app/sched/pool.h"

/* All borrowed. */
typedef struct Place {
    Pool *pool;
    int worker;
    DevicePool *devices; /* of as many workers as the pool has */
    ImgTeam *team;       /* where threads come from; may be NULL */
    const ImgStep *steps;
    size_t count;
    size_t pictures; /* this one and those still to come, which may be like it */
    bool writes;     /* the pictures become files again */
    /* By place_hold. Files of steps that all pictures of the pool share are not counted here. */
    int threads;   /* admitted with that; 0: nothing is held */
    uint64_t held; /* bytes that the work has beside its picture, as known by now */
} Place;

/* What a picture may use. */
typedef struct Share {
    int threads;   /* of the CPU, at most so many, at least 1 */
    ImgTeam *team; /* borrowed: where they come from; may be NULL */
    ImgExec *exec; /* borrowed, with a backend and device of its own */
    bool lacks;    /* what was asked for is not free, and the place holds something already: it does
                    * not wait. It is to be left and all be begun anew, with place_hold for all */
} Share;

/* Before place_admit, for what the work has beside its picture as long as it lasts: waits for that,
 * and holds it. From then on the place does not wait, as whom it waited for might wait for it.
 * `bytes` UINT64_MAX: for all that there is, beside nobody. */
void place_hold(Place *place, uint64_t bytes);

/* After place_admit, while the picture is worked on: as pool_grow. */
bool place_grow(const Place *place, uint64_t bytes);

/* Once the header is read and before memory of the picture's size is taken, with the bytes that
 * will be needed as far as the header says; may wait. The place is given back by the pool, when the
 * work on the picture ends. */
ImgStatus place_admit(const Place *place, ImgShape shape, uint64_t bytes, Share *share,
                      ImgError *err);

/* Once the file is read and no pixel is decoded, with the bytes that are needed in fact: gives back
 * what is too much, or waits for what is missing. */
void place_settle(const Place *place, uint64_t bytes, Share *share);

/* The work on a picture from the beginning to the end, of whose memory `least` bytes are needed, as
 * far as is known. Where it fails for want of more than is free beside others, *lacking is what it
 * needs, and nothing is left of it but what was admitted; else *lacking is 0. */
typedef ImgStatus PlaceAttempt(void *context, uint64_t least, uint64_t *lacking, ImgError *err);

/* And anew, once what was admitted is given back, as long as it lacks more than was known. NULL for
 * `place`: it is alone, and never lacks anything. */
ImgStatus place_attempts(const Place *place, PlaceAttempt *attempt, void *context, ImgError *err);

#endif
