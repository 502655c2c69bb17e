/* Private interface of claims*.c. */
#ifndef IMGTOOL_APP_BATCH_SHARD_CLAIMS_PRIV_H
#define IMGTOOL_APP_BATCH_SHARD_CLAIMS_PRIV_H

#include <pthread.h>
#include <stdatomic.h>

#include "app/batch/shard/claims.h"

/* State of a chunk as read from the directory. */
typedef struct ChunkState {
    uint32_t claims; /* 1 + number of the last claim; 0: unclaimed */
    bool done;
    bool done_by_share; /* by a process of the own share */
    bool held;          /* claimed by this process */
} ChunkState;

struct Claims {
    ClaimsConfig config;
    char *above, *path; /* .imgtool-claims, and the directory of this batch in it */
    char id[64];        /* of this process, unique among all machines */
    ChunkState *chunks;
    bool *started;    /* whether each share has started */
    size_t next_redo; /* next chunk to check for work that an earlier process of the own share
                         finished */
    size_t next_own;  /* next chunk to check for the own share */
    size_t *free;     /* chunks that were unclaimed when the directory was read last */
    size_t free_count;
    size_t *lost, lost_count;
    uint64_t random;
    double next_look, look_pause;
    bool read_only; /* the directory is not writable, so nothing can be taken from other shares */
    atomic_bool rejoined;
    pthread_mutex_t mutex; /* guards `chunks`, as heartbeats come from another thread */
    double next_beat;
};

/* --- The directory: claims_directory.c -------------------------------------------------------- */

/* Creates the directory, or joins it. */
ImgStatus claims_directory_enter(Claims *claims, ImgError *err);

/* Reads the claims and finished chunks of all processes, except chunks that this process holds.
 * Returns false if the directory is gone, which means that all work is done. */
bool claims_directory_read(Claims *claims);

/* Renames the directory, so that it disappears in one step, and then removes it. */
void claims_directory_remove(const Claims *claims);

/* Removes directories of batches without a running process, and .imgtool-claims if it is empty. */
void claims_directory_sweep(const Claims *claims);

/* --- Files in it: claims_files.c -------------------------------------------------------------- */

enum { CLAIMS_NAME = 64 };
extern const char claims_heartbeat_name[];

/* Write the names "start-S" of the own share, "K.G" and "K.done-S". */
const char *claims_start_name(const Claims *claims, char name[CLAIMS_NAME]);
const char *claims_claim_name(size_t chunk, uint32_t number, char name[CLAIMS_NAME]);
const char *claims_done_name(const Claims *claims, size_t chunk, char name[CLAIMS_NAME]);

/* Creates a file. `flags` is O_EXCL or 0. Returns 0 or errno. */
int claims_file_create(const Claims *claims, const char *name, int flags);

/* Sets its time to that of the file server. Returns 0 or errno. */
int claims_file_touch(const Claims *claims, const char *name);
void claims_file_remove(const Claims *claims, const char *name);

/* Return the time of the last touch in seconds, by the file server; negative if there is no such
 * file. claims_now returns the server's present time by touching a new file; negative if that
 * fails. */
double claims_file_time(const Claims *claims, const char *name);
double claims_path_time(const char *path);
double claims_now(const Claims *claims);

#endif
