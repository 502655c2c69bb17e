/* Which part of a batch each file belongs to: exactly one, by what is the same on all machines. */
#ifndef IMGTOOL_APP_BATCH_SHARD_SHARE_H
#define IMGTOOL_APP_BATCH_SHARD_SHARE_H

#include <stdbool.h>
#include <stddef.h>

#include "app/batch/plan/batch_plan.h"
#include "app/files/inputs.h"

/* The hash of a path below its operand: FNV-1a of its bytes, without "./" and doubled slashes, then
 * mixed (the finalizer of MurmurHash3), so that its remainders are even. Of bytes alone, so equal
 * on all machines; it never changes, as batches that are under way would mix. */
uint64_t share_hash(const char *relative);

/* The part that a file of this hash belongs to, of 0 to count - 1. */
uint32_t share_of(uint64_t hash, uint32_t count);

typedef struct ShareFile {
    const char *path;
    size_t relative; /* bytes of `path` before what is hashed */
    uint64_t bytes;  /* of the file; 0 where they do not matter */
    uint32_t share;  /* is set */
} ShareFile;

/* Sets the share of each file: by its hash, or, `by_size`, so that all shares have about as many
 * bytes: from the largest file on, each goes to the share that has least. The same files in another
 * order give the same shares. IMG_E_MEMORY. */
ImgStatus share_assign(ShareFile *files, size_t count, uint32_t shares, bool by_size,
                       ImgError *err);

/* Sets the shares of the files of a plan, and moves those of others behind plan->count, where they
 * are plan->others: each in the order that it had. --balance says how. */
ImgStatus share_take(BatchPlan *plan, const Settings *settings, ImgError *err);

/* Ends with the files of the plan's share alone. */
void share_drop_others(BatchPlan *plan);

/* Leaves the inputs of one share. */
ImgStatus share_take_inputs(Inputs *inputs, const Shard *shard, const Settings *settings,
                            ImgError *err);

#endif
