/* Which parts of the work each of several processes has taken, told by files of a directory that
 * all of them share, and by nothing else: so that those who have finished take over from those who
 * are slow, or dead.
 *
 * A batch is cut into chunks. OUTPUT_DIR/.imgtool-claims/SIGNATURE holds, while a batch is at work:
 *
 *   start-S    share S has begun: nothing is taken from one that has not
 *   K.G        chunk K is claimed, for the G-th time after the first: created by O_EXCL, and
 *              touched as long as its process lives
 *   K.done-S   chunk K is finished, by share S
 *   beat       touched by all who live
 *
 * Who finds the time of K.G old enough claims K.G+1, which only one can. Times are those that the
 * file server sets, compared with each other: clocks of machines differ. Who is taken for dead
 * wrongly does the same files as another, with the same bytes: that costs time, and nothing else.
 */
#ifndef IMGTOOL_APP_BATCH_SHARD_CLAIMS_H
#define IMGTOOL_APP_BATCH_SHARD_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

typedef struct Claims Claims;

typedef struct ClaimsConfig {
    const char *output_directory; /* is there */
    uint64_t signature;       /* of what is done to which files: whoever has another works alone */
    const uint32_t *share_of; /* of each chunk; borrowed */
    size_t chunks;
    uint32_t share, shares; /* this process's; how many */
    double dead_after;      /* seconds without a touch */
} ClaimsConfig;

/* Joins the batch, or begins it: what is left of one of which nobody lives is removed. IMG_E_IO,
 * IMG_E_MEMORY. */
ImgStatus claims_open(const ClaimsConfig *config, Claims **claims, ImgError *err);

typedef enum ClaimResult {
    CLAIM_TAKEN,
    CLAIM_WAIT, /* others are at work on all that is left: one of them may die */
    CLAIM_OVER, /* nothing is left that this process could do */
} ClaimResult;

/* Takes a chunk: one of the own share, else one that nobody has, else one of a process that is
 * dead. First those that an earlier process of the own share has finished, whose report is lost.
 * *again: others may have done files of it, or begun. Not for several threads at a time. */
ClaimResult claims_take(Claims *claims, size_t *chunk, bool *again);

/* Of the own share, how many chunks others took before this process came to them; they are listed
 * from *first on. */
size_t claims_lost(const Claims *claims, const size_t **first);

/* Is this chunk left to its share, which has not begun, as far as is known? */
bool claims_waits_for_share(const Claims *claims, size_t chunk);

/* A chunk that was taken is finished; or is not, and whoever wants it may have it. */
void claims_finish(Claims *claims, size_t chunk);
void claims_give_back(Claims *claims, size_t chunk);

/* Call often, from one thread: says from time to time that this process lives. Safe beside the
 * others. */
void claims_beat(Claims *claims);

/* Gives back what was not finished, while other threads may be at work on it. */
void claims_give_up(Claims *claims);

/* Gives back what was not finished, and removes the directory where nothing is left to do. Harmless
 * on NULL. */
void claims_close(Claims *claims);

#endif
