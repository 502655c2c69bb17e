/* Builds Huffman codes with two queues (van Leeuwen 1976). Codes longer than the limit are
 * shortened as in the JPEG standard (ITU-T T.81, K.2), with a change that keeps the code
 * complete. */
#include "io/png/deflate/huffman.h"

#include <stdbool.h>
#include <string.h>

enum {
    SYMBOL_BITS = 9,
    /* Bits of a digit in the radix sort. Each pass loops over the 64 values of a digit and over at
     * most 286 keys, so neither loop dominates. */
    DIGIT_BITS = 6,
    DIGITS = 1 << DIGIT_BITS,
    DEPTHS = 64,
};

/* Symbols sorted by count. Each key contains the count and, in its low bits, the symbol. So the
 * order of symbols with equal counts is defined. */
typedef struct Ranking {
    uint64_t keys[IMG_SYMBOLS];
    int count;
} Ranking;

/* Sorts the keys by count with a stable radix sort that starts at the lowest digit. */
static void sort(Ranking *ranking)
{
    uint64_t others[IMG_SYMBOLS], all = 0, *from = ranking->keys, *to = others;
    for (int i = 0; i < ranking->count; i++)
        all |= from[i];
    for (unsigned shift = SYMBOL_BITS; all >> shift != 0; shift += DIGIT_BITS) {
        int next[DIGITS] = {0};
        for (int i = 0; i < ranking->count; i++)
            next[from[i] >> shift & (DIGITS - 1)]++;
        for (int digit = 0, sum = 0; digit < DIGITS; digit++) {
            int here = next[digit];
            next[digit] = sum;
            sum += here;
        }
        for (int i = 0; i < ranking->count; i++)
            to[next[from[i] >> shift & (DIGITS - 1)]++] = from[i];
        uint64_t *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != ranking->keys)
        memcpy(ranking->keys, from, (size_t)ranking->count * sizeof *from);
}

/* Ensures that the ranking has at least two symbols: adds the first symbols that do not occur. */
static void add_missing(const uint32_t *counts, Ranking *ranking)
{
    for (unsigned i = 0; ranking->count < 2; i++)
        if (counts[i] == 0)
            ranking->keys[ranking->count++] = i;
}

/* Ranks the symbols that occur by their count. Writes the key of every symbol, but the next key
 * overwrites it if the symbol does not occur. This is faster than unpredictable branches. */
static void rank(const uint32_t *counts, int symbols, Ranking *ranking)
{
    int count = 0;
    for (int i = 0; i < symbols; i++) {
        ranking->keys[count] = (uint64_t)counts[i] << SYMBOL_BITS | (unsigned)i;
        count += counts[i] > 0;
    }
    ranking->count = count;
    if (count < 2)
        add_missing(counts, ranking);
    sort(ranking);
}

/* Counts the leaves of Huffman's tree at each depth. No leaf is deeper than 47: the sum of the
 * counts fits 32 bits, and a leaf at depth d requires a sum that grows with d as the Fibonacci
 * numbers do.
 *
 * Only the depths of inner nodes are computed. Each inner node has two children at the next depth;
 * the children that are not inner nodes are leaves. */
static void count_depths(const Ranking *ranking, int leaves_at[DEPTHS])
{
    /* Weights of the leaves, and weights of the inner nodes, each with a sentinel at the end. */
    uint64_t leaf_weights[IMG_SYMBOLS + 1], weights[IMG_SYMBOLS + 1] = {UINT64_MAX};
    int parent[IMG_SYMBOLS + 1] = {0}, depth[IMG_SYMBOLS], inner_at[DEPTHS] = {0};
    int leaves = ranking->count, leaf = 0, joined = 0, root = leaves - 2;
    for (int i = 0; i < leaves; i++)
        leaf_weights[i] = ranking->keys[i] >> SYMBOL_BITS;
    leaf_weights[leaves] = UINT64_MAX;
    for (int made = 0; made <= root; made++) {
        uint64_t weight = 0;
        for (int child = 0; child < 2; child++) {
            const bool is_leaf = leaf_weights[leaf] <= weights[joined];
            weight += is_leaf ? leaf_weights[leaf] : weights[joined];
            /* Sets the parent of inner node `joined`. If the child is a leaf, this value is
             * overwritten later. */
            parent[joined] = made;
            leaf += is_leaf;
            joined += !is_leaf;
        }
        weights[made] = weight;
        weights[made + 1] = UINT64_MAX;
    }
    depth[root] = 0;
    inner_at[0] = 1;
    for (int i = root - 1; i >= 0; i--) {
        depth[i] = depth[parent[i]] + 1;
        inner_at[depth[i]]++;
    }
    leaves_at[0] = 0;
    for (int i = 1; i < DEPTHS; i++)
        leaves_at[i] = 2 * inner_at[i - 1] - inner_at[i];
}

/* Limits the depth of leaves. First moves all deeper leaves up to the limit, which claims more
 * codes than exist. Each further step frees one code: a leaf above the limit moves down one level
 * and takes one of the deepest leaves as its sibling. */
static void limit_depths(int leaves_at[DEPTHS], int limit)
{
    int64_t claimed = 0;
    for (int depth = limit + 1; depth < DEPTHS; depth++)
        leaves_at[limit] += leaves_at[depth];
    for (int depth = 1; depth <= limit; depth++)
        claimed += (int64_t)leaves_at[depth] << (limit - depth);
    for (; claimed > INT64_C(1) << limit; claimed--) {
        int depth = limit - 1;
        while (leaves_at[depth] == 0)
            depth--;
        leaves_at[depth]--;
        leaves_at[depth + 1] += 2;
        leaves_at[limit]--;
    }
}

void img_huffman_lengths(const uint32_t *counts, int symbols, int limit, uint8_t *lengths)
{
    Ranking ranking;
    int leaves_at[DEPTHS], next = 0;
    rank(counts, symbols, &ranking);
    count_depths(&ranking, leaves_at);
    limit_depths(leaves_at, limit);
    memset(lengths, 0, (size_t)symbols);
    for (int depth = limit; depth > 0; depth--)
        for (int i = 0; i < leaves_at[depth] && next < ranking.count; i++)
            lengths[ranking.keys[next++] & ((1 << SYMBOL_BITS) - 1)] = (uint8_t)depth;
}

static uint16_t reversed(unsigned code, int length)
{
    code = (code & 0x5555) << 1 | (code >> 1 & 0x5555);
    code = (code & 0x3333) << 2 | (code >> 2 & 0x3333);
    code = (code & 0x0F0F) << 4 | (code >> 4 & 0x0F0F);
    code = (code & 0x00FF) << 8 | (code >> 8 & 0x00FF);
    return (uint16_t)(code >> (16 - length));
}

void img_huffman_codes(const uint8_t *lengths, int symbols, uint16_t *codes)
{
    unsigned of_length[IMG_CODE_MOST + 1] = {0}, next[IMG_CODE_MOST + 1];
    for (int i = 0; i < symbols; i++)
        of_length[lengths[i]]++;
    unsigned code = 0;
    for (int length = 1; length <= IMG_CODE_MOST; length++) {
        next[length] = code;
        code = (code + of_length[length]) << 1;
    }
    for (int i = 0; i < symbols; i++)
        codes[i] = lengths[i] == 0 ? 0 : reversed(next[lengths[i]]++, lengths[i]);
}
