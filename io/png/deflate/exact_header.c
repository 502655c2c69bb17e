#include "io/png/deflate/exact_header.h"

#include <stdbool.h>
#include <string.h>

#include "io/png/deflate/exact_lengths.h"

enum {
    SYMBOLS = 19,
    LIMIT = 7,
    REPEAT = 16,     /* repeats the code length before, 3 to 6 times */
    ZEROS = 17,      /* 3 to 10 code lengths of zero */
    MANY_ZEROS = 18, /* 11 to 138 code lengths of zero */
    LEAST_LITERALS = 257,
    LEAST_LISTED = 4,
    LENGTHS_MOST = IMG_SYMBOLS + IMG_DISTANCES,
    ROUNDS = 3, /* number of times that the costs of the symbols are adapted to their use */
};

/* The order in which the header lists the code lengths of its symbols (RFC 1951, 3.2.7). */
static const uint8_t ORDER[SYMBOLS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                       11, 4,  12, 3, 13, 2, 14, 1, 15};

typedef struct Step {
    uint8_t symbol, count; /* `count` code lengths are stated by `symbol` */
} Step;

typedef struct Header {
    uint8_t lengths[LENGTHS_MOST]; /* all code lengths of the block, in order */
    int literals, distances, count;
    Step steps[LENGTHS_MOST]; /* the step that states the lengths from each index on */
    uint8_t codes[SYMBOLS];   /* code lengths of the header's own symbols */
    uint32_t bits;
} Header;

/* The smallest repeat count, the largest, and the extra bits of symbols 16 to 18. */
static const uint8_t LEAST[SYMBOLS] = {[REPEAT] = 3, [ZEROS] = 3, [MANY_ZEROS] = 11};
static const uint8_t MOST[SYMBOLS] = {[REPEAT] = 6, [ZEROS] = 10, [MANY_ZEROS] = 138};
static const uint8_t EXTRA[SYMBOLS] = {[REPEAT] = 2, [ZEROS] = 3, [MANY_ZEROS] = 7};

static int stated(const uint8_t *lengths, int count, int least)
{
    while (count > least && lengths[count - 1] == 0)
        count--;
    return count;
}

/* Tries to state up to `run` equal lengths at `at` by one symbol. */
static void try_repeat(Header *header, const uint32_t *costs, uint32_t *totals, int at, int run,
                       uint8_t symbol)
{
    /* Fewer than three lengths may remain, which cost more one by one. Counts further below the
     * largest gain nothing. */
    const int most = run < MOST[symbol] ? run : MOST[symbol], below = most - 2;
    for (int count = most; count >= LEAST[symbol] && count >= below; count--) {
        const uint32_t total = costs[symbol] + totals[at + count];
        if (total < totals[at]) {
            totals[at] = total;
            header->steps[at] = (Step){symbol, (uint8_t)count};
        }
    }
}

/* Finds the cheapest steps for given costs of the symbols in bits, from the end on. */
static void find_steps(Header *header, const uint32_t *costs)
{
    uint32_t totals[LENGTHS_MOST + 1];
    int run = 0; /* number of lengths that equal the one at `at`, from there on */
    totals[header->count] = 0;
    for (int at = header->count - 1; at >= 0; at--) {
        const uint8_t length = header->lengths[at];
        run = at + 1 < header->count && header->lengths[at + 1] == length ? run + 1 : 1;
        totals[at] = costs[length] + totals[at + 1];
        header->steps[at] = (Step){length, 1};
        if (at > 0 && header->lengths[at - 1] == length)
            try_repeat(header, costs, totals, at, run, REPEAT);
        if (length == 0) {
            try_repeat(header, costs, totals, at, run, ZEROS);
            try_repeat(header, costs, totals, at, run, MANY_ZEROS);
        }
    }
}

static int listed(const Header *header)
{
    int count = SYMBOLS;
    while (count > LEAST_LISTED && header->codes[ORDER[count - 1]] == 0)
        count--;
    return count;
}

/* Makes the codes of the header's symbols, and computes its size. */
static void make_codes(Header *header)
{
    uint32_t counts[SYMBOLS] = {0};
    for (int at = 0; at < header->count; at += header->steps[at].count)
        counts[header->steps[at].symbol]++;
    img_exact_lengths(counts, SYMBOLS, LIMIT, header->codes);
    header->bits = 14 + 3 * (uint32_t)listed(header);
    for (int i = 0; i < SYMBOLS; i++)
        header->bits += counts[i] * (uint32_t)(header->codes[i] + EXTRA[i]);
}

static void begin(Header *header, const uint8_t *literals, const uint8_t *distances)
{
    header->literals = stated(literals, IMG_SYMBOLS, LEAST_LITERALS);
    header->distances = stated(distances, IMG_DISTANCES, 1);
    header->count = header->literals + header->distances;
    memcpy(header->lengths, literals, (size_t)header->literals);
    memcpy(header->lengths + header->literals, distances, (size_t)header->distances);
}

/* Plans the header. The costs of the symbols depend on the steps, and the steps on the costs:
 * begins with usual costs, and then takes those of the last steps, as long as the header shrinks.
 */
static void plan(Header *header, const uint8_t *literals, const uint8_t *distances)
{
    enum { USUAL = 4, UNUSED = 7 };
    uint32_t costs[SYMBOLS];
    begin(header, literals, distances);
    for (int i = 0; i < SYMBOLS; i++)
        costs[i] = USUAL + EXTRA[i];
    find_steps(header, costs);
    make_codes(header);
    for (int round = 1; round < ROUNDS; round++) {
        Header next = *header;
        for (int i = 0; i < SYMBOLS; i++)
            costs[i] = (header->codes[i] > 0 ? header->codes[i] : UNUSED) + EXTRA[i];
        find_steps(&next, costs);
        make_codes(&next);
        if (next.bits >= header->bits)
            break;
        *header = next;
    }
}

uint32_t img_exact_header_bits(const uint8_t *literals, const uint8_t *distances)
{
    Header header;
    plan(&header, literals, distances);
    return header.bits;
}

void img_exact_put_header(ImgBits *bits, const uint8_t *literals, const uint8_t *distances)
{
    Header header;
    uint16_t codes[SYMBOLS];
    plan(&header, literals, distances);
    img_huffman_codes(header.codes, SYMBOLS, codes);
    const int count = listed(&header);
    img_bits_put(bits, (unsigned)(header.literals - LEAST_LITERALS), 5);
    img_bits_put(bits, (unsigned)(header.distances - 1), 5);
    img_bits_put(bits, (unsigned)(count - LEAST_LISTED), 4);
    for (int i = 0; i < count; i++)
        img_bits_put(bits, header.codes[ORDER[i]], 3);
    for (int at = 0; at < header.count; at += header.steps[at].count) {
        const Step step = header.steps[at];
        img_bits_put(bits, codes[step.symbol], header.codes[step.symbol]);
        if (EXTRA[step.symbol] > 0)
            img_bits_put(bits, (unsigned)(step.count - LEAST[step.symbol]), EXTRA[step.symbol]);
    }
}
