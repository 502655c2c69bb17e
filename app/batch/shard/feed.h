/* The feed gives the files of a batch with --steal, one by one, to the threads that process them.
 * First come the files of this process's share, then chunks of files that other processes have
 * left. app/batch/shard/claims.h explains shares and chunks. */
#ifndef IMGTOOL_APP_BATCH_SHARD_FEED_H
#define IMGTOOL_APP_BATCH_SHARD_FEED_H

#include "app/batch/plan/batch_plan.h"
#include "app/batch/shard/claims.h"

typedef struct Feed Feed;

/* Called when the feed has taken a chunk whose files another process may have started or finished,
 * before any of them is processed here. */
typedef void FeedTakeover(void *context, const BatchFile *const *files, size_t count);

/* Called when all files of a chunk are done, before the chunk is marked as finished. If it returns
 * false, the chunk stays unfinished. May be called from several threads. */
typedef bool FeedFinished(void *context);

typedef struct FeedConfig {
    const BatchPlan *plan;
    const char *steps; /* text that identifies the steps of the batch */
    /* A process is considered crashed if it has sent no heartbeat for this many seconds. */
    double timeout;
    FeedTakeover *takeover;
    FeedFinished *finished;
    void *context;
} FeedConfig;

/* Opens the feed. OUTPUT_DIR must exist, and must be the only root of the plan. */
ImgStatus feed_open(const FeedConfig *config, Feed **feed, ImgError *err);

typedef struct FeedFile {
    const BatchFile *file;
    size_t chunk;
} FeedFile;

/* Takes the next file, and returns CLAIM_TAKEN. Returns CLAIM_WAIT if a file may become available
 * later, and CLAIM_OVER if none will. feed_next, feed_done and feed_count are thread-safe. */
ClaimResult feed_next(Feed *feed, FeedFile *file);

/* Reports that the file is finished or has failed. With `again`, the chunk of the file stays
 * unfinished, so that a later run tries the file again. */
void feed_done(Feed *feed, const FeedFile *file, bool again);

/* Returns the number of files that this process has to process, as far as is known now. Never
 * blocks. */
size_t feed_count(Feed *feed);

/* Returns the number of files in shares whose processes have not started, as far as is known. */
size_t feed_unstarted(const Feed *feed);

/* Renews the heartbeat of this process, so that other processes do not consider it crashed. Call it
 * often, and always from the same thread. */
void feed_send_heartbeat(Feed *feed);

/* Releases unfinished chunks, so that other processes can take them, even if threads still work on
 * them. Call it just before the program ends. */
void feed_release_all(Feed *feed);

/* Releases unfinished chunks and frees the feed, which may be NULL. */
void feed_close(Feed *feed);

/* Returns the number of files per chunk, so that each share has about 32 chunks of at most 1000
 * files. */
size_t feed_chunk_size(size_t files, uint32_t shares);

#endif
