/* Claims on the work of a batch. Processes on several machines use files in a shared directory, and
 * nothing else, to claim chunks of work. A process that has finished its own work takes over chunks
 * from processes that are slow or have crashed.
 *
 * A batch is split into chunks. While it runs, OUTPUT_DIR/.imgtool-claims/SIGNATURE holds:
 *
 *   start-S    share S has started; chunks of a share that has not are not taken
 *   K.G        claim number G, from 0, of chunk K; created with O_EXCL, and touched while its
 *              process is alive
 *   K.done-S   share S has finished chunk K
 *   beat       touched by all running processes
 *
 * If the time of K.G is too old, another process creates K.G+1, which only one process can do. All
 * times are set by the file server and compared only with each other, because the clocks of
 * machines differ. If a process is wrongly considered crashed, two processes write the same files
 * with the same bytes, which only costs time. */
#ifndef IMGTOOL_APP_BATCH_SHARD_CLAIMS_H
#define IMGTOOL_APP_BATCH_SHARD_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

typedef struct Claims Claims;

typedef struct ClaimsConfig {
    const char *output_directory; /* must exist */
    uint64_t
        signature; /* hash of steps and files; only processes with the same signature share work */
    const uint32_t *share_of; /* share of each chunk; borrowed */
    size_t chunks;
    uint32_t share, shares; /* share of this process, and number of shares */
    double timeout;         /* seconds without a touch after which a process counts as crashed */
} ClaimsConfig;

/* Joins the batch, or starts it. Removes what remains of batches without a running process.
 * IMG_E_IO, IMG_E_MEMORY. */
ImgStatus claims_open(const ClaimsConfig *config, Claims **claims, ImgError *err);

typedef enum ClaimResult {
    CLAIM_TAKEN,
    CLAIM_WAIT, /* other processes hold all remaining chunks, and may crash */
    CLAIM_OVER, /* no chunk is left that this process could take */
} ClaimResult;

/* Takes a chunk: one of the own share, else an unclaimed one, else one of a process that crashed.
 * Before that, it takes chunks that an earlier process of the own share finished, as the report of
 * that process is lost. *again is set if other processes may have started or finished files of the
 * chunk. Not thread-safe. */
ClaimResult claims_take(Claims *claims, size_t *chunk, bool *again);

/* Returns how many chunks of the own share other processes took first, and sets *first to their
 * list. */
size_t claims_lost(const Claims *claims, const size_t **first);

/* Returns whether the chunk belongs to a share that is not known to have started. */
bool claims_share_is_unstarted(const Claims *claims, size_t chunk);

/* Marks a taken chunk as finished; or releases it unfinished, so that others can take it. */
void claims_finish(Claims *claims, size_t chunk);
void claims_release(Claims *claims, size_t chunk);

/* Touches the files of this process from time to time, to show that it is alive. Call it often,
 * from one thread. Safe beside the other functions. */
void claims_send_heartbeat(Claims *claims);

/* Releases all unfinished chunks, even while other threads work on them. */
void claims_release_all(Claims *claims);

/* Releases unfinished chunks, and removes the directory if no work is left. NULL is allowed. */
void claims_close(Claims *claims);

#endif
