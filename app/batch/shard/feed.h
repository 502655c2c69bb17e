/* Hands out the files of a batch with --steal, one by one, to the threads that process them. Files
 * of the own share come first, then chunks that other processes leave (app/batch/shard/claims.h).
 */
#ifndef IMGTOOL_APP_BATCH_SHARD_FEED_H
#define IMGTOOL_APP_BATCH_SHARD_FEED_H

#include "app/batch/plan/batch_plan.h"
#include "app/batch/shard/claims.h"

typedef struct Feed Feed;

/* Called when a chunk is taken that other processes may have started or finished, before its files
 * are handed out. */
typedef void FeedTakeover(void *context, const BatchFile *const *files, size_t count);

/* Called when all files of a chunk are done, before the chunk is marked as finished. If it returns
 * false, the chunk stays unfinished. Called from several threads. */
typedef bool FeedFinished(void *context);

typedef struct FeedConfig {
    const BatchPlan *plan;
    const char *steps; /* identifies what is done to every file */
    double timeout;    /* seconds */
    FeedTakeover *takeover;
    FeedFinished *finished;
    void *context;
} FeedConfig;

/* Opens the feed. OUTPUT_DIR must exist and be the only root of the plan. */
ImgStatus feed_open(const FeedConfig *config, Feed **feed, ImgError *err);

typedef struct FeedFile {
    const BatchFile *file;
    size_t chunk;
} FeedFile;

/* Takes the next file: CLAIM_TAKEN. CLAIM_WAIT: there may be one later. Thread-safe, as feed_done
 * and feed_count are. */
ClaimResult feed_next(Feed *feed, FeedFile *file);

/* Reports that the file is done or has failed. With `again` its chunk stays unfinished, so that a
 * later run tries it again. */
void feed_done(Feed *feed, const FeedFile *file, bool again);

/* Returns how many files this process has to process, as far as is known. Never blocks. */
size_t feed_count(Feed *feed);

/* Returns how many files belong to shares that are not known to have started. */
size_t feed_unstarted(const Feed *feed);

/* Shows that this process is alive. Call it often, from one thread. */
void feed_send_heartbeat(Feed *feed);

/* Releases unfinished chunks while threads still work on them. Call it before the program is ended.
 */
void feed_release_all(Feed *feed);

/* Releases unfinished chunks and frees the feed. NULL is allowed. */
void feed_close(Feed *feed);

/* Returns the number of files per chunk: each share gets about 32 chunks of at most 1000 files. */
size_t feed_chunk_size(size_t files, uint32_t shares);

#endif
