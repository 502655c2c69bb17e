/* A decoder for deflate streams with dynamic Huffman blocks (RFC 1951, 3.2.7). It returns their
 * literals and matches, which zlib does not show. */
#ifndef IMGTOOL_TESTS_UNIT_DEFLATE_TOKENS_H
#define IMGTOOL_TESTS_UNIT_DEFLATE_TOKENS_H

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/deflate/huffman.h"
#include "io/png/deflate/sequences.h"

enum { TOKENS_BLOCKS_MOST = 64, TOKENS_NO_SYMBOL = 0xFFFF };

/* The literals and matches of a stream, as read_tokens returns them. The caller frees
 * `sequences`. */
typedef struct Tokens {
    /* Each sequence is a number of literals and the match that follows them. The last literals of a
     * block form a sequence whose match has length 0. */
    ImgSequence *sequences;
    size_t count, blocks;
    /* position of each block: in bits of the compressed stream, and in decompressed bytes */
    uint32_t bits[TOKENS_BLOCKS_MOST], data[TOKENS_BLOCKS_MOST];
} Tokens;

typedef struct TokenReader {
    const uint8_t *piece;
    size_t size, bit;
} TokenReader;

static inline uint32_t peek_bits(const TokenReader *reader, unsigned count)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < count; i++) {
        const size_t bit = reader->bit + i;
        if (bit / 8 < reader->size)
            value |= (uint32_t)(reader->piece[bit / 8] >> bit % 8 & 1) << i;
    }
    return value;
}

static inline uint32_t take_bits(TokenReader *reader, unsigned count)
{
    const uint32_t value = peek_bits(reader, count);
    reader->bit += count;
    cr_assert_leq(reader->bit, 8 * reader->size);
    return value;
}

/* A table that maps the next 15 bits of the stream to a symbol, and the length of each symbol's
 * code in bits. */
typedef struct TokenCodes {
    uint16_t symbols[1 << IMG_CODE_MOST];
    const uint8_t *lengths;
} TokenCodes;

static inline void make_token_codes(TokenCodes *codes, const uint8_t *lengths, int symbols)
{
    uint16_t made[IMG_SYMBOLS] = {0};
    img_huffman_codes(lengths, symbols, made);
    memset(codes->symbols, 0xFF, sizeof codes->symbols);
    codes->lengths = lengths;
    for (int i = 0; i < symbols; i++)
        for (uint32_t rest = 0; lengths[i] > 0 && rest < 1U << (IMG_CODE_MOST - lengths[i]); rest++)
            codes->symbols[rest << lengths[i] | made[i]] = (uint16_t)i;
}

static inline uint32_t take_symbol(TokenReader *reader, const TokenCodes *codes)
{
    const uint32_t symbol = codes->symbols[peek_bits(reader, IMG_CODE_MOST)];
    cr_assert_neq(symbol, TOKENS_NO_SYMBOL);
    (void)take_bits(reader, codes->lengths[symbol]);
    return symbol;
}

/* Reads the code lengths of a block into `lengths`: first IMG_SYMBOLS lengths for the symbols of
 * literals and match lengths, then the lengths for the symbols of distances. */
static inline void take_lengths(TokenReader *reader, TokenCodes *codes, uint8_t *lengths)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t of_lengths[19] = {0}, all[IMG_SYMBOLS + 2 + IMG_DISTANCES + 2 + 138] = {0};
    const uint32_t literals = 257 + take_bits(reader, 5), distances = 1 + take_bits(reader, 5);
    const uint32_t sent = 4 + take_bits(reader, 4);
    for (uint32_t i = 0; i < sent; i++)
        of_lengths[order[i]] = (uint8_t)take_bits(reader, 3);
    make_token_codes(codes, of_lengths, 19);
    for (uint32_t at = 0; at < literals + distances;) {
        const uint32_t symbol = take_symbol(reader, codes);
        uint32_t repeat = 1;
        if (symbol == 16)
            repeat = 3 + take_bits(reader, 2);
        else if (symbol > 16)
            repeat = symbol == 17 ? 3 + take_bits(reader, 3) : 11 + take_bits(reader, 7);
        for (; repeat > 0; repeat--, at++)
            all[at] = symbol < 16 ? (uint8_t)symbol : symbol == 16 && at > 0 ? all[at - 1] : 0;
    }
    memset(lengths, 0, IMG_SYMBOLS + IMG_DISTANCES);
    memcpy(lengths, all, literals);
    memcpy(lengths + IMG_SYMBOLS, all + literals, distances);
}

static inline uint32_t take_length(TokenReader *reader, uint32_t code)
{
    if (code < 8 || code == 28)
        return code < 8 ? code + 3 : 258;
    const uint32_t extra = (code - 4) / 4;
    return ((4 + code % 4) << extra) + 3 + take_bits(reader, extra);
}

static inline uint32_t take_distance(TokenReader *reader, uint32_t code)
{
    const uint32_t extra = code < 4 ? 0 : code / 2 - 1;
    return code < 4 ? code + 1 : ((2 + code % 2) << extra) + 1 + take_bits(reader, extra);
}

/* Decodes one block and appends its literals and matches to `tokens`. Returns the number of bytes
 * that the block decompresses to. */
static inline uint32_t take_block(TokenReader *reader, Tokens *tokens)
{
    static TokenCodes literals, distances;
    uint8_t lengths[IMG_SYMBOLS + IMG_DISTANCES];
    uint32_t bytes = 0, pending = 0, symbol;
    take_lengths(reader, &literals, lengths);
    make_token_codes(&literals, lengths, IMG_SYMBOLS);
    make_token_codes(&distances, lengths + IMG_SYMBOLS, IMG_DISTANCES);
    while ((symbol = take_symbol(reader, &literals)) != IMG_END_OF_BLOCK) {
        uint32_t length = 0, distance = 0;
        if (symbol < IMG_END_OF_BLOCK) {
            bytes++;
            pending++;
            continue;
        }
        length = take_length(reader, symbol - IMG_FIRST_LENGTH);
        distance = take_distance(reader, take_symbol(reader, &distances));
        tokens->sequences[tokens->count++] =
            (ImgSequence){pending, (uint16_t)length, (uint16_t)distance};
        pending = 0;
        bytes += length;
    }
    if (pending > 0)
        tokens->sequences[tokens->count++] = (ImgSequence){pending, 0, 0};
    return bytes;
}

/* Decodes `piece` of `size` bytes, which decompresses to at most `data` bytes. Stops after the last
 * block, or before a stored block. */
static inline Tokens read_tokens(const uint8_t *piece, size_t size, size_t data)
{
    Tokens tokens = {.sequences = calloc(data + 1, sizeof *tokens.sequences)};
    TokenReader reader = {piece, size, 0};
    uint32_t bytes = 0;
    cr_assert_not_null(tokens.sequences);
    for (bool last = false; !last;) {
        const uint32_t begin = (uint32_t)reader.bit;
        last = take_bits(&reader, 1);
        const uint32_t type = take_bits(&reader, 2);
        if (type == 0)
            break;
        cr_assert_eq(type, 2);
        cr_assert_lt(tokens.blocks, TOKENS_BLOCKS_MOST);
        tokens.bits[tokens.blocks] = begin;
        tokens.data[tokens.blocks++] = bytes;
        bytes += take_block(&reader, &tokens);
    }
    return tokens;
}

#endif
