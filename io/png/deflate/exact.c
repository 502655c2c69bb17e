/* Divides the data into segments, for which memory is bounded. Matches reach back over the start of
 * a segment, but do not cross its end. */
#include "io/png/deflate/exact.h"

#include <stdlib.h>
#include <string.h>

#include "io/png/deflate/exact_matches.h"
#include "io/png/deflate/exact_parse.h"
#include "io/png/deflate/exact_split.h"

enum {
    SEGMENT = 1 << 19, /* largest number of bytes in a segment */
    /* Capacity for matches. A segment with more ends earlier. */
    MATCHES_PER_BYTE = 8,
    /* Number of rounds without a smaller result after which the costs become exact, and after which
     * exact costs end the search. */
    STALE_MOST = 2,
};

struct ImgExact {
    ImgExactFinder finder;
    ImgExactMatches matches;
    ImgExactPaths paths;
    ImgExactSymbol *best; /* symbols of the smallest parse so far */
    ImgExactSplit split, best_split;
    ImgExactCosts costs[IMG_EXACT_BLOCKS];
};

ImgExactEffort img_exact_effort(int effort)
{
    static const ImgExactEffort EFFORTS[IMG_EXACT_EFFORTS] = {
        {1, 64, 32}, {2, 300, 64}, {5, 1000, 96}, {15, 2000, 128}};
    return EFFORTS[effort - 1];
}

static size_t segment_bytes(size_t size)
{
    return size < SEGMENT ? size : SEGMENT;
}

static size_t matches_room(size_t size)
{
    return segment_bytes(size) * MATCHES_PER_BYTE + IMG_EXACT_POSITION_MOST_MATCHES;
}

size_t img_exact_bytes(size_t size)
{
    const size_t positions = segment_bytes(size) + 1;
    return sizeof(ImgExact) + 4 * positions * sizeof(uint32_t) +
           matches_room(size) * sizeof(ImgExactSymbol);
}

ImgExact *img_exact_create(size_t size)
{
    ImgExact *work = malloc(sizeof *work);
    if (work == NULL)
        return NULL;
    const size_t positions = segment_bytes(size) + 1;
    work->matches.room = matches_room(size);
    work->matches.matches = malloc(work->matches.room * sizeof(ImgExactSymbol));
    work->matches.starts = malloc(positions * sizeof(uint32_t));
    work->paths.totals = malloc(positions * sizeof(int32_t));
    work->paths.symbols = malloc(positions * sizeof(ImgExactSymbol));
    work->best = malloc(positions * sizeof(ImgExactSymbol));
    img_exact_split_create(&work->split);
    if (work->matches.matches != NULL && work->matches.starts != NULL &&
        work->paths.totals != NULL && work->paths.symbols != NULL && work->best != NULL)
        return work;
    img_exact_free(work);
    return NULL;
}

void img_exact_free(ImgExact *work)
{
    if (work == NULL)
        return;
    free(work->matches.matches);
    free(work->matches.starts);
    free(work->paths.totals);
    free(work->paths.symbols);
    free(work->best);
    free(work);
}

/* Parses a segment with the costs of each block of the division before. Returns the number of
 * symbols. */
static uint32_t parse(ImgExact *work, const uint8_t *data, uint32_t size)
{
    work->paths.totals[size] = 0;
    for (uint32_t i = work->split.count; i-- > 0;) {
        const ImgExactBlock *block = &work->split.blocks[i];
        img_exact_parse(data, &work->matches, &work->costs[i], block->start, block->end, size,
                        &work->paths);
    }
    return img_exact_follow(&work->paths, size);
}

/* Counts the bytes of a block as literals. Returns true if the block without matches is smaller
 * than the block that the parse gives. Such a parse uses too many short matches, and with the costs
 * of its own symbols it would use them again. */
static bool is_smaller_without_matches(const ImgExactBlock *block, const uint8_t *data,
                                       ImgBlockCounts *counts)
{
    ImgExactPlan plan;
    *counts = (ImgBlockCounts){.literals = {[IMG_END_OF_BLOCK] = 1}};
    for (uint32_t i = block->start; i < block->end; i++)
        counts->literals[data[i]]++;
    img_exact_plan(counts, block->end - block->start, &plan);
    return plan.codes.bits < block->plan.codes.bits;
}

/* Sets the costs for the next parse: first the information of the symbols, which lets their use
 * change most, and at last the real code lengths, with which no parse is larger than the one
 * before, except for its headers. */
static void set_costs(ImgExact *work, const uint8_t *data, bool exact)
{
    for (uint32_t i = 0; i < work->split.count; i++) {
        const ImgExactBlock *block = &work->split.blocks[i];
        ImgBlockCounts literals;
        if (is_smaller_without_matches(block, data, &literals))
            img_exact_costs_of_counts(&literals, &work->costs[i]);
        else if (exact || block->plan.kind == IMG_EXACT_FIXED)
            img_exact_costs_of_codes(&block->plan.codes, &work->costs[i]);
        else
            img_exact_costs_of_counts(&block->counts, &work->costs[i]);
    }
}

/* Keeps a parse of `count` symbols if it is the smallest. Returns true if it is. */
static bool keep_best(ImgExact *work, uint32_t count)
{
    if (work->split.bits >= work->best_split.bits)
        return false;
    memcpy(work->best, work->paths.symbols, count * sizeof *work->best);
    memcpy(work->best_split.blocks, work->split.blocks,
           work->split.count * sizeof *work->split.blocks);
    work->best_split.count = work->split.count;
    work->best_split.bits = work->split.bits;
    return true;
}

/* Finds the smallest parse of a segment. */
static void optimize(ImgExact *work, const ImgExactEffort *effort, const uint8_t *data,
                     uint32_t size)
{
    work->best_split.bits = UINT64_MAX;
    work->split.count = 1;
    work->split.blocks[0].start = 0;
    work->split.blocks[0].end = size;
    img_exact_costs_of_bytes(data, size, &work->costs[0]);
    uint32_t stale = 0; /* number of rounds since the smallest one, or since the costs are exact */
    bool exact = false;
    for (uint32_t round = 0; round <= effort->rounds; round++) {
        const uint32_t count = parse(work, data, size);
        img_exact_split(&work->split, work->paths.symbols, count, effort->fine);
        stale = keep_best(work, count) ? 0 : stale + 1;
        if (stale == STALE_MOST && exact)
            break;
        if (stale == STALE_MOST || round >= 2 * effort->rounds / 3) {
            stale = exact ? stale : 0;
            exact = true;
        }
        set_costs(work, data, exact);
    }
}

/* Writes the blocks of a segment. Returns false if the output has no room. */
static bool put_segment(ImgExact *work, const uint8_t *data, bool last, ImgBits *bits,
                        uint64_t *room)
{
    const ImgExactSplit *split = &work->best_split;
    if (split->bits > *room)
        return false;
    *room -= split->bits;
    for (uint32_t i = 0; i < split->count; i++) {
        const ImgExactBlock *block = &split->blocks[i];
        img_exact_put(bits, &block->plan, data + block->start, block->end - block->start,
                      work->best + block->from, block->to - block->from,
                      last && i + 1 == split->count);
    }
    return true;
}

size_t img_deflate_exact(ImgExact *work, const ImgExactEffort *effort, const uint8_t *data,
                         size_t size, bool last, uint8_t *out, size_t capacity)
{
    ImgBits bits = {out, 0, 0};
    if (capacity < IMG_PIECE_END_BYTES)
        return 0;
    uint64_t room = (uint64_t)(capacity - IMG_PIECE_END_BYTES) * 8;
    img_exact_finder_begin(&work->finder, data, size);
    for (uint32_t from = 0; from < size;) {
        const size_t left = size - from;
        const uint32_t count = img_exact_find(&work->finder, from, (uint32_t)segment_bytes(left),
                                              effort->depth, &work->matches);
        optimize(work, effort, data + from, count);
        if (!put_segment(work, data + from, last && count == left, &bits, &room))
            return 0;
        from += count;
    }
    if (size == 0 && last)
        img_bits_put(&bits, 3, 10); /* an empty block with fixed codes */
    img_bits_end_piece(&bits, last);
    return (size_t)(bits.out - out);
}
