/* Private to inflate: the format of table entries, and the functions that are compiled for each
 * instruction set. */
#ifndef IMGTOOL_IO_PNG_INFLATE_INFLATE_PRIV_H
#define IMGTOOL_IO_PNG_INFLATE_INFLATE_PRIV_H

#include "io/png/inflate/inflate.h"

/* A table entry describes the next bits of the stream:
 *
 *     bits 0-5    number of bits that the entry consumes, including extra bits after codes
 *     bits 6-7    number of literals, 0 to 3; their values start at bit 8
 *     bits 32-47  base of the length or distance after the literals, or start of a subtable
 *     bits 48-53  number of bits of all codes of the entry; the other consumed bits are extra
 *                 bits, whose value is added to the base. For a subtable: number of bits of its
 *                 index. Unused if there are only literals
 *     bits 56-57  what follows the literals: ENTRY_KIND
 *     bit 58      set if the stream is invalid: ENTRY_DAMAGE */
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

/* Reads the header of a block from at most `size` bytes of data, and makes its tables. The first
 * `skip` bits of the data belong to the block before. Returns the number of bits of the header, or
 * 0 if the header is invalid or incomplete. */
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
