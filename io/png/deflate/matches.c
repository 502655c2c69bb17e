/* match_rule.h in one walk through the data. Some questions have the same answer whatever is taken:
 * which bytes are equal to those a pixel, a row or a byte back, and where the table leads. They are
 * asked for a whole group at once, and the answers are bits. So the walk skips to the next position
 * that may have a match. Groups that a match covers are only entered. Those inside a run are
 * skipped, as none of their positions is entered.
 *
 * Slots hold positions, 0 at first. Position 0 is entered before all others, and positions with the
 * same bytes have its slot. So a slot that was never entered leads to bytes that differ. */
#include "io/png/deflate/matches.h"

#include <stdlib.h>
#include <string.h>

#include "io/png/deflate/equal_bytes.h"
#include "io/png/deflate/sequences.h"

enum {
    STEP = 32,      /* sums are added for so many bytes at once */
    SUMS = 1 << 10, /* more than a match and two steps */
    SEQUENCES = IMG_MATCH_BLOCK_TOKENS + IMG_MATCH_SEGMENT + 1,
    IN_RUN = IMG_MATCH_WORD - 1, /* bytes behind a position in a run that are in it, too */
    /* A match of IMG_MATCH_MOST bytes gains more than one of fewer bytes than this at the same
     * position or that before: 130 bytes cost more than a literal, a length and a distance. */
    SHORTER = 128,
    MOST_GAIN = 1 << 20, /* stands for what they gain, less the cost of their distance */
};

typedef enum Fixed { PIXEL, ROW, BYTE, FIXED } Fixed; /* distances that are the same everywhere */

/* What is known of a group of positions: bit i is that of the group's position i. */
typedef struct Group {
    uint64_t equal[FIXED];  /* bytes to those at each distance; of IMG_EQUAL_BYTES positions */
    uint32_t starts[FIXED]; /* of candidates there */
    uint32_t found;         /* in the table */
    uint32_t candidates;    /* any */
    uint32_t places[IMG_MATCH_GROUP]; /* where the table leads */
} Group;

struct ImgMatches {
    uint32_t slots[IMG_MATCH_SLOTS];
    uint32_t costs[256];
    uint16_t length_costs[IMG_MATCH_MOST + 1];
    uint16_t sums[SUMS]; /* of costs of bytes before, by position; modulo 2^16 */
    Group groups[2];     /* that of the position, and the next */
    ImgSequence sequences[SEQUENCES];
};

typedef struct Match {
    uint32_t length, distance;
    int32_t gain; /* 0: there is none */
} Match;

typedef struct Walk {
    ImgMatches *work;
    const ImgMatchRows *rows;
    const uint8_t *data;
    uint64_t factor;           /* of hashes */
    uint64_t hashed;           /* the bits of a word that are hashed */
    uint32_t distances[FIXED]; /* and their costs */
    uint32_t distance_costs[FIXED];
    uint32_t size, words;      /* positions with a whole word */
    uint32_t ready;            /* groups before it are known and entered */
    uint32_t summed;           /* sums up to it are known */
    uint32_t run_from, run_to; /* bytes like those a pixel back; the one behind is not */
} Walk;

ImgMatches *img_matches_create(void)
{
    ImgMatches *work = malloc(sizeof *work);
    for (uint32_t length = 0; work != NULL && length <= IMG_MATCH_MOST; length++)
        work->length_costs[length] =
            length < IMG_MATCH_LEAST ? 0 : (uint16_t)img_match_length_cost(length);
    return work;
}

size_t img_matches_bytes(void)
{
    return sizeof(ImgMatches);
}

void img_matches_free(ImgMatches *work)
{
    free(work);
}

/* --- Bits of positions -------------------------------------------------------------------------
 */

static inline uint32_t first_bit(uint32_t bits)
{
    return (uint32_t)__builtin_ctz(bits);
}

/* Bit i: the byte at `at` + i is like that `distance` back. */
static inline uint64_t equal_back(const Walk *walk, uint32_t at, uint32_t distance)
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

/* Those of a group with a whole word. */
static inline uint32_t positions_of(const Walk *walk, uint32_t at)
{
    const uint32_t left = walk->words > at ? walk->words - at : 0;
    return left < IMG_MATCH_GROUP ? (1U << left) - 1 : UINT32_MAX;
}

/* And in no run, of which `equal` tells. */
static inline uint32_t outside_runs(const Walk *walk, uint32_t at, uint64_t equal)
{
    _Static_assert(IMG_MATCH_WORD == 8, "three steps");
    equal &= equal >> 1;
    equal &= equal >> 2;
    equal &= equal >> 4;
    return ~(uint32_t)equal & positions_of(walk, at);
}

/* --- Costs -------------------------------------------------------------------------------------
 */

static void set_costs(const Walk *walk)
{
    uint32_t counts[256] = {0}, all = 0;
    _Static_assert(IMG_MATCH_COUNTED == IMG_MATCH_GROUP, "those of a group");
    for (uint32_t at = 0; at < walk->words; at += IMG_MATCH_COUNTED_OF) {
        uint32_t outside = outside_runs(walk, at, equal_back(walk, at, walk->rows->pixel));
        for (; outside != 0; outside &= outside - 1, all++)
            counts[walk->data[at + first_bit(outside)]]++;
    }
    for (int byte = 0; byte < 256; byte++)
        walk->work->costs[byte] = img_literal_cost(all, counts[byte]);
}

/* Makes the sums from `from` to `to`, and some more, known. Where there is a gap before `from` they
 * begin anew, as only differences count. Not inlined, because the callers need their registers. */
static __attribute__((noinline)) void add_sums(Walk *walk, uint32_t from, uint32_t to)
{
    const uint32_t *costs = walk->work->costs;
    const uint8_t *data = walk->data;
    uint16_t *sums = walk->work->sums;
    const bool is_gap = walk->summed < from;
    uint32_t at = is_gap ? from / STEP * STEP : walk->summed;
    uint32_t sum = is_gap ? 0 : sums[at % SUMS];
    for (; at < to && walk->size - at >= STEP; at += STEP) {
        const uint8_t *bytes = data + at;
        uint16_t *out = sums + at % SUMS;
        _Pragma("GCC unroll 32") for (int i = 0; i < STEP; i++)
        {
            out[i] = (uint16_t)sum;
            sum += costs[bytes[i]];
        }
    }
    for (; at < to; at++) {
        sums[at % SUMS] = (uint16_t)sum;
        sum += costs[data[at]];
    }
    sums[at % SUMS] = (uint16_t)sum;
    walk->summed = at;
}

/* --- Groups ------------------------------------------------------------------------------------
 */

static inline void enter(const Walk *walk, uint32_t at, uint32_t outside)
{
    for (uint32_t left = outside; left != 0; left &= left - 1) {
        const uint32_t here = at + first_bit(left);
        walk->work->slots[img_match_slot(img_get_le64(walk->data + here), walk->factor)] = here;
    }
}

/* Enters the positions `outside` runs. Before that it looks up those that are not `before` the part
 * of interest, and returns where the table led to equal bytes. Not inlined: see add_sums. */
static __attribute__((noinline)) uint32_t look_up(const Walk *walk, uint32_t at, uint32_t outside,
                                                  uint32_t before, uint32_t *places)
{
    uint32_t *table = walk->work->slots, found = 0;
    uint16_t slots[IMG_MATCH_GROUP];
    const uint64_t hashed = walk->hashed, factor = walk->factor;
    const uint8_t *data = walk->data;
    for (uint32_t left = outside & ~before; left != 0; left &= left - 1) {
        const uint32_t i = first_bit(left);
        const uint64_t word = img_get_le64(data + at + i);
        const uint32_t slot = img_match_slot(word, factor), place = table[slot];
        const uint32_t is_beyond = (at + i - 1 - place) / IMG_MATCH_REACH; /* 0: it is not */
        const uint64_t unlike = (word ^ img_get_le64(data + place)) & hashed;
        slots[i] = (uint16_t)slot;
        places[i] = place;
        found |= (uint32_t)((unlike | is_beyond) == 0) << i; /* without a branch */
    }
    enter(walk, at, outside & before);
    for (uint32_t left = outside & ~before; left != 0; left &= left - 1)
        table[slots[first_bit(left)]] = at + first_bit(left);
    return at == 0 ? 0 : found;
}

/* Bit i: bits i to i + least - 1 are set. At most 7. */
static inline uint64_t starts_of(uint64_t equal, uint32_t least)
{
    const uint64_t two = equal & equal >> 1;
    return least > 3 ? two & two >> 2 & two >> (least - 2) : two & equal >> 2;
}

/* The next group, of which nothing before `from` is of interest. */
static void add_group(Walk *walk, uint32_t from)
{
    const uint32_t at = walk->ready, *distances = walk->distances;
    Group *group = &walk->work->groups[at / IMG_MATCH_GROUP % 2];
    walk->ready += IMG_MATCH_GROUP;
    group->equal[PIXEL] = equal_back(walk, at, distances[PIXEL]);
    const uint32_t outside = outside_runs(walk, at, group->equal[PIXEL]);
    if (from >= walk->ready) {
        enter(walk, at, outside);
        return;
    }
    group->equal[ROW] =
        distances[ROW] <= IMG_MATCH_REACH ? equal_back(walk, at, distances[ROW]) : 0;
    group->equal[BYTE] = distances[PIXEL] != 1 ? equal_back(walk, at, 1) : 0;
    const uint32_t before = from > at ? (1U << (from - at)) - 1 : 0;
    group->found = look_up(walk, at, outside, before, group->places);
    uint32_t any = group->found;
    for (int k = 0; k < FIXED; k++) {
        const uint32_t least = k == ROW ? walk->rows->hashed : IMG_MATCH_LEAST;
        group->starts[k] = (uint32_t)starts_of(group->equal[k], least);
        any |= group->starts[k];
    }
    group->candidates = any & positions_of(walk, at);
}

/* Skips groups before that of `at` that lie in the run. */
static inline void skip_run(Walk *walk, uint32_t at)
{
    if (walk->ready < walk->run_from || walk->run_to < walk->ready + IMG_MATCH_GROUP + IN_RUN)
        return;
    const uint32_t to = walk->run_to - IN_RUN < at ? walk->run_to - IN_RUN : at;
    walk->ready = to / IMG_MATCH_GROUP * IMG_MATCH_GROUP;
}

static inline const Group *group_of(Walk *walk, uint32_t at)
{
    while (walk->ready <= at) {
        skip_run(walk, at);
        add_group(walk, at);
    }
    return &walk->work->groups[at / IMG_MATCH_GROUP % 2];
}

/* --- Matches -----------------------------------------------------------------------------------
 */

static inline uint32_t less(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Bytes in a row that are like those `distance` back, at most `most`; the first `known` are. */
static inline uint32_t equal_length(const Walk *walk, uint32_t at, uint32_t distance,
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

/* Returns how long the run goes on from `at`; the first `known` bytes are in it. */
static inline uint32_t run_length(Walk *walk, uint32_t at, uint32_t known)
{
    if (walk->run_to <= at) {
        walk->run_from = at;
        walk->run_to = at + equal_length(walk, at, walk->distances[PIXEL], known, walk->size - at);
    }
    return walk->run_to - at;
}

static inline int32_t gain_of(Walk *walk, uint32_t at, uint32_t length, uint32_t distance_cost)
{
    const uint16_t *sums = walk->work->sums;
    if (walk->summed < at + length)
        add_sums(walk, at, at + length);
    const uint16_t saved = (uint16_t)(sums[(at + length) % SUMS] - sums[at % SUMS]);
    return (int32_t)saved - walk->work->length_costs[length] - (int32_t)distance_cost;
}

/* Returns the better one, the first of equals. `beaten` is the length of the match at the position
 * before, which the better one is compared with. */
static inline Match better(Walk *walk, uint32_t at, Match best, uint32_t beaten, uint32_t length,
                           uint32_t distance, uint32_t distance_cost)
{
    if (length < best.length)
        return best;
    const bool is_sure = length == IMG_MATCH_MOST && beaten < SHORTER &&
                         (best.length < SHORTER || best.gain >= MOST_GAIN / 2);
    const int32_t gain =
        is_sure ? MOST_GAIN - (int32_t)distance_cost : gain_of(walk, at, length, distance_cost);
    return gain > best.gain ? (Match){length, distance, gain} : best;
}

/* Returns the length of the candidate of the group's position i. */
static inline uint32_t fixed_length(Walk *walk, const Group *group, uint32_t at, uint32_t i,
                                    Fixed back, uint32_t most)
{
    const uint64_t equal = group->equal[back] >> i;
    const uint32_t known =
        equal == UINT64_MAX ? IMG_EQUAL_BYTES : (uint32_t)__builtin_ctzll(~equal);
    if (known < IMG_EQUAL_BYTES - i)
        return less(known, most);
    if (back == PIXEL)
        return less(run_length(walk, at, known), most);
    return equal_length(walk, at, walk->distances[back], less(known, most), most);
}

static inline __attribute__((always_inline)) Match match_at(Walk *walk, uint32_t at,
                                                            uint32_t beaten)
{
    const Group *group = group_of(walk, at);
    const uint32_t i = at % IMG_MATCH_GROUP, most = less(walk->size - at, IMG_MATCH_MOST);
    Match best = {0, 0, 0};
    if ((group->candidates >> i & 1) == 0)
        return best;
    for (Fixed back = PIXEL; back < FIXED; back++) {
        if ((group->starts[back] >> i & 1) == 0)
            continue;
        const uint32_t length = fixed_length(walk, group, at, i, back, most);
        best = better(walk, at, best, beaten, length, walk->distances[back],
                      walk->distance_costs[back]);
        if (back == PIXEL && best.length == most)
            return best; /* nothing is longer, or costs less */
    }
    if ((group->found >> i & 1) != 0) {
        const uint32_t distance = at - group->places[i];
        const uint32_t length = equal_length(walk, at, distance, walk->rows->hashed, most);
        best = better(walk, at, best, beaten, length, distance,
                      img_match_distance_cost(distance, walk->rows->pixel));
    }
    return best;
}

/* --- Tokens ------------------------------------------------------------------------------------
 */

typedef struct Tokens {
    ImgSequence *sequences;
    size_t count;
    uint32_t tokens, literals; /* literals since the last match */
} Tokens;

static inline void add_literals(Tokens *tokens, uint32_t count)
{
    tokens->literals += count;
    tokens->tokens += count;
}

static inline void add_match(Tokens *tokens, const Match *match)
{
    tokens->sequences[tokens->count++] =
        (ImgSequence){tokens->literals, (uint16_t)match->length, (uint16_t)match->distance};
    tokens->literals = 0;
    tokens->tokens++;
}

/* Literals up to the next position before `end` that may have a match. */
static inline uint32_t skip_literals(Walk *walk, uint32_t at, uint32_t end, Tokens *tokens)
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

/* From the position `at`, which has the match, to behind the next match that is taken or to `end`.
 */
static inline uint32_t take(Walk *walk, uint32_t at, Match match, uint32_t end, Tokens *tokens)
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

/* Takes matches of IMG_MATCH_MOST bytes as long as the run goes on: nothing gains more there. */
static inline uint32_t take_run(const Walk *walk, uint32_t at, uint32_t end, Tokens *tokens)
{
    const Match match = {IMG_MATCH_MOST, walk->distances[PIXEL], MOST_GAIN};
    for (; at < end && at + IMG_MATCH_MOST <= walk->run_to; at += IMG_MATCH_MOST)
        add_match(tokens, &match);
    return at;
}

/* From `at` on to the first token behind the segment. */
static uint32_t parse_segment(Walk *walk, uint32_t at, Tokens *tokens)
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

/* The sequences from `at` on, of a block. Returns where it ends. */
static uint32_t parse_block(Walk *walk, uint32_t at, Tokens *tokens)
{
    *tokens = (Tokens){.sequences = walk->work->sequences};
    while (at < walk->size && tokens->tokens < IMG_MATCH_BLOCK_TOKENS)
        at = parse_segment(walk, at, tokens);
    if (tokens->literals > 0)
        tokens->sequences[tokens->count++] = (ImgSequence){tokens->literals, 0, 0};
    return at;
}

static Walk start_walk(ImgMatches *work, const ImgMatchRows *rows, const uint8_t *data, size_t size)
{
    Walk walk = {.work = work, .rows = rows, .data = data, .size = (uint32_t)size};
    walk.factor = img_match_factor(rows->hashed);
    walk.words = size < IMG_MATCH_WORD ? 0 : (uint32_t)size - IMG_MATCH_WORD + 1;
    walk.hashed = UINT64_MAX >> 8 * (IMG_MATCH_WORD - rows->hashed);
    walk.distances[PIXEL] = rows->pixel;
    walk.distances[ROW] = rows->stride;
    walk.distances[BYTE] = 1;
    for (Fixed back = PIXEL; back < FIXED; back++)
        walk.distance_costs[back] = img_match_distance_cost(walk.distances[back], rows->pixel);
    memset(work->slots, 0, sizeof work->slots);
    work->sums[0] = 0;
    set_costs(&walk);
    return walk;
}

static void plan_block(const Walk *walk, uint32_t at, const Tokens *tokens, ImgBlockPlan *plan)
{
    ImgBlockCounts counts;
    img_block_count(walk->data + at, tokens->sequences, tokens->count, &counts);
    img_block_plan(&counts, plan);
}

size_t img_deflate_matches(ImgMatches *work, const ImgMatchRows *rows, const uint8_t *data,
                           size_t size, bool last, uint8_t *out, size_t capacity,
                           ImgBlockStarts *starts)
{
    if (capacity < IMG_PIECE_END_BYTES)
        return 0;
    Walk walk = start_walk(work, rows, data, size);
    ImgBits bits = {out, 0, 0};
    uint64_t room = 8 * (uint64_t)(capacity - IMG_PIECE_END_BYTES);
    img_block_starts_begin(starts, out);
    for (uint32_t at = 0, end; at < walk.size; at = end) {
        Tokens tokens;
        ImgBlockPlan plan;
        end = parse_block(&walk, at, &tokens);
        plan_block(&walk, at, &tokens, &plan);
        if (plan.bits > room)
            return 0;
        room -= plan.bits;
        img_block_starts_add(starts, &bits);
        img_block_put(&bits, &plan, data + at, tokens.sequences, tokens.count,
                      last && end == walk.size);
    }
    img_bits_end_piece(&bits, last);
    return (size_t)(bits.out - out);
}

size_t img_deflated_matches(ImgMatches *work, const ImgMatchRows *rows, const uint8_t *data,
                            size_t size)
{
    Walk walk = start_walk(work, rows, data, size);
    uint64_t bits = 0;
    for (uint32_t at = 0, end; at < walk.size; at = end) {
        Tokens tokens;
        ImgBlockPlan plan;
        end = parse_block(&walk, at, &tokens);
        plan_block(&walk, at, &tokens, &plan);
        bits += plan.bits;
    }
    return (size_t)((bits + 7) / 8);
}
