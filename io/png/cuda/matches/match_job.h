/* Private: finds the LZ77 matches of many pieces of filtered data in parallel, by the rule of
 * io/png/deflate/match_rule.h, and plans their deflate blocks. io/png/deflate/matches.c gives the
 * same results on a CPU. */
#ifndef IMGTOOL_IO_PNG_CUDA_MATCHES_MATCH_JOB_H
#define IMGTOOL_IO_PNG_CUDA_MATCHES_MATCH_JOB_H

#include "io/png/deflate/match_rule.h"
#include "kernels/core/cuda/host_device.h"

enum {
    MATCH_LITERALS = 286, /* literals, end of block, lengths */
    MATCH_DISTANCES = 30,
    MATCH_SYMBOLS = MATCH_LITERALS + MATCH_DISTANCES,
    MATCH_CODE_MOST = 15,                 /* bits of the longest code */
    MATCH_EXITS = IMG_MATCH_MOST,         /* places after a segment where its last token may end */
    MATCH_MARKS = IMG_MATCH_SEGMENT / 32, /* words with a bit per position */
    /* Bytes after a unit that may be read, as up to three before it; they need not belong to the
     * unit. */
    MATCH_TAIL = 36,
    MATCH_HEADER_WORDS =
        84, /* of a block: 316 lengths of seven bits each, and what precedes them */
};

/* A piece of data. Its matches do not refer to other units. */
typedef struct MatchUnit {
    const uint8_t *data;
    uint32_t size;          /* bytes, less than 2^28; 0: the unit is not wanted */
    uint32_t first_segment; /* index in the arrays by segment; next field: by block */
    uint32_t first_block;
    uint32_t blocks; /* result: number of deflate blocks; starts at 0 */
    uint64_t bits;   /* result: bits of all its blocks; starts at 0 */
} MatchUnit;

/* A position's match: its length, and from MATCH_FROM_SHIFT on the candidate that it comes from. 0
 * is a literal. */
typedef uint16_t Match;
enum { MATCH_FROM_PIXEL, MATCH_FROM_ROW, MATCH_FROM_BYTE, MATCH_FROM_TABLE, MATCH_FROM_SHIFT = 9 };

/* Symbol counts of a segment. */
typedef struct MatchCounts {
    uint16_t symbols[MATCH_SYMBOLS]; /* aligned to four bytes, because it is read in pairs */
    uint16_t extra;                  /* extra bits */
    uint16_t tokens;                 /* number of tokens that begin in it */
} MatchCounts;

/* The entry and the size of a segment. */
typedef struct MatchSegment {
    uint32_t entry; /* position of its first token, relative to the segment */
    uint32_t block; /* index within the unit */
    uint32_t bits;  /* including the header if it begins a block, and the end code if it ends one */
} MatchSegment;

typedef struct MatchBlock {
    uint32_t first_segment, segments; /* within the unit */
    uint32_t header_bits;             /* including the block's first three bits */
} MatchBlock;

/* The arrays are indexed by segment or by block, across all units. */
typedef struct MatchJob {
    ImgMatchRows rows;
    uint32_t count; /* number of units */
    uint32_t most;  /* bytes of the largest unit */
    MatchUnit *units;
    uint32_t *literals; /* by unit: 256 counts of the positions that determine costs; 0 at first */
    uint16_t *back;     /* by position: distance of the table's candidate; 0: none */
    Match *matches;     /* by position */
    uint16_t *exits;    /* MATCH_EXITS by segment: position where it is left, by that where it is
                         * entered */
    uint32_t *marks;    /* MATCH_MARKS by segment: a bit for each position where a token begins */
    MatchCounts *counts;
    MatchSegment *segments;
    MatchBlock *blocks;
    uint32_t *codes;   /* MATCH_SYMBOLS by block: the code, its length from bit 24 on */
    uint32_t *headers; /* MATCH_HEADER_WORDS by block */
    uint32_t is_last;  /* the last unit's last block ends the stream */
} MatchJob;

IMG_HOST_DEVICE uint32_t match_segments(uint64_t size)
{
    return (uint32_t)((size + IMG_MATCH_SEGMENT - 1) / IMG_MATCH_SEGMENT);
}

/* Returns an upper bound: every block except the last has at least IMG_MATCH_BLOCK_TOKENS
 * tokens. */
IMG_HOST_DEVICE uint32_t match_blocks(uint64_t size)
{
    return (uint32_t)(size / IMG_MATCH_BLOCK_TOKENS) + 1;
}

/* Returns the number of positions that are followed by a whole word. */
IMG_HOST_DEVICE uint32_t match_words(uint32_t size)
{
    return size < IMG_MATCH_WORD ? 0 : size - IMG_MATCH_WORD + 1;
}

/* Returns the distance of a match; `back` is the table's distance for its position. */
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

/* The stages in order; each launches its kernels on `stream`. They find the table's candidates and
 * count literals, choose the best candidate of each position, determine the tokens, and plan the
 * blocks. */
void img_match_find(const MatchJob *job, void *stream);
void img_match_choose(const MatchJob *job, void *stream);
void img_match_take(const MatchJob *job, void *stream);
void img_match_codes(const MatchJob *job, void *stream);

#ifdef __cplusplus
}
#endif
#endif
