/* Encodes the code lengths in a block's header: first as run lengths, which are then Huffman
 * coded. */
#include <string.h>

#include "io/png/deflate/huffman.h"

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
