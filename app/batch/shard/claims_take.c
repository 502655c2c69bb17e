/* Selects the chunk that this process takes next. claims.h explains shares, chunks and claims. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "app/batch/shard/claims_priv.h"
#include "kernels/core/parallel/clock.h"

/* Pauses between two reads of the directory while there is nothing to take. FIRST_PAUSE is in
 * seconds. Each next pause is LONGER times as long. LAST_PAUSE is the longest pause, as a fraction
 * of the timeout. */
static const double FIRST_PAUSE = 0.01, LONGER = 1.25, LAST_PAUSE = 1.0 / 20;

static void hold(Claims *claims, size_t chunk, uint32_t number)
{
    pthread_mutex_lock(&claims->mutex);
    claims->chunks[chunk] = (ChunkState){.claims = number + 1, .held = true};
    pthread_mutex_unlock(&claims->mutex);
}

/* Creates the file of claim `number` on a chunk. Returns 0 or errno; EEXIST if another process has
 * created it first. */
static int claim(Claims *claims, size_t chunk, uint32_t number)
{
    char name[CLAIMS_NAME];
    int code = claims_file_create(claims, claims_claim_name(chunk, number, name), O_EXCL);
    if (code == 0)
        hold(claims, chunk, number);
    else if (code != EEXIST && code != ENOENT)
        claims->read_only = true;
    return code;
}

/* --- The own share ---------------------------------------------------------------------------- */

/* Takes a chunk that an earlier process of this share finished. It is processed again because this
 * process overwrites the report of that process, and because inputs may have changed since. */
static bool take_redo(Claims *claims, size_t *chunk)
{
    char name[CLAIMS_NAME];
    for (; claims->next_redo < claims->config.chunks; claims->next_redo++) {
        size_t at = claims->next_redo;
        const ChunkState state = claims->chunks[at];
        if (!state.done_by_share || state.held || claim(claims, at, state.claims) != 0)
            continue;
        claims_file_remove(claims, claims_done_name(claims, at, name));
        claims->next_redo++;
        *chunk = at;
        return true;
    }
    return false;
}

/* Claims a chunk of this process's share. Returns 0 or EEXIST. If the directory is missing or not
 * writable, also returns 0, since a process handles its own share in any case. */
static int claim_own(Claims *claims, size_t chunk)
{
    int code = claim(claims, chunk, 0);
    /* The directory is missing: other processes have finished all work that they saw, or considered
     * this process crashed. So this process creates the directory again. */
    if (code == ENOENT) {
        if (claims_directory_enter(claims, NULL) == IMG_OK)
            claims->rejoined = true;
        code = claim(claims, chunk, 0);
    }
    if (code != 0 && code != EEXIST) {
        hold(claims, chunk, 0);
        code = 0;
    }
    return code;
}

static bool take_own(Claims *claims, size_t *chunk)
{
    const ClaimsConfig *config = &claims->config;
    while (claims->next_own < config->chunks) {
        size_t at = claims->next_own++;
        const ChunkState *state = &claims->chunks[at];
        if (config->share_of[at] != config->share)
            continue;
        if (!state->done && !state->held && claim_own(claims, at) == 0) {
            *chunk = at;
            return true;
        }
        claims->lost[claims->lost_count++] = at;
    }
    return false;
}

/* --- Other shares ----------------------------------------------------------------------------- */

/* Returns a random number below `count` by xorshift64 (Marsaglia). Random choices keep the
 * processes from trying to claim the same chunks in the same order. */
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
        size_t at = random_below(claims, claims->free_count);
        *chunk = claims->free[at];
        claims->free[at] = claims->free[--claims->free_count];
        int code = claim(claims, *chunk, 0);
        if (code == 0)
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

static bool is_expired(const Claims *claims, size_t chunk, double now)
{
    char name[CLAIMS_NAME];
    uint32_t last = claims->chunks[chunk].claims - 1;
    double touched = claims_file_time(claims, claims_claim_name(chunk, last, name));
    return touched >= 0 && now - touched > claims->config.timeout;
}

/* Takes a chunk of a process that crashed. Sets *waits if other processes hold chunks that may
 * become free later. */
static bool take_expired(Claims *claims, size_t *chunk, bool *waits)
{
    double now = -1;
    for (size_t i = 0; i < claims->config.chunks; i++) {
        if (!may_take(claims, i))
            continue;
        if (!*waits)
            now = claims_now(claims);
        *waits = true;
        *chunk = i;
        /* A chunk whose claim is not known yet is skipped. A process claimed it a moment ago, but
         * some file servers list new files late. The next reading of the directory examines it
         * again. */
        if (claims->chunks[i].claims > 0 && is_expired(claims, i, now) &&
            claim(claims, i, claims->chunks[i].claims) == 0)
            return true;
    }
    claims->read_only |= *waits && now < 0;
    return false;
}

/* Reads the directory and lists the unclaimed chunks. Returns false if the directory no longer
 * exists, which means that all work is done. */
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

/* --- All shares ------------------------------------------------------------------------------- */

static ClaimResult wait_longer(Claims *claims, double now)
{
    double longest = LAST_PAUSE * claims->config.timeout;
    claims->look_pause = claims->look_pause > 0 ? LONGER * claims->look_pause : FIRST_PAUSE;
    if (claims->look_pause > longest)
        claims->look_pause = longest;
    claims->next_look = now + claims->look_pause;
    return CLAIM_WAIT;
}

static ClaimResult take_of_others(Claims *claims, size_t *chunk, bool *again)
{
    double now = img_clock();
    bool waits = false;
    if (now < claims->next_look)
        return CLAIM_WAIT;
    if (!look(claims))
        return CLAIM_OVER;
    if (take_free(claims, chunk)) {
        claims->look_pause = 0;
        return CLAIM_TAKEN;
    }
    *again = take_expired(claims, chunk, &waits);
    if (*again)
        return CLAIM_TAKEN;
    return waits && !claims->read_only ? wait_longer(claims, now) : CLAIM_OVER;
}

ClaimResult claims_take(Claims *claims, size_t *chunk, bool *again)
{
    ClaimResult result = CLAIM_TAKEN;
    *again = take_redo(claims, chunk);
    if (!*again && !take_own(claims, chunk) && !take_free(claims, chunk))
        result = take_of_others(claims, chunk, again);
    if (result == CLAIM_TAKEN && atomic_exchange(&claims->rejoined, false))
        *again = true;
    return result;
}

size_t claims_lost(const Claims *claims, const size_t **first)
{
    *first = claims->lost;
    return claims->lost_count;
}

bool claims_share_is_unstarted(const Claims *claims, size_t chunk)
{
    return !claims->chunks[chunk].done && !claims->started[claims->config.share_of[chunk]];
}
