#include "app/batch/shard/feed.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "app/batch/shard/share.h"

/* Enough chunks that the last ones are a small part of the work, and few enough that claims are
 * rare. */
enum { CHUNKS_PER_SHARE = 32, CHUNK_FILES_MOST = 1000 };

typedef struct Chunk {
    size_t first, count; /* range in Feed.files */
    size_t left;         /* files in progress or not started */
    bool again;          /* some files should be tried again */
} Chunk;

struct Feed {
    FeedConfig config;
    const BatchFile **files; /* grouped by share, each in the order of the plan */
    Chunk *chunks;
    uint32_t *share_of; /* share of each chunk */
    size_t chunk_count;
    Claims *claims;

    pthread_mutex_t mutex; /* guards the fields below and claims_take */
    size_t chunk, next;    /* current chunk, and its next file */
    bool has_chunk;
    size_t lost;         /* chunks of the own share that were subtracted from `count` */
    atomic_size_t count; /* files to process */
};

size_t feed_chunk_size(size_t files, uint32_t shares)
{
    size_t size = files / shares / CHUNKS_PER_SHARE;
    return size < 1 ? 1 : size > CHUNK_FILES_MOST ? CHUNK_FILES_MOST : size;
}

/* --- Chunks ----------------------------------------------------------------------------------- */

/* Returns the index of each share's first file, one past the last share at the end. The caller
 * frees it; NULL: no memory. */
static size_t *find_starts(const BatchPlan *plan, size_t all)
{
    uint32_t shares = plan->shard.count;
    size_t *starts = calloc((size_t)shares + 2, sizeof *starts);
    for (size_t i = 0; starts != NULL && i < all; i++)
        starts[plan->files[i].share + 2]++;
    for (uint32_t i = 1; starts != NULL && i <= shares; i++)
        starts[i + 1] += starts[i];
    return starts;
}

static void cut(Feed *feed, uint32_t share, size_t first, size_t end, size_t size)
{
    for (; first < end; first += size) {
        size_t count = end - first < size ? end - first : size;
        feed->share_of[feed->chunk_count] = share;
        feed->chunks[feed->chunk_count++] = (Chunk){first, count, count, false};
    }
}

static ImgStatus make_chunks(Feed *feed, ImgError *err)
{
    const BatchPlan *plan = feed->config.plan;
    uint32_t shares = plan->shard.count;
    size_t all = plan->count + plan->others, size = feed_chunk_size(all, shares);
    size_t most = all / size + shares + 1;
    size_t *starts = find_starts(plan, all);
    feed->files = calloc(all + 1, sizeof(const BatchFile *));
    feed->chunks = calloc(most, sizeof *feed->chunks);
    feed->share_of = calloc(most, sizeof *feed->share_of);
    if (starts == NULL || feed->files == NULL || feed->chunks == NULL || feed->share_of == NULL) {
        free(starts);
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    }
    for (size_t i = 0; i < all; i++)
        feed->files[starts[plan->files[i].share + 1]++] = &plan->files[i];
    for (uint32_t i = 0; i < shares; i++)
        cut(feed, i, starts[i], starts[i + 1], size);
    free(starts);
    return IMG_OK;
}

/* Returns a hash of the files in any order, their shares, and the steps. Processes that differ in
 * any of them do not share work. */
static uint64_t signature_of(const Feed *feed)
{
    const BatchPlan *plan = feed->config.plan;
    uint64_t sum = share_hash(feed->config.steps) + plan->shard.count;
    for (size_t i = 0; i < plan->count + plan->others; i++) {
        const BatchFile *file = &plan->files[i];
        sum += share_hash(file->input + file->relative) * (2 * (uint64_t)file->share + 1);
    }
    return sum;
}

/* --- Files ------------------------------------------------------------------------------------ */

ImgStatus feed_open(const FeedConfig *config, Feed **feed, ImgError *err)
{
    *feed = calloc(1, sizeof **feed);
    if (*feed == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    (*feed)->config = *config;
    (*feed)->count = config->plan->count;
    pthread_mutex_init(&(*feed)->mutex, NULL);
    ImgStatus status = make_chunks(*feed, err);
    if (status == IMG_OK) {
        const Shard *shard = &config->plan->shard;
        ClaimsConfig claims = {.output_directory = config->plan->roots[0],
                               .signature = signature_of(*feed),
                               .share_of = (*feed)->share_of,
                               .chunks = (*feed)->chunk_count,
                               .share = shard->index,
                               .shares = shard->count,
                               .timeout = config->timeout};
        status = claims_open(&claims, &(*feed)->claims, err);
    }
    if (status != IMG_OK) {
        feed_close(*feed);
        *feed = NULL;
    }
    return status;
}

/* Subtracts chunks of the own share that other processes took. */
static void count_lost(Feed *feed)
{
    const size_t *first;
    size_t lost = claims_lost(feed->claims, &first);
    for (; feed->lost < lost; feed->lost++)
        feed->count -= feed->chunks[first[feed->lost]].count;
}

/* Takes the next chunk. Call it with the mutex held. */
static ClaimResult take_chunk(Feed *feed)
{
    bool again;
    ClaimResult result = claims_take(feed->claims, &feed->chunk, &again);
    count_lost(feed);
    if (result != CLAIM_TAKEN)
        return result;
    Chunk *chunk = &feed->chunks[feed->chunk];
    chunk->left = chunk->count;
    chunk->again = false;
    feed->next = 0;
    feed->has_chunk = true;
    if (again || feed->share_of[feed->chunk] != feed->config.plan->shard.index)
        feed->count += chunk->count;
    if (again)
        feed->config.takeover(feed->config.context, feed->files + chunk->first, chunk->count);
    return CLAIM_TAKEN;
}

ClaimResult feed_next(Feed *feed, FeedFile *file)
{
    pthread_mutex_lock(&feed->mutex);
    ClaimResult result = feed->has_chunk ? CLAIM_TAKEN : take_chunk(feed);
    if (result == CLAIM_TAKEN) {
        const Chunk *chunk = &feed->chunks[feed->chunk];
        *file = (FeedFile){feed->files[chunk->first + feed->next], feed->chunk};
        feed->has_chunk = ++feed->next < chunk->count;
    }
    pthread_mutex_unlock(&feed->mutex);
    return result;
}

void feed_done(Feed *feed, const FeedFile *file, bool again)
{
    pthread_mutex_lock(&feed->mutex);
    Chunk *chunk = &feed->chunks[file->chunk];
    chunk->again |= again;
    bool finished = --chunk->left == 0 && !chunk->again;
    pthread_mutex_unlock(&feed->mutex);
    if (!finished || !feed->config.finished(feed->config.context))
        return;
    pthread_mutex_lock(&feed->mutex);
    claims_finish(feed->claims, file->chunk);
    pthread_mutex_unlock(&feed->mutex);
}

size_t feed_count(Feed *feed)
{
    return feed->count;
}

size_t feed_unstarted(const Feed *feed)
{
    size_t files = 0;
    for (size_t i = 0; i < feed->chunk_count; i++)
        if (claims_share_is_unstarted(feed->claims, i))
            files += feed->chunks[i].count;
    return files;
}

void feed_send_heartbeat(Feed *feed)
{
    claims_send_heartbeat(feed->claims);
}

void feed_release_all(Feed *feed)
{
    claims_release_all(feed->claims);
}

void feed_close(Feed *feed)
{
    if (feed == NULL)
        return;
    claims_close(feed->claims);
    pthread_mutex_destroy(&feed->mutex);
    free(feed->files);
    free(feed->chunks);
    free(feed->share_of);
    free(feed);
}
