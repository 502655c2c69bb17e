/* The place of a picture among pictures that are processed in parallel: a worker of a pool, and the
 * memory, threads and devices that the picture may use. */
#ifndef IMGTOOL_APP_ENGINE_SHARE_PLACE_H
#define IMGTOOL_APP_ENGINE_SHARE_PLACE_H

#include "app/engine/share/device_pool.h"
#include "app/engine/share/pool.h"

/* Place of one picture. All pointers are borrowed. */
typedef struct Place {
    Pool *pool;
    int worker;
    DevicePool *devices; /* device pool with as many workers as `pool` */
    ImgTeam *team;       /* source of threads; may be NULL */
    const ImgStep *steps;
    size_t count;
    size_t pictures; /* number of pictures that remain, including this one; assumed to be similar */
    bool writes;     /* true if the results are written to files */
    int threads;     /* number of threads that img_place_hold was granted; 0: img_place_hold was not
                        called */
    /* Bytes that the job holds in addition to its picture, as far as known; without the files that
     * the steps of all pictures use. */
    uint64_t held;
} Place;

/* The resources of the machine that a picture may use. */
typedef struct Share {
    int threads;   /* largest number of CPU threads, at least 1 */
    ImgTeam *team; /* borrowed source of threads; may be NULL */
    ImgExec *exec; /* borrowed executor with backend and device */
    /* The requested memory is not free, and the place must not block, because it already holds
     * memory. Release everything, and restart with img_place_hold for the whole amount. */
    bool lacks;
} Share;

/* Reserves memory that the job holds in addition to its picture, from start to end. Waits until
 * this memory is free. Call it before img_place_admit. After this call the other place functions
 * never block: otherwise two jobs that both hold memory could wait for each other. If `bytes` is
 * UINT64_MAX, reserves all memory, so that no other job runs. */
void img_place_hold(Place *place, uint64_t bytes);

/* Enlarges the reservation during the job to `bytes` for the picture. Returns true if the memory
 * was free and is now reserved. Never blocks. Call it after img_place_admit. */
bool img_place_grow(const Place *place, uint64_t bytes);

/* Raises the reservation to `bytes` for the picture, and waits until they are free. They must be at
 * most the `most` of img_place_settle. */
void img_place_raise(const Place *place, uint64_t bytes);

/* Admits a picture that needs `need` according to its header. Call it after the header is read,
 * and before memory in the size of the picture is allocated. Waits until the memory is free. After
 * img_place_hold it does not wait, but sets share->lacks. The pool releases the reservation when
 * the job ends. */
ImgStatus img_place_admit(const Place *place, ImgShape shape, PoolNeed need, Share *share,
                          ImgError *err);

/* Changes the reservation to `need`, which is known after the file is read. Call it before
 * a pixel is decoded. Releases the difference, or waits for more memory. After img_place_hold it
 * does not wait, but sets share->lacks. */
void img_place_settle(const Place *place, PoolNeed need, Share *share);

/* Processes a picture from start to end. `least` is the number of bytes that the previous attempt
 * turned out to need; 0: this is the first attempt. If the attempt fails because memory is not free
 * while other jobs run, sets *lacking to the number of bytes needed, and releases everything except
 * the reservation. Otherwise sets *lacking to 0. */
typedef ImgStatus PlaceAttempt(void *context, uint64_t least, uint64_t *lacking, ImgError *err);

/* Runs the attempt, at first with `least` 0. If it sets *lacking above `least`, releases the
 * reservation and runs it again with `least` set to that number of bytes. Otherwise returns its
 * status. If `place` is NULL, runs it once, because a job that runs alone never lacks memory. */
ImgStatus img_place_attempts(const Place *place, PlaceAttempt *attempt, void *context,
                             ImgError *err);

#endif
