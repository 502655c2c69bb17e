/* Implements the walk, which is the loop over the data that finds the matches of match_rule.h. This
 * file is compiled once for each instruction set (kernels/core/parallel/cpu.h). A header for an
 * instruction set may define HAVE_ADD_STEP with STEP and add_step, and HAVE_LOOK_UP_ALL with MANY,
 * LOOK_UP_BYTES and look_up_all.
 *
 * The walk passes over the data once, in groups of 32 positions. For all positions of a group it
 * computes bit masks: which bytes equal those one pixel, row or byte back, and for which positions
 * the table has a candidate. These masks do not depend on which matches are used. So the walk can
 * skip to the next position that may have a match. If a match covers a group, its positions are
 * only entered in the table. A group inside a run is skipped, because none of its positions is
 * entered.
 *
 * Slots hold positions and start as 0. Position 0 is entered before all others, and positions with
 * the same bytes share its slot. A slot that was never entered therefore leads to different bytes
 * and gives no false match. */
#if defined IMG_VARIANT_VBMI
#include "io/png/deflate/match_loops_vbmi.h"
#endif

#include <stdbool.h>
#include <string.h>

#include "io/png/deflate/equal_bytes.h"
#include "io/png/deflate/matches_walk.h"
#include "kernels/core/parallel/cpu.h"

enum {
    /* A position is in a run if its byte, and this number of bytes after it, equal the bytes one
     * pixel before them. */
    IN_RUN = IMG_MATCH_WORD - 1,
    /* A match of IMG_MATCH_MOST bytes gains more than a match of fewer than SHORTER bytes at the
     * same or the previous position. Its additional bytes, at least 258 - 128, cost more as
     * literals than a literal, a length and a distance. */
    SHORTER = 128,
    /* The gain, before the distance cost is subtracted, of a match that is known to be the best.
     * Its exact gain is then not needed. */
    MOST_GAIN = 1 << 20,
};

typedef struct Match {
    uint32_t length, distance;
    int32_t gain; /* number of bits that the match saves, times 16; 0 if there is no match */
} Match;

/* --- Bit masks of positions ------------------------------------------------------------------- */

static inline uint32_t first_bit(uint32_t bits)
{
    return (uint32_t)__builtin_ctz(bits);
}

/* Returns a mask of IMG_EQUAL_BYTES bits: bit i is set if byte `at` + i equals the byte `distance`
 * bytes before it. */
static inline uint64_t equal_back(const ImgMatchWalk *walk, uint32_t at, uint32_t distance)
{
    const uint8_t *data = walk->data;
    if (at >= distance && walk->size - at >= IMG_EQUAL_BYTES)
        return img_equal_64(data + at, data + at - distance);
    uint64_t equal = 0;
    if (at + IMG_EQUAL_BYTES <= distance)
        return 0;
    for (uint32_t i = 0; i < IMG_EQUAL_BYTES && at + i < walk->size; i++)
        if (at + i >= distance && data[at + i] == data[at + i - distance])
            equal |= UINT64_C(1) << i;
    return equal;
}

/* Returns a mask of the positions in the group at `at` that have at least eight bytes left. */
static inline uint32_t positions_of(const ImgMatchWalk *walk, uint32_t at)
{
    const uint32_t left = walk->words > at ? walk->words - at : 0;
    return left < IMG_MATCH_GROUP ? (1U << left) - 1 : UINT32_MAX;
}

/* Returns a mask of the positions in the group at `at` that are outside runs and have at least
 * eight bytes left. `equal` is the mask of bytes that equal the byte one pixel back. */
static inline uint32_t outside_runs(const ImgMatchWalk *walk, uint32_t at, uint64_t equal)
{
    _Static_assert(IMG_MATCH_WORD == 8, "three steps");
    equal &= equal >> 1;
    equal &= equal >> 2;
    equal &= equal >> 4;
    return ~(uint32_t)equal & positions_of(walk, at);
}

/* --- Costs ------------------------------------------------------------------------------------ */

static void set_costs(const ImgMatchWalk *walk)
{
    uint32_t counts[256] = {0}, all = 0;
    _Static_assert(IMG_MATCH_COUNTED == IMG_MATCH_GROUP, "those of a group");
    for (uint32_t at = 0; at < walk->words; at += IMG_MATCH_COUNTED_OF) {
        uint32_t outside = outside_runs(walk, at, equal_back(walk, at, walk->rows->pixel));
        for (; outside != 0; outside &= outside - 1, all++)
            counts[walk->data[at + first_bit(outside)]]++;
    }
    for (int byte = 0; byte < 256; byte++) {
        const uint32_t cost = img_literal_cost(all, counts[byte]);
        walk->work->costs[byte] = cost;
        walk->work->byte_costs[byte] = (uint8_t)cost;
    }
}

#ifndef HAVE_ADD_STEP
enum { STEP = 32 };

/* Stores in out[i] the total literal cost of all bytes before bytes[i], for STEP bytes. `sum` is
 * the total before bytes[0]. Returns the total after the last byte. */
static inline uint32_t add_step(const struct ImgMatches *work, const uint8_t *bytes, uint16_t *out,
                                uint32_t sum)
{
    _Pragma("GCC unroll 32") for (int i = 0; i < STEP; i++)
    {
        out[i] = (uint16_t)sum;
        sum += work->costs[bytes[i]];
    }
    return sum;
}
#endif

/* Computes the running sums of literal costs from position `from` to at least `to`. If positions
 * before `from` were left out, the sums restart at 0: only differences of sums are used. Not
 * inlined, because the callers need the registers. */
static __attribute__((noinline)) void add_sums(ImgMatchWalk *walk, uint32_t from, uint32_t to)
{
    const uint32_t *costs = walk->work->costs;
    const uint8_t *data = walk->data;
    uint16_t *sums = walk->work->sums;
    const bool is_gap = walk->summed < from;
    uint32_t at = is_gap ? from / STEP * STEP : walk->summed;
    uint32_t sum = is_gap ? 0 : sums[at % IMG_MATCHES_SUMS];
    for (; at < to && walk->size - at >= STEP; at += STEP)
        sum = add_step(walk->work, data + at, sums + at % IMG_MATCHES_SUMS, sum);
    for (; at < to; at++) {
        sums[at % IMG_MATCHES_SUMS] = (uint16_t)sum;
        sum += costs[data[at]];
    }
    sums[at % IMG_MATCHES_SUMS] = (uint16_t)sum;
    walk->summed = at;
}

/* --- Groups ----------------------------------------------------------------------------------- */

static inline void enter(const ImgMatchWalk *walk, uint32_t at, uint32_t outside)
{
    for (uint32_t left = outside; left != 0; left &= left - 1) {
        const uint32_t here = at + first_bit(left);
        walk->work->slots[img_match_slot(img_get_le64(walk->data + here), walk->factor)] = here;
    }
}

/* Looks up the positions in the mask `outside` (outside runs), except those in the mask `before`.
 * Then enters all positions of `outside` in the table. Stores in `places` the positions that the
 * table held before. Returns a mask of the positions whose bytes equal those at the position in the
 * table. Not inlined, because the callers need the registers. */
static __attribute__((noinline)) uint32_t
look_up(const ImgMatchWalk *walk, uint32_t at, uint32_t outside, uint32_t before, uint32_t *places)
{
    uint32_t *table = walk->work->slots, found = 0;
    uint16_t slots[IMG_MATCH_GROUP];
    const uint64_t hashed = walk->hashed, factor = walk->factor;
    const uint8_t *data = walk->data;
    for (uint32_t left = outside & ~before; left != 0; left &= left - 1) {
        const uint32_t i = first_bit(left);
        const uint64_t word = img_get_le64(data + at + i);
        const uint32_t slot = img_match_slot(word, factor), place = table[slot];
        /* `is_beyond` is 0 if `place` is at most IMG_MATCH_REACH bytes before the current
         * position. */
        const uint32_t is_beyond = (at + i - 1 - place) / IMG_MATCH_REACH;
        const uint64_t unlike = (word ^ img_get_le64(data + place)) & hashed;
        slots[i] = (uint16_t)slot;
        places[i] = place;
        found |= (uint32_t)((unlike | is_beyond) == 0) << i; /* computed without a branch */
    }
    enter(walk, at, outside & before);
    for (uint32_t left = outside & ~before; left != 0; left &= left - 1)
        table[slots[first_bit(left)]] = at + first_bit(left);
    return at == 0 ? 0 : found;
}

/* Looks up and enters the positions of the group at `at`, as look_up does. Positions before `from`
 * are entered, but not looked up. */
static inline uint32_t look_up_from(ImgMatchWalk *walk, uint32_t at, uint32_t outside,
                                    uint32_t from, uint32_t *places)
{
#ifdef HAVE_LOOK_UP_ALL
    if (at > 0 && walk->size - at >= LOOK_UP_BYTES && __builtin_popcount(outside) >= MANY) {
        if (walk->summed < at + LOOK_UP_BYTES)
            add_sums(walk, at, at + LOOK_UP_BYTES);
        return look_up_all(walk, at, outside, places);
    }
#endif
    return look_up(walk, at, outside, from > at ? (1U << (from - at)) - 1 : 0, places);
}

/* Returns a mask: bit i is set if bits i to i + least - 1 of `equal` are set. `least` must be 3 to
 * 7. */
static inline uint64_t starts_of(uint64_t equal, uint32_t least)
{
    const uint64_t two = equal & equal >> 1;
    return least > 3 ? two & two >> 2 & two >> (least - 2) : two & equal >> 2;
}

/* Computes the bit masks of the next group, and enters its positions in the table. A match covers
 * the positions before `from`, so their masks are not needed. */
static void add_group(ImgMatchWalk *walk, uint32_t from)
{
    const uint32_t at = walk->ready, *distances = walk->distances;
    ImgMatchGroup *group = &walk->work->groups[at / IMG_MATCH_GROUP % 2];
    walk->ready += IMG_MATCH_GROUP;
    group->equal[IMG_MATCH_PIXEL] = equal_back(walk, at, distances[IMG_MATCH_PIXEL]);
    const uint32_t outside = outside_runs(walk, at, group->equal[IMG_MATCH_PIXEL]);
    if (from >= walk->ready) {
        enter(walk, at, outside);
        return;
    }
    group->equal[IMG_MATCH_ROW] = distances[IMG_MATCH_ROW] <= IMG_MATCH_REACH
                                      ? equal_back(walk, at, distances[IMG_MATCH_ROW])
                                      : 0;
    group->equal[IMG_MATCH_BYTE] = distances[IMG_MATCH_PIXEL] != 1 ? equal_back(walk, at, 1) : 0;
    group->found = look_up_from(walk, at, outside, from, group->places);
    uint32_t any = group->found;
    for (int k = 0; k < IMG_MATCH_FIXED; k++) {
        const uint32_t least = k == IMG_MATCH_ROW ? walk->rows->hashed : IMG_MATCH_LEAST;
        group->starts[k] = (uint32_t)starts_of(group->equal[k], least);
        any |= group->starts[k];
    }
    group->candidates = any & positions_of(walk, at);
}

/* Skips the groups before position `at` that lie entirely in the current run. */
static inline void skip_run(ImgMatchWalk *walk, uint32_t at)
{
    if (walk->ready < walk->run_from || walk->run_to < walk->ready + IMG_MATCH_GROUP + IN_RUN)
        return;
    const uint32_t to = walk->run_to - IN_RUN < at ? walk->run_to - IN_RUN : at;
    walk->ready = to / IMG_MATCH_GROUP * IMG_MATCH_GROUP;
}

static inline const ImgMatchGroup *group_of(ImgMatchWalk *walk, uint32_t at)
{
    while (walk->ready <= at) {
        skip_run(walk, at);
        add_group(walk, at);
    }
    return &walk->work->groups[at / IMG_MATCH_GROUP % 2];
}

/* --- Matches ---------------------------------------------------------------------------------- */

static inline uint32_t less(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Returns the number of bytes from `at` onwards that equal the bytes `distance` before them, up to
 * `most`. The first `known` bytes must be equal; they are not compared. */
static inline uint32_t equal_length(const ImgMatchWalk *walk, uint32_t at, uint32_t distance,
                                    uint32_t known, uint32_t most)
{
    const uint8_t *here = walk->data + at, *there = here - distance;
    uint32_t length = known;
    for (; length < most && walk->size - at - length >= IMG_EQUAL_BYTES;
         length += IMG_EQUAL_BYTES) {
        const uint64_t equal = img_equal_64(here + length, there + length);
        if (equal != UINT64_MAX)
            return less(length + (uint32_t)__builtin_ctzll(~equal), most);
    }
    while (length < most && here[length] == there[length])
        length++;
    return less(length, most);
}

/* Returns the number of bytes from `at` onwards that belong to the same run. The first `known`
 * bytes must belong to it; they are not compared. */
static inline uint32_t run_length(ImgMatchWalk *walk, uint32_t at, uint32_t known)
{
    if (walk->run_to <= at) {
        walk->run_from = at;
        walk->run_to =
            at + equal_length(walk, at, walk->distances[IMG_MATCH_PIXEL], known, walk->size - at);
    }
    return walk->run_to - at;
}

static inline int32_t gain_of(ImgMatchWalk *walk, uint32_t at, uint32_t length,
                              uint32_t distance_cost)
{
    const uint16_t *sums = walk->work->sums;
    if (walk->summed < at + length)
        add_sums(walk, at, at + length);
    const uint16_t saved =
        (uint16_t)(sums[(at + length) % IMG_MATCHES_SUMS] - sums[at % IMG_MATCHES_SUMS]);
    return (int32_t)saved - walk->work->length_costs[length] - (int32_t)distance_cost;
}

/* Returns the match with the larger gain: `best`, or the match given by `length` and `distance`.
 * Returns `best` if the gains are equal. `beaten` is the length of the match at the previous
 * position, with which the caller compares the result. */
static inline Match better(ImgMatchWalk *walk, uint32_t at, Match best, uint32_t beaten,
                           uint32_t length, uint32_t distance, uint32_t distance_cost)
{
    if (length < best.length)
        return best;
    const bool is_sure = length == IMG_MATCH_MOST && beaten < SHORTER &&
                         (best.length < SHORTER || best.gain >= MOST_GAIN / 2);
    const int32_t gain =
        is_sure ? MOST_GAIN - (int32_t)distance_cost : gain_of(walk, at, length, distance_cost);
    return gain > best.gain ? (Match){length, distance, gain} : best;
}

/* Returns the length, up to `most`, of a match at position `i` of the group. `back` selects its
 * distance: one pixel, row or byte. */
static inline uint32_t fixed_length(ImgMatchWalk *walk, const ImgMatchGroup *group, uint32_t at,
                                    uint32_t i, ImgMatchFixed back, uint32_t most)
{
    const uint64_t equal = group->equal[back] >> i;
    const uint32_t known =
        equal == UINT64_MAX ? IMG_EQUAL_BYTES : (uint32_t)__builtin_ctzll(~equal);
    if (known < IMG_EQUAL_BYTES - i)
        return less(known, most);
    if (back == IMG_MATCH_PIXEL)
        return less(run_length(walk, at, known), most);
    return equal_length(walk, at, walk->distances[back], less(known, most), most);
}

static inline __attribute__((always_inline)) Match match_at(ImgMatchWalk *walk, uint32_t at,
                                                            uint32_t beaten)
{
    const ImgMatchGroup *group = group_of(walk, at);
    const uint32_t i = at % IMG_MATCH_GROUP, most = less(walk->size - at, IMG_MATCH_MOST);
    Match best = {0, 0, 0};
    if ((group->candidates >> i & 1) == 0)
        return best;
    for (ImgMatchFixed back = IMG_MATCH_PIXEL; back < IMG_MATCH_FIXED; back++) {
        if ((group->starts[back] >> i & 1) == 0)
            continue;
        const uint32_t length = fixed_length(walk, group, at, i, back, most);
        best = better(walk, at, best, beaten, length, walk->distances[back],
                      walk->distance_costs[back]);
        if (back == IMG_MATCH_PIXEL && best.length == most)
            return best; /* This match is the best: no other candidate is longer or cheaper. */
    }
    if ((group->found >> i & 1) != 0) {
        const uint32_t distance = at - group->places[i];
        const uint32_t length = equal_length(walk, at, distance, walk->rows->hashed, most);
        best = better(walk, at, best, beaten, length, distance,
                      img_match_distance_cost(distance, walk->rows->pixel));
    }
    return best;
}

/* --- Tokens ----------------------------------------------------------------------------------- */

static inline void add_literals(ImgMatchTokens *tokens, uint32_t count)
{
    tokens->literals += count;
    tokens->tokens += count;
}

static inline void add_match(ImgMatchTokens *tokens, const Match *match)
{
    tokens->sequences[tokens->count++] =
        (ImgSequence){tokens->literals, (uint16_t)match->length, (uint16_t)match->distance};
    tokens->literals = 0;
    tokens->tokens++;
}

/* Adds literals up to the next position before `end` that may have a match. Returns this position,
 * or `end` if there is none. */
static inline uint32_t skip_literals(ImgMatchWalk *walk, uint32_t at, uint32_t end,
                                     ImgMatchTokens *tokens)
{
    const uint32_t from = at;
    while (at < end && at < walk->words) {
        const uint32_t candidates = group_of(walk, at)->candidates >> at % IMG_MATCH_GROUP;
        if (candidates != 0) {
            at += first_bit(candidates);
            break;
        }
        at = (at | (IMG_MATCH_GROUP - 1)) + 1;
    }
    if (at > end || at >= walk->words)
        at = end;
    add_literals(tokens, at - from);
    return at;
}

/* Compares `match`, the match at `at`, with the match at the next position. While the next one has
 * a larger gain, adds a literal and continues there. Then adds the better match. Returns the
 * position after it; returns `end` if the literals reach `end`. */
static inline uint32_t take(ImgMatchWalk *walk, uint32_t at, Match match, uint32_t end,
                            ImgMatchTokens *tokens)
{
    while (match.length < IMG_MATCH_MOST && at + 1 < walk->words) {
        const Match next = match_at(walk, at + 1, match.length);
        if (next.gain <= match.gain)
            break;
        add_literals(tokens, 1);
        if (++at == end)
            return at;
        match = next;
    }
    add_match(tokens, &match);
    return at + match.length;
}

/* Adds matches of IMG_MATCH_MOST bytes while the current run continues and `end` is not reached. No
 * other match gains more in a run. Returns the position after the last match. */
static inline uint32_t take_run(const ImgMatchWalk *walk, uint32_t at, uint32_t end,
                                ImgMatchTokens *tokens)
{
    const Match match = {IMG_MATCH_MOST, walk->distances[IMG_MATCH_PIXEL], MOST_GAIN};
    for (; at < end && at + IMG_MATCH_MOST <= walk->run_to; at += IMG_MATCH_MOST)
        add_match(tokens, &match);
    return at;
}

/* Selects the tokens that start in the segment of position `at`, from `at` onwards. Returns the
 * position after the last token. */
static uint32_t parse_segment(ImgMatchWalk *walk, uint32_t at, ImgMatchTokens *tokens)
{
    uint32_t end = (at | (IMG_MATCH_SEGMENT - 1)) + 1;
    end = end < walk->size ? end : walk->size;
    while ((at = skip_literals(walk, at, end, tokens)) < end) {
        const Match match = match_at(walk, at, 0);
        if (match.gain > 0) {
            at = take_run(walk, take(walk, at, match, end, tokens), end, tokens);
            if (at >= end)
                break;
        } else {
            add_literals(tokens, 1);
            at++;
        }
    }
    return at;
}

/* Selects the tokens of the block that starts at `at`, and stores them as sequences. Returns the
 * end of the block. */
static uint32_t parse_block(ImgMatchWalk *walk, uint32_t at, ImgMatchTokens *tokens)
{
    *tokens = (ImgMatchTokens){.sequences = walk->work->sequences};
    while (at < walk->size && tokens->tokens < IMG_MATCH_BLOCK_TOKENS)
        at = parse_segment(walk, at, tokens);
    if (tokens->literals > 0)
        tokens->sequences[tokens->count++] = (ImgSequence){tokens->literals, 0, 0};
    return at;
}

const ImgMatchLoops IMG_VARIANT(img_match) = {set_costs, parse_block};
