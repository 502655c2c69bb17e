#include "app/batch/shard/feed.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "app/batch/shard/share.h"

/* Number of chunks per share: high enough that the last chunks are a small part of the work, and
 * low enough that claims are rare. A chunk has at most CHUNK_FILES_MOST files. */
enum { CHUNKS_PER_SHARE = 32, CHUNK_FILES_MOST = 1000 };

typedef struct Chunk {
    size_t first, count; /* range of the chunk in Feed.files */
    size_t left;         /* number of its files that are in progress or not started */
    /* A later run should try some of its files again, so the chunk must stay unfinished. */
    bool again;
} Chunk;

struct Feed {
    FeedConfig config;
    /* All files, grouped by share. Within a share they are in the order of the plan. */
    const BatchFile **files;
    Chunk *chunks;
    uint32_t *share_of; /* the share that each chunk belongs to */
    size_t chunk_count;
    Claims *claims;

    pthread_mutex_t mutex; /* protects the fields below, and calls of claims_take */
    /* Index of the chunk whose files are handed out, and position in it of the next file. */
    size_t chunk, next;
    bool has_chunk;
    /* Number of chunks that other processes took from this process's share, already subtracted from
     * `count`. */
    size_t lost;
    atomic_size_t count; /* number of files that this process has to process */
};

size_t feed_chunk_size(size_t files, uint32_t shares)
{
    size_t size = files / shares / CHUNKS_PER_SHARE;
    return size < 1 ? 1 : size > CHUNK_FILES_MOST ? CHUNK_FILES_MOST : size;
}

/* --- Chunks ----------------------------------------------------------------------------------- */

/* Returns an array whose element i + 1 is the index of the first file of share i. While the caller
 * adds files, it advances these elements, so that element i becomes the start of share i. Returns
 * NULL if there is no memory. The caller frees the array. */
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

/* Returns a hash of the files, their shares, and the steps. The order of the files does not matter.
 * Processes share work only if their hashes are equal. */
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

/* Subtracts from `count` the files of this process's share that other processes took. */
static void count_lost(Feed *feed)
{
    const size_t *first;
    size_t lost = claims_lost(feed->claims, &first);
    for (; feed->lost < lost; feed->lost++)
        feed->count -= feed->chunks[first[feed->lost]].count;
}

/* Takes the next chunk. The caller holds the mutex. */
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
