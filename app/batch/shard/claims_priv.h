/* Private to claims.c and claims_directory.c. */
#ifndef IMGTOOL_APP_BATCH_SHARD_CLAIMS_PRIV_H
#define IMGTOOL_APP_BATCH_SHARD_CLAIMS_PRIV_H

#include <pthread.h>

#include "app/batch/shard/claims.h"

/* What the directory says of a chunk. */
typedef struct ChunkState {
    uint32_t claims; /* 1 + the number of the last claim; 0: nobody has claimed it */
    bool done;
    bool held; /* by this process */
} ChunkState;

struct Claims {
    ClaimsConfig config;
    char *above, *path; /* .imgtool-claims, and that of this batch in it */
    char id[64];        /* of this process, among those of all machines */
    ChunkState *chunks;
    bool *started;   /* of each share */
    size_t next_own; /* of the chunks of the own share */
    size_t *free;    /* chunks that nobody had when the directory was read last */
    size_t free_count;
    size_t *lost, lost_count;
    uint64_t random;
    double next_look, look_pause;
    pthread_mutex_t mutex; /* for what is held, as beats come from another thread */
    double next_beat;
};

/* Makes the directory, or joins it. */
ImgStatus claims_directory_enter(Claims *claims, ImgError *err);

/* Creates what says that this process takes part. False where the directory is gone. */
bool claims_directory_sign(const Claims *claims);

/* Reads what all have claimed and finished. False where the directory is gone: all is done. */
bool claims_directory_read(Claims *claims);

/* Creates "K.G"; 0 or the error. */
int claims_directory_create(const Claims *claims, size_t chunk, uint32_t number);

/* "K.done" */
void claims_directory_mark_done(const Claims *claims, size_t chunk);

/* Touches "K.G", removes it, and tells when it was touched last, in seconds by the file server's
 * times: below 0 where it is not there. */
void claims_directory_touch(const Claims *claims, size_t chunk, uint32_t number);
void claims_directory_unclaim(const Claims *claims, size_t chunk, uint32_t number);
double claims_directory_time(const Claims *claims, size_t chunk, uint32_t number);

/* What time it is there, by a file that is new; below 0 where there can be none. */
double claims_directory_now(const Claims *claims);

/* Touches "beat". */
void claims_directory_beat(const Claims *claims);

/* Out of the way in one step, then removed. */
void claims_directory_remove(const Claims *claims);

#endif
