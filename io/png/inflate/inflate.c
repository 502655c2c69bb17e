/* Selects the inflate loops for the instruction set of the processor, and finds positions at which
 * decoding can start. */
#include "io/png/inflate/inflate.h"

#include <string.h>

#include "io/bytes.h"
#include "io/png/inflate/inflate_priv.h"
#include "kernels/core/parallel/cpu.h"

static const ImgInflateCode *code(void)
{
#if IMGTOOL_X86
    if (img_cpu_level() >= IMG_CPU_AVX2)
        return &img_inflate_avx2;
#endif
    return &img_inflate_portable;
}

void img_inflate_start(ImgInflate *state, uint64_t position)
{
    state->position = position;
    state->in_block = state->last_block = state->stored = state->fixed = false;
    state->stored_left = 0;
}

ImgInflateStop img_inflate(ImgInflate *state, const ImgInflateData *data, ImgInflateRoom *room,
                           bool stop_at_blocks)
{
    return code()->bytes(state, data, room, stop_at_blocks);
}

ImgInflateStop img_inflate_symbols(ImgInflate *state, const ImgInflateData *data,
                                   ImgInflateSymbols *symbols, bool stop_at_blocks)
{
    return code()->symbols(state, data, symbols, stop_at_blocks);
}

void img_inflate_fill_markers(uint16_t *window)
{
    for (int i = 0; i < IMG_INFLATE_WINDOW; i++)
        window[i] = (uint16_t)(IMG_INFLATE_MARKER + i);
}

/* The search for dynamic block headers tests every bit position, with the cheapest tests first.
 * First it tests the three bits that begin a block, then whether two counts are within their
 * limits. Then it tests whether the code for code lengths is complete, and finally the rest of the
 * header. This order is from M. Knespel, H. Brunst, "Rapidgzip" (HPDC 2023). */
enum {
    /* Number of bits of a header before the lengths of the codes for code lengths: the three bits
     * that begin the block, and counts of 5, 5 and 4 bits. */
    LENGTHS_AT = 17,
    LENGTH_BITS = 3,
    GROUP = 4, /* number of code lengths that are looked up together */
    GROUP_BITS = GROUP * LENGTH_BITS,
    /* Sum of 2^(7 - length) over all code lengths of a complete code. The longest codes have seven
     * bits. */
    WHOLE = 128,
};

/* A table that is indexed by four code lengths: the sum of 2^(7 - length) over these lengths. */
typedef struct Shares {
    uint16_t of_group[1 << GROUP_BITS];
} Shares;

static void make_shares(Shares *shares)
{
    for (unsigned group = 0; group < 1u << GROUP_BITS; group++) {
        unsigned sum = 0;
        for (unsigned i = 0; i < GROUP; i++) {
            unsigned length = group >> (i * LENGTH_BITS) & 7;
            sum += length > 0 ? (unsigned)WHOLE >> length : 0;
        }
        shares->of_group[group] = (uint16_t)sum;
    }
}

/* Returns at least 56 bits of `bytes`, from bit `at` onwards. */
static uint64_t bits_at(const uint8_t *bytes, uint64_t at)
{
    uint64_t value;
    memcpy(&value, bytes + at / 8, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value >> (at % 8);
}

/* Returns true if `bits` may be the start of a dynamic block that is not the last one. It must have
 * at most 286 literal codes and 30 distance codes. */
static bool may_be_header(uint64_t bits)
{
    return (bits & 7) == 4 && (bits >> 3 & 31) <= 29 && (bits >> 8 & 31) <= 29;
}

static bool first_code_is_complete(const Shares *shares, const uint8_t *bytes, uint64_t at)
{
    unsigned lengths = 4 + (unsigned)(bits_at(bytes, at) >> 13 & 15);
    /* bits_at returns at least 56 bits, but the 19 lengths have 57. So the lengths from number 16
     * onwards are read separately. */
    uint64_t low = bits_at(bytes, at + LENGTHS_AT);
    uint64_t high = bits_at(bytes, at + LENGTHS_AT + 4 * GROUP_BITS);
    unsigned sum = 0;
    if (lengths <= 4 * GROUP)
        low &= ((uint64_t)1 << (lengths * LENGTH_BITS)) - 1;
    for (int group = 0; group < 4; group++)
        sum += shares->of_group[low >> (group * GROUP_BITS) & ((1 << GROUP_BITS) - 1)];
    if (lengths > 4 * GROUP)
        sum += shares->of_group[high & ((1u << ((lengths - 4 * GROUP) * LENGTH_BITS)) - 1)];
    return sum == WHOLE;
}

bool img_inflate_find(ImgInflate *state, const uint8_t *bytes, size_t size, uint64_t from,
                      uint64_t to, uint64_t *found)
{
    Shares shares;
    make_shares(&shares);
    if (to > (uint64_t)size * 8)
        to = (uint64_t)size * 8;
    for (uint64_t at = from; at < to; at++) {
        if (!may_be_header(bits_at(bytes, at)) || !first_code_is_complete(&shares, bytes, at))
            continue;
        size_t byte = (size_t)(at / 8);
        if (img_inflate_header(state, bytes + byte, size - byte, at % 8) > 0) {
            *found = at;
            return true;
        }
    }
    return false;
}

/* --- Stored blocks ---------------------------------------------------------------------------- */

/* Returns true if one of the four 16-bit numbers at `p` is the complement of the number after it.
 * The test for a zero among four numbers is from S. E. Anderson, "Bit Twiddling Hacks". */
static bool has_complement(const uint8_t *p)
{
    const uint64_t low = 0x0001000100010001, high = 0x8000800080008000;
    const uint64_t same = ~(img_get_le64(p) ^ img_get_le64(p + 2));
    return ((same - low) & ~same & high) != 0;
}

static bool are_lengths(const uint8_t *p)
{
    const uint32_t both = img_get_le32(p);
    return ((both ^ both >> 16) & 0xFFFF) == 0xFFFF;
}

size_t img_inflate_find_lengths(const uint8_t *bytes, size_t from, size_t to)
{
    size_t at = from;
    while (at + 8 <= to && !has_complement(bytes + at) && !has_complement(bytes + at + 1))
        at += 8;
    while (at < to && !are_lengths(bytes + at))
        at++;
    return at;
}
