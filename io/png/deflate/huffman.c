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

/* --- Code lengths in the header of a block ---------------------------------------------------- */

/* Encodes the code lengths first as run lengths, which are then Huffman coded. */
enum {
    LENGTH_SYMBOLS = 19,
    LENGTH_LIMIT = 7,
    REPEAT = 16,     /* symbol that repeats the previous code length 3 to 6 times */
    ZEROS = 17,      /* symbol for 3 to 10 code lengths of zero */
    MANY_ZEROS = 18, /* symbol for 11 to 138 code lengths of zero */
    LEAST_LITERALS = 257,
    LEAST_LENGTH_CODES = 4,
};

/* The order in which the header lists the code lengths of the 19 symbols (RFC 1951, 3.2.7). */
static const uint8_t ORDER[LENGTH_SYMBOLS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                              11, 4,  12, 3, 13, 2, 14, 1, 15};

typedef struct Header {
    /* Numbers of code lengths in the header: of the literals and lengths, of the distances, and of
     * the 19 symbols. */
    int literals, distances, length_codes;
    /* The symbols, 0 to 18, that encode all code lengths of the block, in order. */
    uint8_t symbols[IMG_SYMBOLS + IMG_DISTANCES];
    /* The value of each symbol's extra bits: its repeat count minus the smallest possible count. */
    uint8_t extra[IMG_SYMBOLS + IMG_DISTANCES];
    int count; /* number of entries in `symbols` and in `extra` */
    /* Lengths in bits of the codes for symbols 0 to 18. */
    uint8_t lengths[LENGTH_SYMBOLS];
    uint16_t codes[LENGTH_SYMBOLS];
} Header;

static const uint8_t EXTRA_BITS[LENGTH_SYMBOLS] = {[REPEAT] = 2, [ZEROS] = 3, [MANY_ZEROS] = 7};

static void add(Header *header, int symbol, int extra)
{
    header->symbols[header->count] = (uint8_t)symbol;
    header->extra[header->count++] = (uint8_t)extra;
}

static void add_zeros(Header *header, int zeros)
{
    while (zeros >= 3) {
        int most = zeros > 10 ? 138 : 10, least = zeros > 10 ? 11 : 3;
        int here = zeros < most ? zeros : most;
        add(header, zeros > 10 ? MANY_ZEROS : ZEROS, here - least);
        zeros -= here;
    }
    for (; zeros > 0; zeros--)
        add(header, 0, 0);
}

static void add_same(Header *header, int length, int times)
{
    add(header, length, 0);
    for (times--; times >= 3;) {
        int here = times < 6 ? times : 6;
        add(header, REPEAT, here - 3);
        times -= here;
    }
    for (; times > 0; times--)
        add(header, length, 0);
}

static int stated(const uint8_t *lengths, int count, int least)
{
    while (count > least && lengths[count - 1] == 0)
        count--;
    return count;
}

static void plan(const uint8_t *literals, const uint8_t *distances, Header *header)
{
    uint8_t all[IMG_SYMBOLS + IMG_DISTANCES];
    uint32_t counts[LENGTH_SYMBOLS] = {0};
    header->count = 0;
    header->literals = stated(literals, IMG_SYMBOLS, LEAST_LITERALS);
    header->distances = stated(distances, IMG_DISTANCES, 1);
    memcpy(all, literals, (size_t)header->literals);
    memcpy(all + header->literals, distances, (size_t)header->distances);
    for (int i = 0, end = header->literals + header->distances; i < end;) {
        int start = i;
        while (i < end && all[i] == all[start])
            i++;
        if (all[start] == 0)
            add_zeros(header, i - start);
        else
            add_same(header, all[start], i - start);
    }
    for (int i = 0; i < header->count; i++)
        counts[header->symbols[i]]++;
    img_huffman_lengths(counts, LENGTH_SYMBOLS, LENGTH_LIMIT, header->lengths);
    img_huffman_codes(header->lengths, LENGTH_SYMBOLS, header->codes);
    header->length_codes = LENGTH_SYMBOLS;
    while (header->length_codes > LEAST_LENGTH_CODES &&
           header->lengths[ORDER[header->length_codes - 1]] == 0)
        header->length_codes--;
}

void img_huffman_put_header(ImgBits *bits, const uint8_t *literals, const uint8_t *distances)
{
    Header header;
    plan(literals, distances, &header);
    img_bits_put(bits, (unsigned)(header.literals - LEAST_LITERALS), 5);
    img_bits_put(bits, (unsigned)(header.distances - 1), 5);
    img_bits_put(bits, (unsigned)(header.length_codes - LEAST_LENGTH_CODES), 4);
    for (int i = 0; i < header.length_codes; i++)
        img_bits_put(bits, header.lengths[ORDER[i]], 3);
    for (int i = 0; i < header.count; i++) {
        int symbol = header.symbols[i];
        img_bits_put(bits, header.codes[symbol], header.lengths[symbol]);
        img_bits_put(bits, header.extra[i], EXTRA_BITS[symbol]);
    }
}

size_t img_huffman_header_bits(const uint8_t *literals, const uint8_t *distances)
{
    Header header;
    plan(literals, distances, &header);
    size_t bits = 14 + 3 * (size_t)header.length_codes;
    for (int i = 0; i < header.count; i++)
        bits += header.lengths[header.symbols[i]] + EXTRA_BITS[header.symbols[i]];
    return bits;
}
