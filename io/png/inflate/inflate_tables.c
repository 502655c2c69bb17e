/* Reads block headers and makes tables from code lengths (RFC 1951, section 3.2). Codes must be
 * complete. Exceptions are the codes with one symbol that zlib also accepts. */
#include <string.h>

#include "io/png/inflate/inflate_priv.h"

enum { LENGTH_SYMBOLS = 19, LENGTH_CODE_BITS = 7, END_OF_BLOCK = 256 };

/* --- Bits of a header ------------------------------------------------------------------------- */

typedef struct Bits {
    const uint8_t *data;
    size_t end, at; /* in bits: size of the data, and current position */
} Bits;

/* Returns the next 16 bits without consuming them. Bits after the end of the data are zeros. */
static unsigned peek(const Bits *bits)
{
    size_t byte = bits->at / 8, size = bits->end / 8;
    uint32_t value = 0;
    for (size_t i = 0; i < 3 && byte + i < size; i++)
        value |= (uint32_t)bits->data[byte + i] << (8 * i);
    return value >> (bits->at % 8) & 0xFFFF;
}

static unsigned take(Bits *bits, unsigned count)
{
    unsigned value = peek(bits) & ((1u << count) - 1);
    bits->at += count;
    return value;
}

/* --- Tables ----------------------------------------------------------------------------------- */

typedef struct Code {
    const uint8_t *lengths; /* length in bits of each symbol's code; 0 if the symbol has no code */
    /* The table entry of each symbol, without the number of bits of its code. */
    const uint64_t *values;
    int symbols;
    unsigned root_bits;
    int counts[MOST_CODE_BITS + 1];
    /* Symbols that have a code, in ascending order of code length. */
    uint16_t sorted[LITERAL_SYMBOLS];
} Code;

/* The codes that are valid, as in zlib. COMPLETE: only complete codes. OR_ONE: also a code that
 * consists of a single code of one bit. OR_NONE: also this code, and a code without symbols. */
typedef enum Completeness { COMPLETE, OR_ONE, OR_NONE } Completeness;

static bool is_valid(const Code *code, Completeness wanted)
{
    int left = 1, used = 0;
    for (int bits = 1; bits <= MOST_CODE_BITS; bits++) {
        left = 2 * left - code->counts[bits];
        used += code->counts[bits];
        if (left < 0)
            return false;
    }
    if (left == 0)
        return true;
    return (wanted >= OR_ONE && used == 1 && code->counts[1] == 1) ||
           (wanted == OR_NONE && used == 0);
}

static void sort(Code *code)
{
    int first[MOST_CODE_BITS + 2] = {0};
    for (int bits = 1; bits <= MOST_CODE_BITS; bits++)
        first[bits + 1] = first[bits] + code->counts[bits];
    for (int symbol = 0; symbol < code->symbols; symbol++) {
        if (code->lengths[symbol] > 0)
            code->sorted[first[code->lengths[symbol]]++] = (uint16_t)symbol;
    }
}

static bool count(Code *code, Completeness wanted)
{
    memset(code->counts, 0, sizeof code->counts);
    for (int symbol = 0; symbol < code->symbols; symbol++)
        code->counts[code->lengths[symbol]]++;
    code->counts[0] = 0;
    if (!is_valid(code, wanted))
        return false;
    sort(code);
    return true;
}

/* Returns the code of the same length that follows `code`. The bits of a code are stored in reverse
 * order, because the stream contains the highest bit first. So 1 is added at the highest bit. */
static unsigned next_code(unsigned code, unsigned bits)
{
    unsigned bit = 1u << (bits - 1);
    while (bit > 0 && (code & bit) != 0)
        bit >>= 1;
    return bit == 0 ? 0 : (code & (bit - 1)) | bit;
}

/* Returns the table entry of a symbol whose code has `bits` bits. The entry consumes these bits and
 * the extra bits after the code. */
static uint64_t entry_of(const Code *code, int symbol, unsigned bits)
{
    uint64_t value = code->values[symbol];
    return value + bits + (entry_literals(value) == 0 ? (uint64_t)bits << ENTRY_CODE_SHIFT : 0);
}

/* Returns the number of index bits of a subtable, which must hold all codes with the same prefix.
 * `bits` is the length of the first code in it; `left` codes of this length remain. */
static unsigned subtable_bits(const Code *code, unsigned bits, int left)
{
    unsigned size = bits - code->root_bits;
    for (int room = 1 << size; size + code->root_bits < MOST_CODE_BITS; size++) {
        room -= left;
        if (room <= 0)
            break;
        room *= 2;
        left = code->counts[code->root_bits + size + 1];
    }
    return size;
}

/* Fills the subtables, which follow the main table. They contain the codes that are longer than the
 * index of the main table. */
static void fill_long(const Code *code, uint64_t *table, int done, unsigned mirrored)
{
    unsigned root_mask = (1u << code->root_bits) - 1, prefix = ~0u, size = 0;
    unsigned start = 0, end = 1u << code->root_bits;
    for (unsigned bits = code->root_bits + 1; bits <= MOST_CODE_BITS; bits++) {
        for (int left = code->counts[bits]; left > 0; left--) {
            if ((mirrored & root_mask) != prefix) {
                prefix = mirrored & root_mask;
                size = subtable_bits(code, bits, left);
                start = end;
                end += 1u << size;
                table[prefix] = ENTRY_SUBTABLE | (uint64_t)size << ENTRY_CODE_SHIFT |
                                (uint64_t)start << ENTRY_BASE_SHIFT;
            }
            uint64_t entry = entry_of(code, code->sorted[done++], bits);
            unsigned step = 1u << (bits - code->root_bits);
            for (unsigned i = mirrored >> code->root_bits; i < 1u << size; i += step)
                table[start + i] = entry;
            mirrored = next_code(mirrored, bits);
        }
    }
}

/* Fills a table. Method: the table for codes of up to n bits has 2^n entries. Two copies of it are
 * the table for n + 1 bits, after the codes of n + 1 bits have been added. */
static void fill(const Code *code, uint64_t *table)
{
    int done = 0;
    unsigned mirrored = 0;
    table[0] = ENTRY_DAMAGE;
    for (unsigned bits = 1; bits <= code->root_bits; bits++) {
        memcpy(table + (1u << (bits - 1)), table, sizeof *table << (bits - 1));
        for (int i = 0; i < code->counts[bits]; i++) {
            table[mirrored] = entry_of(code, code->sorted[done++], bits);
            mirrored = next_code(mirrored, bits);
        }
    }
    fill_long(code, table, done, mirrored);
}

/* --- Meaning of symbols (section 3.2.5) ------------------------------------------------------- */

#define LITERAL(value)      (ENTRY_LITERAL | (uint64_t)(value) << 8)
#define NUMBER(base, extra) (ENTRY_VALUE | (uint64_t)(extra) | (uint64_t)(base) << ENTRY_BASE_SHIFT)

#define FOUR(of, first) of(first), of((first) + 1), of((first) + 2), of((first) + 3)
#define SIXTEEN(of, first)                                                                         \
    FOUR(of, first), FOUR(of, (first) + 4), FOUR(of, (first) + 8), FOUR(of, (first) + 12)
#define SIXTY_FOUR(of, first)                                                                      \
    SIXTEEN(of, first), SIXTEEN(of, (first) + 16), SIXTEEN(of, (first) + 32),                      \
        SIXTEEN(of, (first) + 48)

/* Table entries of literals and lengths. The last two symbols have codes but no meaning. */
static const uint64_t LITERAL_VALUES[LITERAL_SYMBOLS] = {
    SIXTY_FOUR(LITERAL, 0),
    SIXTY_FOUR(LITERAL, 64),
    SIXTY_FOUR(LITERAL, 128),
    SIXTY_FOUR(LITERAL, 192),
    ENTRY_END,
    NUMBER(3, 0),
    NUMBER(4, 0),
    NUMBER(5, 0),
    NUMBER(6, 0),
    NUMBER(7, 0),
    NUMBER(8, 0),
    NUMBER(9, 0),
    NUMBER(10, 0),
    NUMBER(11, 1),
    NUMBER(13, 1),
    NUMBER(15, 1),
    NUMBER(17, 1),
    NUMBER(19, 2),
    NUMBER(23, 2),
    NUMBER(27, 2),
    NUMBER(31, 2),
    NUMBER(35, 3),
    NUMBER(43, 3),
    NUMBER(51, 3),
    NUMBER(59, 3),
    NUMBER(67, 4),
    NUMBER(83, 4),
    NUMBER(99, 4),
    NUMBER(115, 4),
    NUMBER(131, 5),
    NUMBER(163, 5),
    NUMBER(195, 5),
    NUMBER(227, 5),
    NUMBER(258, 0),
};

static const uint64_t DISTANCE_VALUES[DISTANCE_SYMBOLS] = {
    NUMBER(1, 0),     NUMBER(2, 0),     NUMBER(3, 0),      NUMBER(4, 0),      NUMBER(5, 1),
    NUMBER(7, 1),     NUMBER(9, 2),     NUMBER(13, 2),     NUMBER(17, 3),     NUMBER(25, 3),
    NUMBER(33, 4),    NUMBER(49, 4),    NUMBER(65, 5),     NUMBER(97, 5),     NUMBER(129, 6),
    NUMBER(193, 6),   NUMBER(257, 7),   NUMBER(385, 7),    NUMBER(513, 8),    NUMBER(769, 8),
    NUMBER(1025, 9),  NUMBER(1537, 9),  NUMBER(2049, 10),  NUMBER(3073, 10),  NUMBER(4097, 11),
    NUMBER(6145, 11), NUMBER(8193, 12), NUMBER(12289, 12), NUMBER(16385, 13), NUMBER(24577, 13),
    ENTRY_DAMAGE,     ENTRY_DAMAGE,
};

/* Makes the tables of one block: for literals and lengths, and for distances. Returns false if a
 * code is invalid. */
static bool make_tables(ImgInflate *state, const uint8_t *literals, int literal_count,
                        const uint8_t *distances, int distance_count)
{
    Code code = {.lengths = literals,
                 .values = LITERAL_VALUES,
                 .symbols = literal_count,
                 .root_bits = IMG_INFLATE_LITERAL_BITS};
    if (!count(&code, OR_ONE))
        return false;
    fill(&code, state->literals);
    code = (Code){.lengths = distances,
                  .values = DISTANCE_VALUES,
                  .symbols = distance_count,
                  .root_bits = IMG_INFLATE_DISTANCE_BITS};
    if (!count(&code, OR_NONE))
        return false;
    fill(&code, state->distances);
    return true;
}

/* --- Block headers ---------------------------------------------------------------------------- */

static bool make_fixed_tables(ImgInflate *state)
{
    uint8_t literals[LITERAL_SYMBOLS], distances[DISTANCE_SYMBOLS];
    memset(literals, 8, 144);
    memset(literals + 144, 9, 112);
    memset(literals + 256, 7, 24);
    memset(literals + 280, 8, 8);
    memset(distances, 5, sizeof distances);
    return make_tables(state, literals, LITERAL_SYMBOLS, distances, DISTANCE_SYMBOLS);
}

/* Reads the Huffman code that encodes the code lengths, and makes its table. Bits 8 and up of an
 * entry are the symbol; bits 0 to 5 are the number of bits. */
static bool read_length_code(Bits *bits, int count_of_lengths, uint64_t *table)
{
    static const uint8_t order[LENGTH_SYMBOLS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                  11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[LENGTH_SYMBOLS] = {0};
    uint64_t values[LENGTH_SYMBOLS];
    for (int i = 0; i < count_of_lengths; i++)
        lengths[order[i]] = (uint8_t)take(bits, 3);
    for (uint64_t i = 0; i < LENGTH_SYMBOLS; i++)
        values[i] = ENTRY_LITERAL | i << 8;
    Code code = {.lengths = lengths,
                 .values = values,
                 .symbols = LENGTH_SYMBOLS,
                 .root_bits = LENGTH_CODE_BITS};
    if (!count(&code, COMPLETE))
        return false;
    fill(&code, table);
    return true;
}

/* Reads the code lengths of literals, lengths and distances, which are encoded with repeats
 * (section 3.2.7). */
static bool read_lengths(Bits *bits, const uint64_t *table, uint8_t *lengths, int total)
{
    for (int have = 0; have < total;) {
        uint64_t entry = table[peek(bits) & ((1u << LENGTH_CODE_BITS) - 1)];
        unsigned symbol = entry >> 8 & 0xFF;
        bits->at += entry_bits(entry);
        if (symbol < 16) {
            lengths[have++] = (uint8_t)symbol;
            continue;
        }
        if (symbol == 16 && have == 0)
            return false;
        uint8_t repeated = symbol == 16 ? lengths[have - 1] : 0;
        int times = symbol == 16   ? 3 + (int)take(bits, 2)
                    : symbol == 17 ? 3 + (int)take(bits, 3)
                                   : 11 + (int)take(bits, 7);
        if (times > total - have)
            return false;
        memset(lengths + have, repeated, (size_t)times);
        have += times;
    }
    return true;
}

static bool read_dynamic(ImgInflate *state, Bits *bits)
{
    uint64_t table[1 << LENGTH_CODE_BITS];
    uint8_t lengths[LITERAL_SYMBOLS + DISTANCE_SYMBOLS] = {0};
    int literals = 257 + (int)take(bits, 5), distances = 1 + (int)take(bits, 5);
    int code_lengths = 4 + (int)take(bits, 4);
    if (literals > 286 || distances > 30)
        return false;
    return read_length_code(bits, code_lengths, table) &&
           read_lengths(bits, table, lengths, literals + distances) && lengths[END_OF_BLOCK] != 0 &&
           make_tables(state, lengths, literals, lengths + literals, distances);
}

static bool read_stored(ImgInflate *state, Bits *bits)
{
    bits->at = (bits->at + 7) / 8 * 8;
    unsigned size = take(bits, 16), inverted = take(bits, 16);
    state->stored = true;
    state->stored_left = size;
    return size == (inverted ^ 0xFFFF);
}

size_t img_inflate_header(ImgInflate *state, const uint8_t *data, size_t size, unsigned skip)
{
    Bits bits = {data, size * 8, skip};
    state->last_block = take(&bits, 1) != 0;
    state->stored = false;
    bool valid = false;
    switch (take(&bits, 2)) {
    case 0:
        valid = read_stored(state, &bits);
        break;
    case 1:
        valid = state->fixed || make_fixed_tables(state);
        state->fixed = valid;
        break;
    case 2:
        state->fixed = false;
        valid = read_dynamic(state, &bits);
        break;
    }
    return valid && bits.at <= bits.end ? bits.at - skip : 0;
}
