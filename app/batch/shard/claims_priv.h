/* The struct behind Claims, and functions that only claims*.c use. */
#ifndef IMGTOOL_APP_BATCH_SHARD_CLAIMS_PRIV_H
#define IMGTOOL_APP_BATCH_SHARD_CLAIMS_PRIV_H

#include <pthread.h>
#include <stdatomic.h>

#include "app/batch/shard/claims.h"

/* State of a chunk, as last read from the directory. */
typedef struct ChunkState {
    uint32_t claims; /* 1 + number of the last claim; 0: the chunk is unclaimed */
    bool done;
    bool done_by_share; /* a process of the same share as this process has finished it */
    bool held;          /* this process has claimed it */
} ChunkState;

struct Claims {
    ClaimsConfig config;
    char *above, *path; /* paths: .imgtool-claims, and the directory of this batch in it */
    char id[64];        /* name of this process, unique among all machines */
    ChunkState *chunks;
    bool *started; /* for each share, whether its process has started */
    /* Position in `chunks` of take_redo, which looks for chunks that an earlier process of this
     * share finished. */
    size_t next_redo;
    /* Position in `chunks` of take_own, which looks for chunks of this process's share. */
    size_t next_own;
    size_t *free; /* the chunks that were unclaimed when the directory was last read */
    size_t free_count;
    size_t *lost, lost_count;
    uint64_t random;
    double next_look, look_pause;
    bool read_only; /* the directory is read-only, so no chunks of other shares can be taken */
    atomic_bool rejoined;
    pthread_mutex_t mutex; /* protects `chunks`, since heartbeats come from another thread */
    double next_beat;
};

/* --- The directory: claims_directory.c -------------------------------------------------------- */

/* Creates the directory of this batch, or joins it if it exists. */
ImgStatus claims_directory_enter(Claims *claims, ImgError *err);

/* Updates `chunks` from the files of all processes, except chunks that this process holds. Returns
 * false if the directory no longer exists, which means that all work is done. */
bool claims_directory_read(Claims *claims);

/* Removes the directory. First renames it, so that for other processes it disappears in one
 * step. */
void claims_directory_remove(const Claims *claims);

/* Removes the directories of batches that have no running process, and .imgtool-claims if it is
 * empty. */
void claims_directory_sweep(const Claims *claims);

/* --- Files in the directory: claims_files.c --------------------------------------------------- */

enum { CLAIMS_NAME = 64 };
extern const char claims_heartbeat_name[];

/* Each of these functions writes the name of a file to `name`, and returns `name`. The start file
 * is "start-S", and the done file of chunk K is "K.done-S", where S is this process's share. The
 * file of claim G on chunk K is "K.G". */
const char *claims_start_name(const Claims *claims, char name[CLAIMS_NAME]);
const char *claims_claim_name(size_t chunk, uint32_t number, char name[CLAIMS_NAME]);
const char *claims_done_name(const Claims *claims, size_t chunk, char name[CLAIMS_NAME]);

/* Creates a file. `flags` is O_EXCL or 0. Returns 0 or errno. */
int claims_file_create(const Claims *claims, const char *name, int flags);

/* Sets the time of the file to the present time of the file server. Returns 0 or errno. */
int claims_file_touch(const Claims *claims, const char *name);
void claims_file_remove(const Claims *claims, const char *name);

/* claims_file_time and claims_path_time return the time when the file was last touched, or a
 * negative number if there is no such file. claims_now touches a new file and returns its time, or
 * a negative number if that fails. All times are in seconds by the clock of the file server. */
double claims_file_time(const Claims *claims, const char *name);
double claims_path_time(const char *path);
double claims_now(const Claims *claims);

#endif
