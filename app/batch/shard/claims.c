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

/* A process that lives is heard of so many times before it is taken for dead. */
static const double BEATS = 6;
/* Who waits looks soon, then at longer pauses: a part of the time after which one is dead. */
static const double FIRST_PAUSE = 0.05, LONGER = 1.25, LAST_PAUSE = 1.0 / 20;

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
    if (status == IMG_OK)
        status = claims_directory_enter(made, err);
    if (status != IMG_OK) {
        free(made->path); /* nothing to be removed there */
        made->path = NULL;
        claims_close(made);
        *claims = NULL;
    }
    return status;
}

/* --- Taking ----------------------------------------------------------------------------------- */

static void hold(Claims *claims, size_t chunk, uint32_t number)
{
    pthread_mutex_lock(&claims->mutex);
    claims->chunks[chunk] = (ChunkState){.claims = number + 1, .held = true};
    pthread_mutex_unlock(&claims->mutex);
}

static bool create(Claims *claims, size_t chunk, uint32_t number, int *code)
{
    *code = claims_directory_create(claims, chunk, number);
    if (*code == 0)
        hold(claims, chunk, number);
    return *code == 0;
}

/* Without the directory, or where it cannot be written to, the own share is done all the same. */
static bool take_own(Claims *claims, size_t *chunk)
{
    const ClaimsConfig *config = &claims->config;
    for (; claims->next_own < config->chunks; claims->next_own++) {
        int code;
        if (config->share_of[claims->next_own] != config->share)
            continue;
        *chunk = claims->next_own;
        if (!create(claims, *chunk, 0, &code) && code == ENOENT) {
            (void)claims_directory_enter(claims, NULL); /* others had finished all they knew of */
            (void)create(claims, *chunk, 0, &code);
        }
        if (code != EEXIST) {
            if (code != 0)
                hold(claims, *chunk, 0);
            claims->next_own++;
            return true;
        }
        claims->lost[claims->lost_count++] = *chunk;
    }
    return false;
}

/* xorshift64 (Marsaglia): thieves are not to follow each other. */
static size_t random_below(Claims *claims, size_t count)
{
    claims->random ^= claims->random << 13;
    claims->random ^= claims->random >> 7;
    claims->random ^= claims->random << 17;
    return (size_t)(claims->random % count);
}

static bool take_free(Claims *claims, size_t *chunk)
{
    while (claims->free_count > 0) {
        int code;
        size_t at = random_below(claims, claims->free_count);
        *chunk = claims->free[at];
        claims->free[at] = claims->free[--claims->free_count];
        if (create(claims, *chunk, 0, &code))
            return true;
        if (code != EEXIST)
            claims->free_count = 0;
    }
    return false;
}

static bool may_take(const Claims *claims, size_t chunk)
{
    const ChunkState *state = &claims->chunks[chunk];
    return !state->done && !state->held && claims->started[claims->config.share_of[chunk]];
}

/* Sets *waits where there are some whose process lives. */
static bool take_dead(Claims *claims, size_t *chunk, bool *waits)
{
    double now = -1;
    for (size_t i = 0; i < claims->config.chunks; i++) {
        const ChunkState *state = &claims->chunks[i];
        int code;
        if (!may_take(claims, i) || state->claims == 0)
            continue;
        if (!*waits)
            now = claims_directory_now(claims);
        *waits = true;
        *chunk = i;
        double touched = claims_directory_time(claims, i, state->claims - 1);
        if (touched >= 0 && now - touched > claims->config.dead_after &&
            create(claims, i, state->claims, &code))
            return true;
    }
    return false;
}

/* What nobody has, by the directory. False where it is gone, as all is done. */
static bool look(Claims *claims)
{
    claims->free_count = 0;
    pthread_mutex_lock(&claims->mutex);
    bool there = claims_directory_read(claims);
    pthread_mutex_unlock(&claims->mutex);
    if (!there)
        return false;
    for (size_t i = 0; i < claims->config.chunks; i++)
        if (may_take(claims, i) && claims->chunks[i].claims == 0)
            claims->free[claims->free_count++] = i;
    return true;
}

ClaimResult claims_take(Claims *claims, size_t *chunk, bool *again)
{
    double now = img_clock(), longest = LAST_PAUSE * claims->config.dead_after;
    *again = false;
    if (take_own(claims, chunk) || take_free(claims, chunk))
        return CLAIM_TAKEN;
    if (now < claims->next_look)
        return CLAIM_WAIT;
    if (!look(claims))
        return CLAIM_OVER;
    if (take_free(claims, chunk)) {
        claims->look_pause = 0;
        return CLAIM_TAKEN;
    }
    bool waits = false;
    if (take_dead(claims, chunk, &waits)) {
        *again = true;
        return CLAIM_TAKEN;
    }
    claims->look_pause = claims->look_pause > 0 ? LONGER * claims->look_pause : FIRST_PAUSE;
    if (claims->look_pause > longest)
        claims->look_pause = longest;
    claims->next_look = now + claims->look_pause;
    return waits ? CLAIM_WAIT : CLAIM_OVER;
}

size_t claims_lost(const Claims *claims, const size_t **first)
{
    *first = claims->lost;
    return claims->lost_count;
}

/* --- Ending ----------------------------------------------------------------------------------- */

/* The number of the claim. */
static uint32_t let_go(Claims *claims, size_t chunk, bool done)
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
    claims_directory_mark_done(claims, chunk);
    (void)let_go(claims, chunk, true);
}

void claims_give_back(Claims *claims, size_t chunk)
{
    claims_directory_unclaim(claims, chunk, let_go(claims, chunk, false));
}

void claims_beat(Claims *claims)
{
    double now = img_clock();
    if (now < claims->next_beat)
        return;
    claims->next_beat = now + claims->config.dead_after / BEATS;
    claims_directory_beat(claims);
    for (size_t i = 0; i < claims->config.chunks; i++) {
        pthread_mutex_lock(&claims->mutex);
        ChunkState state = claims->chunks[i];
        pthread_mutex_unlock(&claims->mutex);
        if (state.held)
            claims_directory_touch(claims, i, state.claims - 1);
    }
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

void claims_give_up(Claims *claims)
{
    for (size_t i = 0; i < claims->config.chunks; i++)
        if (claims->chunks[i].held)
            claims_give_back(claims, i);
}

void claims_close(Claims *claims)
{
    if (claims == NULL)
        return;
    if (claims->path != NULL)
        claims_give_up(claims);
    if (claims->path != NULL && is_over(claims))
        claims_directory_remove(claims);
    if (claims->above != NULL)
        (void)rmdir(claims->above); /* unless another is at work */
    pthread_mutex_destroy(&claims->mutex);
    free(claims->above);
    free(claims->path);
    free(claims->chunks);
    free(claims->started);
    free(claims->free);
    free(claims->lost);
    free(claims);
}
