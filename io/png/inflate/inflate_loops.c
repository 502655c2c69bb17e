/* The inner loops of inflate. They are compiled once for each instruction set
 * (kernels/core/parallel/cpu.h). */
#include <string.h>

#include "io/bytes.h"
#include "io/png/inflate/inflate_priv.h"
#include "kernels/core/parallel/cpu.h"

#define LOW_BITS(value, bits) ((value) & (((uint64_t)1 << (bits)) - 1))

#define IS_LITERALS(entry) ((entry) >> ENTRY_BASE_SHIFT == 0)
#define IS_VALUE(entry)    (((entry)&ENTRY_KIND) == ENTRY_VALUE)
#define IS_SUBTABLE(entry) (((entry)&ENTRY_KIND) == ENTRY_SUBTABLE)
#define IS_END(entry)      (((entry)&ENTRY_KIND) == ENTRY_END)

/* --- The bit buffer of the loop in inflate_source.h ------------------------------------------- */

/* Returns the low six bits of `count`. Shift instructions also use only these bits, so a whole
 * table entry can be subtracted from a count. */
#define LOW_SIX(count) ((count)&63)

/* Fills the bit buffer to at least 56 bits. Some bytes may be read twice; this is harmless, because
 * they have the same value both times. */
#define FILL_BITS()                                                                                \
    do {                                                                                           \
        bits |= img_get_le64(in) << LOW_SIX(count);                                                \
        in += LOW_SIX(63 - count) >> 3;                                                            \
        count |= 56;                                                                               \
    } while (0)

#define USE_BITS(entry)                                                                            \
    do {                                                                                           \
        bits >>= LOW_SIX(entry);                                                                   \
        count -= (entry);                                                                          \
    } while (0)

#define NEXT_ENTRY()                                                                               \
    do {                                                                                           \
        entry = literals[LOW_BITS(bits, IMG_INFLATE_LITERAL_BITS)];                                \
    } while (0)

/* Writes the literals of a table entry and consumes its bits. `before` keeps the bits as they were
 * before this entry, because they contain the extra bits after its last code. */
#define TAKE_ENTRY()                                                                               \
    do {                                                                                           \
        out = NAME(put_literals)(out, entry);                                                      \
        before = bits;                                                                             \
        USE_BITS(entry);                                                                           \
    } while (0)

/* Returns the length or distance of an entry: its base plus the extra bits after its code. `bits`
 * must start with the code. */
static inline size_t value_of(uint64_t entry, uint64_t bits)
{
    return entry_base(entry) + (LOW_BITS(bits, entry_bits(entry)) >> entry_code_bits(entry));
}

static inline size_t subtable_index(uint64_t entry, uint64_t bits)
{
    return entry_base(entry) + LOW_BITS(bits, entry_code_bits(entry));
}

/* --- Several literals per entry --------------------------------------------------------------- */

/* Returns `entry` extended by the symbol that follows it: a literal, or a length as the last
 * symbol. The bits after the table index read as zeros, so the code of this symbol must lie within
 * the index. If it does not, returns `entry` unchanged. */
static inline uint64_t with_next(const uint64_t *singles, unsigned index, uint64_t entry,
                                 unsigned shift)
{
    unsigned used = entry_bits(entry);
    uint64_t next = singles[index >> used];
    bool literal = entry_literals(next) != 0;
    unsigned code = literal ? entry_bits(next) : entry_code_bits(next);
    if (used + code > IMG_INFLATE_LITERAL_BITS || (!literal && !IS_VALUE(next)))
        return entry;
    entry += (next & ~(uint64_t)0xFF00) + ((next & 0xFF00) << shift);
    return literal ? entry : entry + ((uint64_t)used << ENTRY_CODE_SHIFT);
}

/* Fills the table of literals and lengths again, with as many symbols per entry as fit. */
static void combine(ImgInflate *state)
{
    const uint64_t *singles = state->singles;
    memcpy(state->singles, state->literals, sizeof state->singles);
    for (unsigned i = 0; i < 1u << IMG_INFLATE_LITERAL_BITS; i++) {
        uint64_t entry = singles[i];
        if (entry_literals(entry) == 0)
            continue;
        entry = with_next(singles, i, entry, 8);
        if (entry_literals(entry) == 2)
            entry = with_next(singles, i, entry, 16);
        state->literals[i] = entry;
    }
}

/* Reads the next block header. Returns IMG_INFLATE_BLOCK if a block begins.
 *
 * The tables of the fixed codes are kept from block to block. An empty fixed block takes only ten
 * bits, and making tables for each of them took 2 s per MB of such blocks. */
static ImgInflateStop enter_block(ImgInflate *state, const ImgInflateData *data)
{
    uint64_t byte = state->position / 8 - data->start;
    if (byte > data->size)
        return IMG_INFLATE_DAMAGED;
    size_t left = data->size - (size_t)byte;
    if (!data->last && left < IMG_INFLATE_DATA_LEAST)
        return IMG_INFLATE_NEED_INPUT;
    const bool were_fixed = state->fixed;
    size_t used = img_inflate_header(state, data->bytes + byte, left, state->position % 8);
    if (used == 0)
        return IMG_INFLATE_DAMAGED;
    state->position += used;
    state->in_block = true;
    if (!state->stored && !(were_fixed && state->fixed))
        combine(state);
    return IMG_INFLATE_BLOCK;
}

/* --- The loop, for bytes and for symbols ------------------------------------------------------ */

#define SYMBOL     uint8_t
#define GET_EIGHT  img_get_le64
#define PUT_EIGHT  img_put_le64
#define ROOM       ImgInflateRoom
#define WINDOW     0
#define NAME(name) name##_bytes
#include "io/png/inflate/inflate_source.h"
#undef SYMBOL
#undef GET_EIGHT
#undef PUT_EIGHT
#undef ROOM
#undef WINDOW
#undef NAME

#define SYMBOL     uint16_t
#define GET_EIGHT  img_get_four16
#define PUT_EIGHT  img_put_four16
#define ROOM       ImgInflateSymbols
#define WINDOW     IMG_INFLATE_WINDOW
#define NAME(name) name##_symbols
#include "io/png/inflate/inflate_source.h"
#undef SYMBOL
#undef GET_EIGHT
#undef PUT_EIGHT
#undef ROOM
#undef WINDOW
#undef NAME

const ImgInflateCode IMG_VARIANT(img_inflate) = {inflate_bytes, inflate_symbols};
