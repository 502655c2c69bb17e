/* Private: finds the LZ77 matches of many pieces of filtered data in parallel, by the rule of
 * io/png/deflate/match_rule.h, and plans their deflate blocks. io/png/deflate/matches.c gives the
 * same results on a CPU. */
#ifndef IMGTOOL_IO_PNG_CUDA_MATCHES_MATCH_JOB_H
#define IMGTOOL_IO_PNG_CUDA_MATCHES_MATCH_JOB_H

#include "io/png/deflate/match_rule.h"
#include "kernels/core/cuda/host_device.h"

enum {
    MATCH_LITERALS = 286, /* literals, the end of a block, lengths */
    MATCH_DISTANCES = 30,
    MATCH_SYMBOLS = MATCH_LITERALS + MATCH_DISTANCES,
    MATCH_CODE_MOST = 15,                 /* bits */
    MATCH_EXITS = IMG_MATCH_MOST,         /* places behind a segment where its last token may end */
    MATCH_MARKS = IMG_MATCH_SEGMENT / 32, /* words with a bit for each position */
    /* Bytes behind a unit that may be read, as up to three before it: they need not be its own. */
    MATCH_TAIL = 36,
    MATCH_HEADER_WORDS = 84, /* of a block: 316 lengths of seven bits each, and what is before */
};

/* A piece of data. Its matches stay inside it. */
typedef struct MatchUnit {
    const uint8_t *data;
    uint32_t size;          /* bytes, less than 2^28; 0 if the unit is not wanted */
    uint32_t first_segment; /* its index in the arrays below */
    uint32_t first_block;
    uint32_t blocks; /* deflate blocks, a result; starts at 0 */
    uint64_t bits;   /* of all its blocks, a result; starts at 0 */
} MatchUnit;

/* A position's match: its length, and above MATCH_FROM_SHIFT the candidate that it comes from. 0
 * stands for a literal. */
typedef uint16_t Match;
enum { MATCH_FROM_PIXEL, MATCH_FROM_ROW, MATCH_FROM_BYTE, MATCH_FROM_TABLE, MATCH_FROM_SHIFT = 9 };

/* Symbol counts of a segment. */
typedef struct MatchCounts {
    uint16_t symbols[MATCH_SYMBOLS]; /* aligned to four bytes: read in pairs */
    uint16_t extra;                  /* bits beside the codes */
    uint16_t tokens;                 /* that begin in it */
} MatchCounts;

/* The entry and the size of a segment. */
typedef struct MatchSegment {
    uint32_t entry; /* where its first token begins, from its first position on */
    uint32_t block; /* of the unit's */
    uint32_t bits;  /* including the header if it begins a block, and the end code if it ends one */
} MatchSegment;

typedef struct MatchBlock {
    uint32_t first_segment, segments; /* of the unit's */
    uint32_t header_bits;             /* with the three that open it */
} MatchBlock;

/* The arrays are by segment or by block, through all units. */
typedef struct MatchJob {
    ImgMatchRows rows;
    uint32_t count; /* units */
    uint32_t most;  /* bytes of the largest */
    MatchUnit *units;
    uint32_t *literals; /* 256 counts by unit, of the positions that costs come from; 0 at first */
    uint16_t *back;     /* by position: how far back the table leads; 0: nowhere */
    Match *matches;     /* by position */
    uint16_t *exits;    /* MATCH_EXITS by segment: where it is left, by where it was entered */
    uint32_t *marks;    /* MATCH_MARKS by segment: a bit for each position where a token begins */
    MatchCounts *counts;
    MatchSegment *segments;
    MatchBlock *blocks;
    uint32_t *codes;   /* MATCH_SYMBOLS by block: the code, and above 24 bits its length */
    uint32_t *headers; /* MATCH_HEADER_WORDS by block */
    uint32_t is_last;  /* whether the last unit's last block ends the stream */
} MatchJob;

IMG_HOST_DEVICE uint32_t match_segments(uint64_t size)
{
    return (uint32_t)((size + IMG_MATCH_SEGMENT - 1) / IMG_MATCH_SEGMENT);
}

/* Returns an upper bound: every block except the last has IMG_MATCH_BLOCK_TOKENS tokens or more. */
IMG_HOST_DEVICE uint32_t match_blocks(uint64_t size)
{
    return (uint32_t)(size / IMG_MATCH_BLOCK_TOKENS) + 1;
}

/* Returns the number of positions that have a whole word. */
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

/* The stages, in their order. Each launches on `stream` what it needs. What the table leads to, and
 * the counts of literals; the best candidate of each position; the tokens; the blocks. */
void img_match_find(const MatchJob *job, void *stream);
void img_match_choose(const MatchJob *job, void *stream);
void img_match_take(const MatchJob *job, void *stream);
void img_match_codes(const MatchJob *job, void *stream);

#ifdef __cplusplus
}
#endif
#endif
