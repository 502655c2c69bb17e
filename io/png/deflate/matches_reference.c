/* Deflates with plain code that follows match_rule.h step by step for each position. Tests compare
 * the faster code with it. */
#include <stdlib.h>

#include "io/png/deflate/matches.h"
#include "io/png/deflate/sequences.h"

typedef struct Match {
    uint32_t length, distance; /* length and distance in bytes; both are 0 if there is no match */
    int32_t gain;
} Match;

typedef struct Search {
    const ImgMatchRows *rows;
    const uint8_t *data;
    /* `size`: bytes of data. `words`: number of positions with at least eight bytes left. */
    uint32_t size, words;
    uint32_t costs[256];
    /* Last position entered in each slot of the table; -1 if none. */
    int32_t slots[IMG_MATCH_SLOTS];
    Match *matches; /* the match that was found at each position */
} Search;

static bool is_in_run(const Search *search, uint32_t at)
{
    const uint32_t pixel = search->rows->pixel;
    const uint8_t *here = search->data + at;
    return at >= pixel && img_get_le64(here) == img_get_le64(here - pixel);
}

static void count_literals(Search *search)
{
    uint32_t counts[256] = {0}, all = 0;
    for (uint32_t at = 0; at < search->words; at++) {
        if (at % IMG_MATCH_COUNTED_OF >= IMG_MATCH_COUNTED || is_in_run(search, at))
            continue;
        counts[search->data[at]]++;
        all++;
    }
    for (int byte = 0; byte < 256; byte++)
        search->costs[byte] = img_literal_cost(all, counts[byte]);
}

static void consider(const Search *search, uint32_t at, uint32_t distance, uint32_t least,
                     Match *best)
{
    const uint8_t *here = search->data + at;
    uint32_t most = search->size - at, length = 0, saved = 0;
    most = most < IMG_MATCH_MOST ? most : IMG_MATCH_MOST;
    if (distance > at || distance > IMG_MATCH_REACH)
        return;
    while (length < most && here[length] == (here - distance)[length])
        saved += search->costs[here[length++]];
    if (length < least || length < best->length)
        return;
    int32_t gain = (int32_t)saved - (int32_t)img_match_length_cost(length) -
                   (int32_t)img_match_distance_cost(distance, search->rows->pixel);
    if (gain > best->gain)
        *best = (Match){length, distance, gain};
}

static uint32_t slot_of(const Search *search, uint32_t at)
{
    return img_match_slot(img_get_le64(search->data + at), img_match_factor(search->rows->hashed));
}

static Match match_at(const Search *search, uint32_t at)
{
    const ImgMatchRows *rows = search->rows;
    Match best = {0, 0, 0};
    consider(search, at, rows->pixel, IMG_MATCH_LEAST, &best);
    consider(search, at, rows->stride, rows->hashed, &best);
    consider(search, at, 1, IMG_MATCH_LEAST, &best);
    if (!is_in_run(search, at) && search->slots[slot_of(search, at)] >= 0)
        consider(search, at, at - (uint32_t)search->slots[slot_of(search, at)], rows->hashed,
                 &best);
    return best;
}

static void find_matches(Search *search)
{
    for (int i = 0; i < IMG_MATCH_SLOTS; i++)
        search->slots[i] = -1;
    for (uint32_t group = 0; group < search->words; group += IMG_MATCH_GROUP) {
        uint32_t end =
            search->words - group < IMG_MATCH_GROUP ? search->words : group + IMG_MATCH_GROUP;
        for (uint32_t at = group; at < end; at++)
            search->matches[at] = match_at(search, at);
        for (uint32_t at = group; at < end; at++)
            if (!is_in_run(search, at))
                search->slots[slot_of(search, at)] = (int32_t)at;
    }
}

/* Returns true if step 6 of match_rule.h uses the match. Also reads the match of the next position,
 * so the array has one more element than there are positions. */
static bool is_taken(const Match *match)
{
    return match->gain > 0 && (match->length == IMG_MATCH_MOST || match[1].gain <= match->gain);
}

/* Selects the tokens of the block that begins at `*at`, and stores them in `sequences`. Returns the
 * number of sequences. Sets `*at` to the end of the block. */
static size_t parse_block(const Search *search, uint32_t *at, ImgSequence *sequences)
{
    size_t count = 0;
    uint32_t literals = 0, tokens = 0, segment = *at / IMG_MATCH_SEGMENT;
    while (*at < search->size) {
        if (*at / IMG_MATCH_SEGMENT != segment && tokens >= IMG_MATCH_BLOCK_TOKENS)
            break;
        segment = *at / IMG_MATCH_SEGMENT;
        const Match *match = &search->matches[*at];
        tokens++;
        if (is_taken(match)) {
            sequences[count++] =
                (ImgSequence){literals, (uint16_t)match->length, (uint16_t)match->distance};
            literals = 0;
            *at += match->length;
        } else {
            literals++;
            *at += 1;
        }
    }
    if (literals > 0)
        sequences[count++] = (ImgSequence){literals, 0, 0};
    return count;
}

static size_t put_blocks(const Search *search, ImgSequence *sequences, bool last, uint8_t *out,
                         size_t capacity, ImgBlockStarts *starts)
{
    ImgBits bits = {out, 0, 0};
    uint64_t room = 8 * (uint64_t)(capacity - IMG_PIECE_END_BYTES);
    img_block_starts_begin(starts, out);
    for (uint32_t at = 0, end = 0; at < search->size; at = end) {
        size_t count = parse_block(search, &end, sequences);
        ImgBlockCounts counts;
        ImgBlockPlan plan;
        img_block_count(search->data + at, sequences, count, &counts);
        img_block_plan(&counts, &plan);
        if (plan.bits > room)
            return 0;
        room -= plan.bits;
        img_block_starts_add(starts, &bits);
        img_block_put(&bits, &plan, search->data + at, sequences, count,
                      last && end == search->size);
    }
    img_bits_end_piece(&bits, last);
    return (size_t)(bits.out - out);
}

size_t img_deflate_matches_reference(const ImgMatchRows *rows, const uint8_t *data, size_t size,
                                     bool last, uint8_t *out, size_t capacity,
                                     ImgBlockStarts *starts)
{
    Search *search = calloc(1, sizeof *search);
    ImgSequence *sequences = calloc(size + 1, sizeof *sequences);
    Match *matches = calloc(size + 1, sizeof *matches);
    size_t made = 0;
    if (search != NULL && sequences != NULL && matches != NULL && capacity >= IMG_PIECE_END_BYTES) {
        *search = (Search){.rows = rows, .data = data, .size = (uint32_t)size, .matches = matches};
        search->words = size < IMG_MATCH_WORD ? 0 : (uint32_t)size - IMG_MATCH_WORD + 1;
        count_literals(search);
        find_matches(search);
        made = put_blocks(search, sequences, last, out, capacity, starts);
    }
    free(matches);
    free(sequences);
    free(search);
    return made;
}
