/* The place of one picture among those processed in parallel: a worker of a pool, and its share of
 * memory, threads and devices. */
#ifndef IMGTOOL_APP_SCHED_PLACE_H
#define IMGTOOL_APP_SCHED_PLACE_H

#include "app/sched/device_pool.h"
#include "app/sched/pool.h"

/* Everything is borrowed. */
typedef struct Place {
    Pool *pool;
    int worker;
    DevicePool *devices; /* with as many workers as the pool */
    ImgTeam *team;       /* source of threads; may be NULL */
    const ImgStep *steps;
    size_t count;
    size_t pictures; /* this one and those to come, which are assumed to be similar */
    bool writes;     /* the pictures are written to files */
    /* Set by place_hold. Files of steps that all pictures share are not counted here. */
    int threads;   /* threads that were admitted; 0: nothing is held */
    uint64_t held; /* bytes that the job holds beside its picture, as far as known */
} Place;

/* Resources that a picture may use. */
typedef struct Share {
    int threads;   /* most CPU threads, at least 1 */
    ImgTeam *team; /* borrowed source of threads; may be NULL */
    ImgExec *exec; /* borrowed executor with backend and device */
    bool lacks; /* the requested memory is not free, and the place must not block, since it already
                   holds some. Release everything and restart with place_hold for all of it */
} Share;

/* Call it before place_admit, for memory that the job holds beside its picture for its whole
 * duration. Waits for that memory and reserves it. From then on the place never blocks, because two
 * jobs could then wait for each other. `bytes` UINT64_MAX reserves everything, beside no other job.
 */
void place_hold(Place *place, uint64_t bytes);

/* Call it after place_admit, during the job: like pool_grow. */
bool place_grow(const Place *place, uint64_t bytes);

/* Admits a picture. Call it after the header is read and before memory of the picture's size is
 * allocated, with the bytes needed according to the header. May block. The pool releases the
 * reservation when the job ends. */
ImgStatus place_admit(const Place *place, ImgShape shape, uint64_t bytes, Share *share,
                      ImgError *err);

/* Adjusts the reservation. Call it after the file is read and before a pixel is decoded, with the
 * bytes that are really needed. Releases the difference, or waits for it. */
void place_settle(const Place *place, uint64_t bytes, Share *share);

/* Processes a picture from start to end; at least `least` bytes are known to be needed. If it fails
 * because that much is not free beside other jobs, *lacking is the number of bytes needed, and only
 * the reservation is left; otherwise *lacking is 0. */
typedef ImgStatus PlaceAttempt(void *context, uint64_t least, uint64_t *lacking, ImgError *err);

/* Runs the attempt and, after releasing the reservation, repeats it as long as it lacks more memory
 * than was known. `place` NULL: the job is alone and never lacks any. */
ImgStatus place_attempts(const Place *place, PlaceAttempt *attempt, void *context, ImgError *err);

#endif
