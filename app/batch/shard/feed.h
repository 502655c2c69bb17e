/* The files of a batch one by one, to threads that work on them: with --steal those of the own
 * share first, then those that the other processes leave, chunk by chunk
 * (app/batch/shard/claims.h). */
#ifndef IMGTOOL_APP_BATCH_SHARD_FEED_H
#define IMGTOOL_APP_BATCH_SHARD_FEED_H

#include "app/batch/plan/batch_plan.h"
#include "app/batch/shard/claims.h"

typedef struct Feed Feed;

/* Called when files are taken that others may have begun or finished, before they are handed out.
 */
typedef void FeedTakeover(void *context, const BatchFile *const *files, size_t count);

/* Called when all files of a chunk are done, before others are told. False: they are to be done
 * again. Called by several threads. */
typedef bool FeedFinished(void *context);

typedef struct FeedConfig {
    const BatchPlan *plan;
    const char *steps; /* what is done to every file */
    double dead_after; /* seconds */
    FeedTakeover *takeover;
    FeedFinished *finished;
    void *context;
} FeedConfig;

/* OUTPUT_DIR is there, and the plan's one root. */
ImgStatus feed_open(const FeedConfig *config, Feed **feed, ImgError *err);

typedef struct FeedFile {
    const BatchFile *file;
    size_t chunk;
} FeedFile;

/* The next file: CLAIM_TAKEN. CLAIM_WAIT: there may be one later. All three safe from several
 * threads. */
ClaimResult feed_next(Feed *feed, FeedFile *file);

/* The file is done, or failed. `again`: it should be tried again, so its chunk is left to whoever
 * begins later. */
void feed_done(Feed *feed, const FeedFile *file, bool again);

/* How many files this process has to do, as far as is known. Never waits. */
size_t feed_count(Feed *feed);

/* How many files are left to shares that have not begun, as far as is known. */
size_t feed_unbegun(const Feed *feed);

/* Says that this process lives; call often, from one thread. */
void feed_beat(Feed *feed);

/* What was not finished is left to others; the program ends while threads are at work on it. */
void feed_give_up(Feed *feed);

/* What was not finished is left to others. Harmless on NULL. */
void feed_close(Feed *feed);

/* Files of a chunk: so many that each share has some 32 chunks, and at most 1000. */
size_t feed_chunk_size(size_t files, uint32_t shares);

#endif
