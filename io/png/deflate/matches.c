/* match_rule.h in one walk through the data. Some questions have the same answer whatever is taken:
 * which bytes are equal to those a pixel, a row or a byte back, and where the table leads. They are
 * asked for a whole group at once, and the answers are bits. So the walk skips to the next position
 * that may have a match. Groups that a match covers are only entered.
 *
 * Slots hold the low 16 bits of positions. Before they could be mistaken for others, every
 * SWEEP positions, those too far back are made to lead nowhere. */
#include "io/png/deflate/matches.h"

#include <stdlib.h>
#include <string.h>

#include "io/png/deflate/equal_bytes.h"
#include "io/png/deflate/sequences.h"

enum {
    SWEEP = 1 << 14,
    /* From a sweep on: more than IMG_MATCH_REACH back until the next, and then as well. */
    NOWHERE_AHEAD = SWEEP + (1 << 13),
    SUMS = 1 << 13, /* more than a segment and what its matches may reach beyond it */
    SUMS_AHEAD = IMG_MATCH_MOST + IMG_MATCH_WORD,
    SEQUENCES = IMG_MATCH_BLOCK_TOKENS + IMG_MATCH_SEGMENT + 1,
    FIXED = 3, /* distances: a pixel, a row, a byte */
};

/* What is known of a group of positions: bit i is that of the group's position i. */
typedef struct Group {
    uint64_t equal[FIXED]; /* bytes to those at each fixed distance; of IMG_EQUAL_BYTES positions */
    uint32_t starts[FIXED];         /* of candidates there */
    uint32_t found;                 /* in the table */
    uint32_t candidates;            /* any */
    uint16_t back[IMG_MATCH_GROUP]; /* to what was found */
} Group;

struct ImgMatches {
    uint16_t slots[IMG_MATCH_SLOTS];
    uint8_t costs[256];
    uint16_t length_costs[IMG_MATCH_MOST + 1];
    uint16_t sums[SUMS]; /* of costs of all bytes before, by position; modulo 2^16 */
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
    uint64_t factor;      /* of hashes */
    uint32_t size, words; /* positions with a whole word */
    uint32_t ready;       /* groups before it are known and entered */
    uint32_t summed;      /* sums up to it are known */
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
static uint64_t equal_back(const Walk *walk, uint32_t at, uint32_t distance)
{
    const uint8_t *data = walk->data;
    if (at >= distance && walk->size - at >= IMG_EQUAL_BYTES)
        return img_equal_64(data + at, data + at - distance);
    uint64_t equal = 0;
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
        walk->work->costs[byte] = (uint8_t)img_literal_cost(all, counts[byte]);
}

/* Sums up to `to`. Where eight bytes are the same, so are the steps. */
static void add_sums(Walk *walk, uint32_t to)
{
    typedef uint16_t Sums __attribute__((vector_size(16)));
    const Sums steps = {0, 1, 2, 3, 4, 5, 6, 7};
    const uint8_t *costs = walk->work->costs, *data = walk->data;
    uint16_t *sums = walk->work->sums;
    uint32_t at = walk->summed, end = to < walk->size ? to : walk->size;
    uint16_t sum = sums[at % SUMS];
    for (; at < end && (at % 8 != 0 || end - at < 8); at++) {
        sums[at % SUMS] = sum;
        sum = (uint16_t)(sum + costs[data[at]]);
    }
    for (; end - at >= 8; at += 8) {
        const uint64_t word = img_get_le64(data + at);
        uint16_t *out = sums + at % SUMS;
        if (word == (word & 255) * UINT64_C(0x0101010101010101)) {
            const uint16_t cost = costs[word & 255];
            const Sums eight = sum + steps * cost;
            memcpy(out, &eight, sizeof eight);
            sum = (uint16_t)(sum + 8 * cost);
            continue;
        }
        for (int i = 0; i < 8; i++) {
            out[i] = sum;
            sum = (uint16_t)(sum + costs[data[at + (uint32_t)i]]);
        }
    }
    for (; at < end; at++) {
        sums[at % SUMS] = sum;
        sum = (uint16_t)(sum + costs[data[at]]);
    }
    sums[at % SUMS] = sum;
    walk->summed = at;
}

/* --- Groups ------------------------------------------------------------------------------------
 */

static void sweep(uint16_t *slots, uint32_t at)
{
    for (int i = 0; i < IMG_MATCH_SLOTS; i++) {
        const uint16_t age = (uint16_t)(at - slots[i] - 1);
        slots[i] = age < IMG_MATCH_REACH ? slots[i] : (uint16_t)(at + NOWHERE_AHEAD);
    }
}

static inline uint32_t slot_of(const Walk *walk, uint32_t at)
{
    return img_match_slot(img_get_le64(walk->data + at), walk->factor);
}

static void enter(const Walk *walk, uint32_t at, uint32_t outside)
{
    for (uint32_t left = outside; left != 0; left &= left - 1) {
        const uint32_t here = at + first_bit(left);
        walk->work->slots[slot_of(walk, here)] = (uint16_t)here;
    }
}

/* Looks all positions up and then enters them. */
static uint32_t look_up(const Walk *walk, uint32_t at, uint32_t outside, uint16_t *back)
{
    uint16_t *table = walk->work->slots, slots[IMG_MATCH_GROUP];
    const uint64_t hashed = UINT64_MAX >> 8 * (IMG_MATCH_WORD - walk->rows->hashed);
    uint32_t found = 0;
    for (uint32_t left = outside; left != 0; left &= left - 1) {
        const uint32_t i = first_bit(left), slot = slot_of(walk, at + i);
        const uint8_t *here = walk->data + at + i;
        const uint16_t distance = (uint16_t)(at + i - table[slot]);
        const uint32_t reached = (uint16_t)(distance - 1) < IMG_MATCH_REACH;
        const uint32_t there = distance & (0 - reached); /* without a branch */
        const uint64_t unlike = img_get_le64(here) ^ img_get_le64(here - there);
        slots[i] = (uint16_t)slot;
        back[i] = distance;
        found |= (reached & ((unlike & hashed) == 0)) << i;
    }
    for (uint32_t left = outside; left != 0; left &= left - 1)
        table[slots[first_bit(left)]] = (uint16_t)(at + first_bit(left));
    return found;
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
    const uint32_t at = walk->ready;
    Group *group = &walk->work->groups[at / IMG_MATCH_GROUP % 2];
    if (at % SWEEP == 0 && at > 0)
        sweep(walk->work->slots, at);
    walk->ready += IMG_MATCH_GROUP;
    group->equal[0] = equal_back(walk, at, walk->rows->pixel);
    const uint32_t outside = outside_runs(walk, at, group->equal[0]);
    if (from >= walk->ready) {
        enter(walk, at, outside);
        return;
    }
    group->equal[1] =
        walk->rows->stride <= IMG_MATCH_REACH ? equal_back(walk, at, walk->rows->stride) : 0;
    group->equal[2] = walk->rows->pixel != 1 ? equal_back(walk, at, 1) : 0;
    group->found = look_up(walk, at, outside, group->back);
    uint32_t any = group->found;
    for (int i = 0; i < FIXED; i++) {
        const uint32_t least = i == 1 ? walk->rows->hashed : IMG_MATCH_LEAST;
        group->starts[i] = (uint32_t)starts_of(group->equal[i], least);
        any |= group->starts[i];
    }
    group->candidates = any & positions_of(walk, at);
}

static inline const Group *group_of(Walk *walk, uint32_t at)
{
    while (walk->ready <= at)
        add_group(walk, at);
    return &walk->work->groups[at / IMG_MATCH_GROUP % 2];
}

/* --- Matches -----------------------------------------------------------------------------------
 */

static inline int32_t gain_of(const Walk *walk, uint32_t at, uint32_t distance, uint32_t length)
{
    const uint16_t *sums = walk->work->sums;
    const uint16_t saved = (uint16_t)(sums[(at + length) % SUMS] - sums[at % SUMS]);
    return (int32_t)saved - walk->work->length_costs[length] -
           (int32_t)img_match_distance_cost(distance, walk->rows->pixel);
}

/* The better one, the first of equals. */
static inline Match better(const Walk *walk, uint32_t at, Match best, uint32_t distance,
                           uint32_t length)
{
    if (length < best.length)
        return best;
    const int32_t gain = gain_of(walk, at, distance, length);
    return gain > best.gain ? (Match){length, distance, gain} : best;
}

static inline __attribute__((always_inline)) Match match_at(Walk *walk, uint32_t at)
{
    const Group *group = group_of(walk, at);
    const uint32_t i = at % IMG_MATCH_GROUP, left = walk->size - at;
    const uint32_t most = left < IMG_MATCH_MOST ? left : IMG_MATCH_MOST;
    const uint32_t fixed[FIXED] = {walk->rows->pixel, walk->rows->stride, 1};
    const uint8_t *here = walk->data + at;
    Match best = {0, 0, 0};
    if ((group->candidates >> i & 1) == 0)
        return best;
    for (int k = 0; k < FIXED; k++) {
        if ((group->starts[k] >> i & 1) == 0)
            continue;
        const uint64_t equal = group->equal[k] >> i;
        const uint32_t known =
            equal == UINT64_MAX ? IMG_EQUAL_BYTES : (uint32_t)__builtin_ctzll(~equal);
        uint32_t length = known < most ? known : most;
        if (known >= IMG_EQUAL_BYTES - i)
            length = img_equal_length(here, here - fixed[k], length, most);
        best = better(walk, at, best, fixed[k], length);
        if (k == 0 && best.length == most)
            return best; /* nothing is longer, or costs less */
    }
    if ((group->found >> i & 1) != 0) {
        const uint32_t distance = group->back[i];
        const uint32_t length = img_equal_length(here, here - distance, walk->rows->hashed, most);
        best = better(walk, at, best, distance, length);
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
        const Match next = match_at(walk, at + 1);
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

/* From `at` on to the first token behind the segment. */
static uint32_t parse_segment(Walk *walk, uint32_t at, Tokens *tokens)
{
    uint32_t end = (at | (IMG_MATCH_SEGMENT - 1)) + 1;
    end = end < walk->size ? end : walk->size;
    add_sums(walk, end + SUMS_AHEAD);
    while ((at = skip_literals(walk, at, end, tokens)) < end) {
        const Match match = match_at(walk, at);
        if (match.gain > 0) {
            at = take(walk, at, match, end, tokens);
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
    for (int i = 0; i < IMG_MATCH_SLOTS; i++)
        work->slots[i] = NOWHERE_AHEAD;
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
