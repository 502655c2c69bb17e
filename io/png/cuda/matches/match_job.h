/* Private: finds the LZ77 matches of many units of filtered data in parallel, by the rule of
 * io/png/deflate/match_rule.h, and plans their deflate blocks. io/png/deflate/matches.c gives the
 * same results on a CPU.
 *
 * A unit is a piece of data whose matches do not refer to other units. A token is a literal or a
 * match. A segment is 4,096 consecutive positions of a unit (IMG_MATCH_SEGMENT). A segment is
 * entered at its first token, and left where the token that crosses its end stops (its exit). */
#ifndef IMGTOOL_IO_PNG_CUDA_MATCHES_MATCH_JOB_H
#define IMGTOOL_IO_PNG_CUDA_MATCHES_MATCH_JOB_H

#include "io/png/deflate/match_rule.h"
#include "kernels/core/cuda/host_device.h"

enum {
    MATCH_LITERALS = 286, /* literals, end of block, lengths */
    MATCH_DISTANCES = 30,
    MATCH_SYMBOLS = MATCH_LITERALS + MATCH_DISTANCES,
    MATCH_CODE_MOST = 15,         /* bits of the longest code */
    MATCH_EXITS = IMG_MATCH_MOST, /* possible ends of a segment's last token, counted in bytes after
                                   * the segment */
    MATCH_MARKS = IMG_MATCH_SEGMENT / 32, /* words with a bit per position */
    /* Bytes after a unit that may be read, although they do not belong to it; up to three bytes
     * before it may be read too. */
    MATCH_TAIL = 36,
    MATCH_HEADER_WORDS = 84, /* words of a block header: 316 code lengths of seven bits each, and
                              * the fields before them */
};

/* One unit of data. */
typedef struct MatchUnit {
    const uint8_t *data;
    uint32_t size;          /* bytes, less than 2^28; 0: skip this unit */
    uint32_t first_segment; /* index of its first segment in the arrays by segment; first_block: the
                             * same in those by block */
    uint32_t first_block;
    uint32_t blocks; /* result: number of deflate blocks; starts at 0 */
    uint64_t bits;   /* result: bits of all its blocks; starts at 0 */
} MatchUnit;

/* The match at a position: its length in the low bits, its candidate (MATCH_FROM_PIXEL and so on)
 * in the bits from MATCH_FROM_SHIFT upwards. 0 means a literal. */
typedef uint16_t Match;
enum { MATCH_FROM_PIXEL, MATCH_FROM_ROW, MATCH_FROM_BYTE, MATCH_FROM_TABLE, MATCH_FROM_SHIFT = 9 };

/* Symbol counts of a segment. */
typedef struct MatchCounts {
    uint16_t symbols[MATCH_SYMBOLS]; /* aligned to four bytes, because symbols are read in pairs */
    uint16_t extra;                  /* total of extra bits */
    uint16_t tokens;                 /* number of tokens that begin in the segment */
} MatchCounts;

/* The entry of a segment, its block and its size. */
typedef struct MatchSegment {
    uint32_t entry; /* position of the segment's first token, relative to the segment's start */
    uint32_t block; /* index of its deflate block within the unit */
    uint32_t bits;  /* size; includes the header if the segment begins a block, and the end code if
                     * it ends one */
} MatchSegment;

typedef struct MatchBlock {
    uint32_t first_segment, segments; /* the block's first segment, as an index within the unit;
                                       * number of its segments */
    uint32_t header_bits;             /* including the block's first three bits */
} MatchBlock;

/* Input, workspace and results of the four stages. The arrays are indexed by segment or by block,
 * across all units. */
typedef struct MatchJob {
    ImgMatchRows rows;
    uint32_t count; /* number of units */
    uint32_t most;  /* bytes of the largest unit */
    MatchUnit *units;
    uint32_t *literals; /* 256 per unit: counts of the literals at the positions that determine
                         * costs; must start as zeros */
    uint16_t *back;     /* by position: distance of the table's candidate; 0: none */
    Match *matches;     /* by position */
    uint16_t *exits;    /* MATCH_EXITS per segment, one for each possible entry: bytes after the
                         * segment at which its last token ends */
    uint32_t *marks;    /* MATCH_MARKS per segment: bit i is set if a token begins at position i */
    MatchCounts *counts;
    MatchSegment *segments;
    MatchBlock *blocks;
    uint32_t *codes;   /* MATCH_SYMBOLS per block: the code in the low bits, its length from bit 24
                        * upwards */
    uint32_t *headers; /* MATCH_HEADER_WORDS per block */
    uint32_t is_last;  /* 1 if the last block of the last unit ends the stream */
} MatchJob;

IMG_HOST_DEVICE uint32_t match_segments(uint64_t size)
{
    return (uint32_t)((size + IMG_MATCH_SEGMENT - 1) / IMG_MATCH_SEGMENT);
}

/* Returns the largest possible number of blocks of a unit of `size` bytes. Every block except the
 * last one has at least IMG_MATCH_BLOCK_TOKENS tokens. */
IMG_HOST_DEVICE uint32_t match_blocks(uint64_t size)
{
    return (uint32_t)(size / IMG_MATCH_BLOCK_TOKENS) + 1;
}

/* Returns the number of positions at which at least eight bytes (IMG_MATCH_WORD) are left. */
IMG_HOST_DEVICE uint32_t match_words(uint32_t size)
{
    return size < IMG_MATCH_WORD ? 0 : size - IMG_MATCH_WORD + 1;
}

/* Returns the distance of a match in bytes. `back` is the distance of the hash table's candidate at
 * the same position. */
IMG_HOST_DEVICE uint32_t match_distance(const ImgMatchRows *rows, Match match, uint32_t back)
{
    switch (match >> MATCH_FROM_SHIFT) {
    case MATCH_FROM_PIXEL:
        return rows->pixel;
    case MATCH_FROM_ROW:
        return rows->stride;
    case MATCH_FROM_BYTE:
        return 1;
    default:
        return back;
    }
}

#ifdef __cplusplus
extern "C" {
#endif

/* The stages in order; each launches its kernels on `stream`. img_match_find finds the hash table's
 * candidates and counts literals; img_match_choose chooses the best match of each position;
 * img_match_take determines the tokens; img_match_codes plans the blocks. */
void img_match_find(const MatchJob *job, void *stream);
void img_match_choose(const MatchJob *job, void *stream);
void img_match_take(const MatchJob *job, void *stream);
void img_match_codes(const MatchJob *job, void *stream);

#ifdef __cplusplus
}
#endif
#endif
