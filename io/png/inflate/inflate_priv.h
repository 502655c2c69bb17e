/* Private to inflate: the entries of its tables, and what is compiled once for each kind of
 * processor. */
#ifndef IMGTOOL_IO_PNG_INFLATE_INFLATE_PRIV_H
#define IMGTOOL_IO_PNG_INFLATE_INFLATE_PRIV_H

#include "io/png/inflate/inflate.h"

/* An entry of a table says what the next bits of the stream are:
 *
 *     bits 0-5    how many bits it uses up, those of numbers after codes among them
 *     bits 6-7    literals, 0 to 3; they stand from bit 8 on
 *     bits 32-47  what comes after them: the base of a length or distance, or where a subtable
 *                 starts
 *     bits 48-53  the bits of all its codes: what it uses up beyond them is a number to be added
 *                 to the base. Of a subtable: the bits of its index. Unused of literals only
 *     bits 56-57  the kind of what comes after the literals: ENTRY_KIND
 *     bit 58      ENTRY_DAMAGE */
#define ENTRY_LITERAL  ((uint64_t)1 << 6)
#define ENTRY_KIND     ((uint64_t)3 << 56)
#define ENTRY_DAMAGE   ((uint64_t)1 << 58)
#define ENTRY_VALUE    ((uint64_t)1 << 56)
#define ENTRY_SUBTABLE ((uint64_t)2 << 56)
#define ENTRY_END      ((uint64_t)3 << 56)

enum { ENTRY_BASE_SHIFT = 32, ENTRY_CODE_SHIFT = 48 };

static inline unsigned entry_bits(uint64_t entry)
{
    return entry & 63;
}

static inline unsigned entry_literals(uint64_t entry)
{
    return entry >> 6 & 3;
}

static inline unsigned entry_base(uint64_t entry)
{
    return entry >> ENTRY_BASE_SHIFT & 0xFFFF;
}

static inline unsigned entry_code_bits(uint64_t entry)
{
    return entry >> ENTRY_CODE_SHIFT & 63;
}

enum { LITERAL_SYMBOLS = 288, DISTANCE_SYMBOLS = 32, MOST_CODE_BITS = 15 };

/* The header of a block, read from at most `size` bytes of which the first `skip` bits are used up.
 * Says how many bits it took, or 0 where it is not valid or not whole. */
size_t img_inflate_header(ImgInflate *state, const uint8_t *data, size_t size, unsigned skip);

typedef struct ImgInflateCode {
    ImgInflateStop (*bytes)(ImgInflate *, const ImgInflateData *, ImgInflateRoom *, bool);
    ImgInflateStop (*symbols)(ImgInflate *, const ImgInflateData *, ImgInflateSymbols *, bool);
} ImgInflateCode;

extern const ImgInflateCode img_inflate_portable;
#if IMGTOOL_X86
extern const ImgInflateCode img_inflate_avx2;
#endif

#endif
