#include "io/png/encode/estimate.h"

#include <stdbool.h>
#include <string.h>

#include "io/bytes.h"
#include "io/png/deflate/equal_bytes.h"

/* --- Estimate for runs ------------------------------------------------------------------------ */

uint32_t img_estimate_runs(ImgEstimator *estimator, const uint8_t *data, size_t size)
{
    ImgRunsBlock *block = &estimator->block;
    uint32_t counts[IMG_LITERALS] = {0}, matches = 0, literals = (uint32_t)size;
    *block = (ImgRunsBlock){data, 0, (uint32_t)size, estimator->runs, 0};
    estimator->loops->find(block);
    estimator->loops->count(block, IMG_ESTIMATE_COUNTED, counts);
    for (size_t i = 0; i < block->count; i++) {
        matches += img_matches_of_run(block->runs[i].length);
        literals -= block->runs[i].length;
    }
    estimator->literals = literals;
    uint32_t bits = 0;
    for (int byte = 0; byte < IMG_LITERALS; byte++) {
        const uint32_t cost = img_estimate_cost(literals + matches, counts[byte]);
        estimator->costs[byte] =
            cost > IMG_ESTIMATE_LITERAL_LEAST ? cost : IMG_ESTIMATE_LITERAL_LEAST;
        bits += counts[byte] * estimator->costs[byte];
    }
    estimator->run_cost = img_estimate_cost(literals + matches, matches) + IMG_ESTIMATE_DISTANCE;
    return bits + matches * estimator->run_cost;
}

/* --- Estimate for matches --------------------------------------------------------------------- */

/* Iterates over the positions of a window that are outside runs of equal bytes. */
typedef struct Cursor {
    uint32_t at;
    size_t run; /* index of the first run that starts at position `at` or later */
} Cursor;

/* Returns the end of the literals that start at the cursor. It is the start of the next run, or the
 * end of the data. */
static inline uint32_t end_of_literals(const ImgRunsBlock *block, const Cursor *cursor)
{
    return cursor->run < block->count ? block->runs[cursor->run].start : block->to;
}

static inline void skip_run(const ImgRunsBlock *block, Cursor *cursor)
{
    const ImgRun *run = &block->runs[cursor->run++];
    cursor->at = run->start + run->length;
}

/* Enters the positions outside runs, from the cursor up to `to`, in the table. */
static void enter(ImgEstimator *estimator, Cursor *cursor, uint32_t to)
{
    const ImgRunsBlock *block = &estimator->block;
    while (cursor->at < to) {
        uint32_t end = end_of_literals(block, cursor);
        const bool is_run = end <= to && cursor->run < block->count;
        end = end < to ? end : to;
        for (uint32_t at = cursor->at; at < end; at++)
            estimator->places[img_estimate_slot(img_get_le64(block->data + at))] = (uint16_t)at;
        cursor->at = end;
        if (is_run)
            skip_run(block, cursor);
    }
}

/* Returns the distance in bytes from `at` to an earlier position with the same eight bytes. Tries
 * the row above, then the table. Returns 0 if there is no such position. */
static inline uint32_t distance_of(const ImgEstimator *estimator, uint32_t at, uint32_t stride)
{
    const uint8_t *data = estimator->block.data;
    const uint64_t word = img_get_le64(data + at);
    if (at >= stride && word == img_get_le64(data + at - stride))
        return stride;
    const uint32_t place = estimator->places[img_estimate_slot(word)];
    return word == img_get_le64(data + place) ? at - place : 0;
}

/* Returns the cost, in sixteenths of a bit, of the bytes from the cursor to `end` if they are
 * encoded as literals and matches at distance 1. */
static uint32_t cost_of(const ImgEstimator *estimator, Cursor cursor, uint32_t end)
{
    const ImgRunsBlock *block = &estimator->block;
    uint32_t cost = 0;
    while (cursor.at < end) {
        const uint32_t to = end_of_literals(block, &cursor);
        for (; cursor.at < to && cursor.at < end; cursor.at++)
            cost += estimator->costs[block->data[cursor.at]];
        if (cursor.at < end) {
            cost += estimator->run_cost;
            skip_run(block, &cursor);
        }
    }
    return cost;
}

/* Returns the number of bits that a match at the cursor saves. If it saves any, sets `*end` to the
 * end of the match. */
static uint32_t take_match(const ImgEstimator *estimator, Cursor cursor, uint32_t distance,
                           uint32_t *end)
{
    const ImgRunsBlock *block = &estimator->block;
    const uint8_t *here = block->data + cursor.at;
    const uint32_t left = block->to - cursor.at;
    const uint32_t most = left < IMG_ESTIMATE_LENGTH_MOST ? left : IMG_ESTIMATE_LENGTH_MOST;
    const uint32_t behind =
        cursor.at + img_equal_length(here, here - distance, IMG_ESTIMATE_WORD, most);
    const uint32_t saved = img_estimate_saved(cost_of(estimator, cursor, behind));
    *end = saved > 0 ? behind : *end;
    return saved;
}

/* Returns the end of the positions that are looked up in the table (estimate_rule.h, step 3). */
static uint32_t end_of_lookups(const ImgRunsBlock *block)
{
    const uint32_t words = block->to < IMG_ESTIMATE_WORD ? 0 : block->to - IMG_ESTIMATE_WORD + 1;
    uint32_t literals = 0;
    for (Cursor cursor = {0, 0};; skip_run(block, &cursor)) {
        const uint32_t here = end_of_literals(block, &cursor) - cursor.at;
        if (literals + here >= IMG_ESTIMATE_LITERALS) {
            const uint32_t last = cursor.at + IMG_ESTIMATE_LITERALS - literals - 1;
            const uint32_t end = (last | (IMG_ESTIMATE_GROUP - 1)) + 1;
            return end < words ? end : words;
        }
        literals += here;
        if (cursor.run == block->count)
            return words;
    }
}

static inline uint32_t next_looked_up(uint32_t at)
{
    return (at + IMG_ESTIMATE_EVERY - 1) / IMG_ESTIMATE_EVERY * IMG_ESTIMATE_EVERY;
}

uint32_t img_estimate_matches(ImgEstimator *estimator, uint32_t stride)
{
    const ImgRunsBlock *block = &estimator->block;
    const uint32_t words = end_of_lookups(block);
    Cursor cursor = {0, 0}, entered = {0, 0};
    uint32_t saved = 0, taken = 0; /* saved bits of all matches; end of the last match used */
    memset(estimator->places, 0, sizeof estimator->places);
    for (;; skip_run(block, &cursor)) {
        uint32_t end = end_of_literals(block, &cursor);
        end = end < words ? end : words;
        uint32_t at = cursor.at > taken ? cursor.at : taken;
        for (at = next_looked_up(at); at < end; at += IMG_ESTIMATE_EVERY) {
            if (at - at % IMG_ESTIMATE_STEP > entered.at)
                enter(estimator, &entered, at - at % IMG_ESTIMATE_STEP);
            const uint32_t distance = distance_of(estimator, at, stride);
            if (distance == 0)
                continue;
            saved += take_match(estimator, (Cursor){at, cursor.run}, distance, &taken);
            if (taken > at)
                at = next_looked_up(taken) - IMG_ESTIMATE_EVERY;
        }
        if (end >= words || cursor.run == block->count)
            break;
    }
    return img_estimate_of_all(saved, estimator->literals);
}
