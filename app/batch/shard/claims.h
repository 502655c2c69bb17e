/* Claims: how the processes of a batch share its work (--steal). A batch with N parts (--shard I/N)
 * has one process per part, which may run on different machines. The files of one part are called a
 * share here, and are split into chunks. The processes claim chunks through files in a shared
 * directory, and use no other communication. A process that has finished its own share takes over
 * chunks from processes that are slow or have crashed.
 *
 * While the batch runs, OUTPUT_DIR/.imgtool-claims/SIGNATURE contains these files:
 *
 *   start-S    the process of share S has started; no chunk of an unstarted share is taken
 *   K.G        claim number G, from 0, on chunk K; created with O_EXCL; touched by its process
 *   K.done-S   the process of share S has finished chunk K
 *   beat       touched by all running processes
 *
 * If the time of K.G is too old, another process creates K.G+1; only one process can succeed. All
 * times are set by the file server and compared only with each other, because the clocks of
 * machines differ. If a process is considered crashed by mistake, two processes write the same
 * files with the same bytes. That is harmless, but takes time. */
#ifndef IMGTOOL_APP_BATCH_SHARD_CLAIMS_H
#define IMGTOOL_APP_BATCH_SHARD_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

typedef struct Claims Claims;

typedef struct ClaimsConfig {
    const char *output_directory; /* directory of the outputs; must exist */
    uint64_t signature; /* hash of steps and files; processes work together only if it is equal */
    const uint32_t *share_of; /* the share that each chunk belongs to; borrowed */
    size_t chunks;
    uint32_t share, shares; /* index of this process's share, and number of shares */
    /* A process is considered crashed if it has not touched its claim for this many seconds. */
    double timeout;
} ClaimsConfig;

/* Joins the batch, or starts it if no process has. Also removes directories of batches that have no
 * running process. Fails with IMG_E_IO or IMG_E_MEMORY. */
ImgStatus claims_open(const ClaimsConfig *config, Claims **claims, ImgError *err);

typedef enum ClaimResult {
    CLAIM_TAKEN,
    CLAIM_WAIT, /* other processes hold all remaining chunks, but may crash; try again later */
    CLAIM_OVER, /* no chunk is left that this process could take */
} ClaimResult;

/* Takes a chunk to process. First come chunks that an earlier process of this share finished; they
 * are processed again, because this process overwrites the report of that process. Then come the
 * other chunks of this share, unclaimed chunks of other shares, and chunks of crashed processes.
 * Sets *again to true if other processes may have started or finished files of the chunk, so that
 * their results must be looked up first. Not thread-safe. */
ClaimResult claims_take(Claims *claims, size_t *chunk, bool *again);

/* Returns the number of chunks of this process's share that other processes claimed before it. Sets
 * *first to the list of these chunks. */
size_t claims_lost(const Claims *claims, const size_t **first);

/* Returns whether the chunk belongs to a share whose process has not started, as far as is
 * known. */
bool claims_share_is_unstarted(const Claims *claims, size_t chunk);

/* claims_finish and claims_release end the claim on a chunk. claims_finish marks the chunk as
 * finished. claims_release leaves it unfinished, so that other processes can take it. */
void claims_finish(Claims *claims, size_t chunk);
void claims_release(Claims *claims, size_t chunk);

/* Touches the files of this process at intervals, which shows that it is alive. Call it often, and
 * always from the same thread. Other threads may call the other functions meanwhile. */
void claims_send_heartbeat(Claims *claims);

/* Releases all chunks that this process has not finished, even while other threads work on them. */
void claims_release_all(Claims *claims);

/* Releases unfinished chunks, removes the directory if no work is left, and frees `claims`, which
 * may be NULL. */
void claims_close(Claims *claims);

#endif
