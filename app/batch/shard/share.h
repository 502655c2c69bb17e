/* Assigns each file of a batch to exactly one part (its share of the work). The result depends only
 * on the paths below the operands and, with --balance size, on the sizes of the files. All machines
 * therefore compute the same result. */
#ifndef IMGTOOL_APP_BATCH_SHARD_SHARE_H
#define IMGTOOL_APP_BATCH_SHARD_SHARE_H

#include <stdbool.h>
#include <stddef.h>

#include "app/batch/plan/batch_plan.h"
#include "app/files/inputs.h"

/* Returns the hash of a path relative to its operand: FNV-1a of its bytes without "./" and doubled
 * slashes, then the finalizer of MurmurHash3, which makes the remainders of a division uniform. The
 * hash is the same on all machines. The function must never change: different versions of imgtool
 * in one batch would assign a file to two parts, or to none. */
uint64_t share_hash(const char *relative);

/* Returns the index, from 0 to count - 1, of the part that a file with this hash belongs to. */
uint32_t share_of(uint64_t hash, uint32_t count);

typedef struct ShareFile {
    const char *path;
    /* Number of characters at the start of `path` that name the operand's directory. Only the
     * characters after them are hashed. */
    size_t relative;
    uint64_t bytes; /* size of the file; 0 if sizes do not matter */
    uint32_t share; /* result: the part that the file belongs to */
} ShareFile;

/* Sets the share of each file. Without `by_size`, uses the hash of the path. With `by_size`, all
 * shares get about the same number of bytes: in order of descending size, each file goes to the
 * share with the fewest bytes so far. The order of the list does not matter. Fails with
 * IMG_E_MEMORY. */
ImgStatus share_assign(ShareFile *files, size_t count, uint32_t shares, bool by_size,
                       ImgError *err);

/* Sets the share of each file of the plan by the method of --balance. Files of other shares are
 * moved to the end, after plan->count. Both groups keep their order. */
ImgStatus share_take(BatchPlan *plan, const Settings *settings, ImgError *err);

/* Removes the files of other shares from the plan. */
void share_drop_others(BatchPlan *plan);

/* Removes the inputs that belong to other shares. Fails with IMG_E_MEMORY. */
ImgStatus share_take_inputs(Inputs *inputs, const Shard *shard, const Settings *settings,
                            ImgError *err);

#endif
