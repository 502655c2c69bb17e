/* Assigns each file of a batch to exactly one part, by data that is the same on all machines. */
#ifndef IMGTOOL_APP_BATCH_SHARD_SHARE_H
#define IMGTOOL_APP_BATCH_SHARD_SHARE_H

#include <stdbool.h>
#include <stddef.h>

#include "app/batch/plan/batch_plan.h"
#include "app/files/inputs.h"

/* Returns the hash of a path below its operand: FNV-1a of its bytes, without "./" and doubled
 * slashes, then the finalizer of MurmurHash3, which makes its remainders uniform. It depends on
 * bytes only, and so is the same on all machines. It must never change, or running batches would
 * assign files differently. */
uint64_t share_hash(const char *relative);

/* Returns the part of a file with this hash, from 0 to count - 1. */
uint32_t share_of(uint64_t hash, uint32_t count);

typedef struct ShareFile {
    const char *path;
    size_t relative; /* length of the prefix of `path` that is not hashed */
    uint64_t bytes;  /* size of the file; 0 if sizes are not used */
    uint32_t share;  /* result */
} ShareFile;

/* Sets the share of each file. By hash; or with `by_size` so that all shares have about the same
 * number of bytes: files in descending size go to the share with the fewest bytes. The order of the
 * list does not matter. IMG_E_MEMORY. */
ImgStatus share_assign(ShareFile *files, size_t count, uint32_t shares, bool by_size,
                       ImgError *err);

/* Sets the shares of all files of a plan by --balance, and moves files of other shares to the end,
 * after plan->count. Both groups keep their order. */
ImgStatus share_take(BatchPlan *plan, const Settings *settings, ImgError *err);

/* Removes the files of other shares from the plan. */
void share_drop_others(BatchPlan *plan);

/* Keeps only the inputs of one share. */
ImgStatus share_take_inputs(Inputs *inputs, const Shard *shard, const Settings *settings,
                            ImgError *err);

#endif
