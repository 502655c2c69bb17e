#include "app/batch/shard/claims.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "app/batch/shard/claims_priv.h"
#include "kernels/core/parallel/clock.h"

/* Number of heartbeats per timeout. A process counts as crashed only after it has missed this
 * many. */
static const double BEATS = 6;

static ImgStatus no_memory(ImgError *err)
{
    return img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
}

static ImgStatus make_names(Claims *claims, ImgError *err)
{
    const ClaimsConfig *config = &claims->config;
    char host[32] = "";
    (void)gethostname(host, sizeof host - 1);
    for (char *at = host; *at != '\0'; at++)
        *at = *at == '/' ? '_' : *at;
    if (getrandom(&claims->random, sizeof claims->random, 0) < 0)
        claims->random = (uint64_t)getpid();
    claims->random |= 1;
    snprintf(claims->id, sizeof claims->id, "%s-%ld-%08" PRIx32, host, (long)getpid(),
             (uint32_t)(claims->random >> 32));
    if (asprintf(&claims->above, "%s/.imgtool-claims", config->output_directory) < 0)
        claims->above = NULL;
    else if (asprintf(&claims->path, "%s/%016" PRIx64, claims->above, config->signature) < 0)
        claims->path = NULL;
    return claims->path != NULL ? IMG_OK : no_memory(err);
}

ImgStatus claims_open(const ClaimsConfig *config, Claims **claims, ImgError *err)
{
    Claims *made = *claims = calloc(1, sizeof *made);
    if (made == NULL)
        return no_memory(err);
    made->config = *config;
    made->chunks = calloc(config->chunks + 1, sizeof *made->chunks);
    made->started = calloc(config->shares + 1, sizeof *made->started);
    made->free = calloc(config->chunks + 1, sizeof *made->free);
    made->lost = calloc(config->chunks + 1, sizeof *made->lost);
    pthread_mutex_init(&made->mutex, NULL);
    ImgStatus status = make_names(made, err);
    if (made->chunks == NULL || made->started == NULL || made->free == NULL || made->lost == NULL)
        status = no_memory(err);
    if (status == IMG_OK && (status = claims_directory_enter(made, err)) == IMG_OK)
        /* The directory shows which chunks an earlier process of this share finished. claims_take
         * takes these first. */
        (void)claims_directory_read(made);
    if (status != IMG_OK) {
        free(made->path); /* so that claims_close does not remove the directory of the batch */
        made->path = NULL;
        claims_close(made);
        *claims = NULL;
    }
    return status;
}

/* --- Ending ----------------------------------------------------------------------------------- */

/* Marks the chunk as no longer held by this process. Returns the number of its claim. */
static uint32_t end_claim(Claims *claims, size_t chunk, bool done)
{
    pthread_mutex_lock(&claims->mutex);
    ChunkState *state = &claims->chunks[chunk];
    state->held = false;
    state->done = done;
    uint32_t number = state->claims - 1;
    pthread_mutex_unlock(&claims->mutex);
    return number;
}

void claims_finish(Claims *claims, size_t chunk)
{
    char name[CLAIMS_NAME];
    (void)claims_file_create(claims, claims_done_name(claims, chunk, name), 0);
    (void)end_claim(claims, chunk, true);
}

void claims_release(Claims *claims, size_t chunk)
{
    char name[CLAIMS_NAME];
    uint32_t number = end_claim(claims, chunk, false);
    claims_file_remove(claims, claims_claim_name(chunk, number, name));
}

static ChunkState state_of(Claims *claims, size_t chunk)
{
    pthread_mutex_lock(&claims->mutex);
    ChunkState state = claims->chunks[chunk];
    pthread_mutex_unlock(&claims->mutex);
    return state;
}

void claims_release_all(Claims *claims)
{
    for (size_t i = 0; i < claims->config.chunks; i++)
        if (state_of(claims, i).held)
            claims_release(claims, i);
}

static bool is_over(Claims *claims)
{
    if (!claims_directory_read(claims))
        return false;
    for (size_t i = 0; i < claims->config.chunks; i++)
        if (!claims->chunks[i].done && claims->started[claims->config.share_of[i]])
            return false;
    return true;
}

void claims_close(Claims *claims)
{
    if (claims == NULL)
        return;
    if (claims->path != NULL) {
        claims_release_all(claims);
        if (is_over(claims))
            claims_directory_remove(claims);
        claims_directory_sweep(claims);
    }
    pthread_mutex_destroy(&claims->mutex);
    free(claims->above);
    free(claims->path);
    free(claims->chunks);
    free(claims->started);
    free(claims->free);
    free(claims->lost);
    free(claims);
}

/* --- Heartbeats ------------------------------------------------------------------------------- */

/* Touches the claim of a chunk if this process holds it. A missing file means that another process
 * has considered this one crashed. This process then creates its files again, so that others notice
 * if it really crashes later. */
static void touch_held(Claims *claims, size_t chunk)
{
    char name[CLAIMS_NAME], start[CLAIMS_NAME];
    ChunkState state = state_of(claims, chunk);
    if (!state.held ||
        claims_file_touch(claims, claims_claim_name(chunk, state.claims - 1, name)) != ENOENT)
        return;
    /* If this process has meanwhile finished the chunk, no claim is needed. The file is missing
     * because that was the last chunk of the batch, and another process has removed the
     * directory. */
    if (!state_of(claims, chunk).held)
        return;
    if (claims_file_touch(claims, claims_start_name(claims, start)) == ENOENT &&
        claims_directory_enter(claims, NULL) == IMG_OK)
        claims->rejoined = true;
    (void)claims_file_create(claims, name, 0);
}

void claims_send_heartbeat(Claims *claims)
{
    double now = img_clock();
    if (now < claims->next_beat)
        return;
    claims->next_beat = now + claims->config.timeout / BEATS;
    (void)claims_file_touch(claims, claims_heartbeat_name);
    for (size_t i = 0; i < claims->config.chunks; i++)
        touch_held(claims, i);
}
