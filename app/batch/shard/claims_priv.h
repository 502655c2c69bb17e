/* Private to claims*.c. */
#ifndef IMGTOOL_APP_BATCH_SHARD_CLAIMS_PRIV_H
#define IMGTOOL_APP_BATCH_SHARD_CLAIMS_PRIV_H

#include <pthread.h>
#include <stdatomic.h>

#include "app/batch/shard/claims.h"

/* What the directory says of a chunk. */
typedef struct ChunkState {
    uint32_t claims; /* 1 + the number of the last claim; 0: nobody has claimed it */
    bool done;
    bool done_by_share; /* by a process of the own share */
    bool held;          /* by this process */
} ChunkState;

struct Claims {
    ClaimsConfig config;
    char *above, *path; /* .imgtool-claims, and that of this batch in it */
    char id[64];        /* of this process, among those of all machines */
    ChunkState *chunks;
    bool *started;    /* of each share */
    size_t next_redo; /* of the chunks that an earlier process of the own share has finished */
    size_t next_own;  /* of the chunks of the own share */
    size_t *free;     /* chunks that nobody had when the directory was read last */
    size_t free_count;
    size_t *lost, lost_count;
    uint64_t random;
    double next_look, look_pause;
    bool cannot; /* take from others: the directory cannot be written to */
    atomic_bool entered_again;
    pthread_mutex_t mutex; /* for what is held, as beats come from another thread */
    double next_beat;
};

/* --- The directory: claims_directory.c -------------------------------------------------------- */

/* Makes the directory, or joins it. */
ImgStatus claims_directory_enter(Claims *claims, ImgError *err);

/* Reads what all have claimed and finished, but for what this process holds. False where the
 * directory is gone: all is done. */
bool claims_directory_read(Claims *claims);

/* Out of the way in one step, then removed. */
void claims_directory_remove(const Claims *claims);

/* Removes what is left of batches of which nobody lives, and the directory above if nothing is in
 * it. */
void claims_directory_sweep(const Claims *claims);

/* --- Files in it: claims_files.c -------------------------------------------------------------- */

enum { CLAIMS_NAME = 64 };
extern const char claims_beat_name[];

/* "start-S" of the own share, "K.G", "K.done-S". */
const char *claims_start_name(const Claims *claims, char name[CLAIMS_NAME]);
const char *claims_claim_name(size_t chunk, uint32_t number, char name[CLAIMS_NAME]);
const char *claims_done_name(const Claims *claims, size_t chunk, char name[CLAIMS_NAME]);

/* 0, or the error; `flags`: O_EXCL, or 0. */
int claims_file_create(const Claims *claims, const char *name, int flags);

/* Gives it the file server's time; 0, or the error. */
int claims_file_touch(const Claims *claims, const char *name);
void claims_file_remove(const Claims *claims, const char *name);

/* When it was touched last, in seconds by the file server's times; below 0 where it is not there.
 * What time it is there, by a file that is new; below 0 where there can be none. */
double claims_file_time(const Claims *claims, const char *name);
double claims_path_time(const char *path);
double claims_now(const Claims *claims);

#endif
