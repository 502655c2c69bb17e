/* Private: finds the LZ77 matches of many units of filtered data in parallel, by the rule of
 * io/png/deflate/match_rule.h, and plans their deflate blocks. io/png/deflate/matches.c gives the
 * same results on a CPU.
 *
 * A unit is the data of one search: a strip, or a sample of a strip. Its matches do not refer to
 * other units. A token is a literal or a match. A segment is 4,096 consecutive positions of a unit
 * (IMG_MATCH_SEGMENT). The entry of a segment is the position of its first token. The exit of a
 * segment is the end of its last token, which may lie after the segment. */
#ifndef IMGTOOL_IO_PNG_CUDA_MATCHES_MATCH_JOB_H
#define IMGTOOL_IO_PNG_CUDA_MATCHES_MATCH_JOB_H

#include <stddef.h>

#include "io/png/deflate/match_rule.h"
#include "kernels/core/cuda/host_device.h"

enum {
    MATCH_LITERALS = 286, /* number of symbols: literals, end of block and match lengths */
    MATCH_DISTANCES = 30,
    MATCH_SYMBOLS = MATCH_LITERALS + MATCH_DISTANCES,
    MATCH_CODE_MOST = 15, /* length of the longest Huffman code in bits */
    /* Number of possible exits of a segment. An exit is the number of bytes by which the segment's
     * last token extends past the segment. */
    MATCH_EXITS = IMG_MATCH_MOST,
    /* Number of 32-bit words that hold one bit per position of a segment. */
    MATCH_MARKS = IMG_MATCH_SEGMENT / 32,
    /* Number of bytes after a unit that may be read although they do not belong to the unit. Up to
     * three bytes before a unit may be read too. */
    MATCH_TAIL = 36,
    /* Number of 32-bit words reserved for a block header. 316 code lengths of at most seven bits
     * each, and the fields before them, take less. */
    MATCH_HEADER_WORDS = 84,
};

/* The data of one search, and the size of its deflate blocks. */
typedef struct MatchUnit {
    const uint8_t *data;
    uint32_t size; /* size of the data in bytes, less than 2^28; 0: all kernels skip this unit */
    /* Indices of the unit's first segment and first block in the arrays of MatchJob. */
    uint32_t first_segment;
    uint32_t first_block;
    uint32_t blocks; /* result: number of deflate blocks; the caller sets it to 0 */
    uint64_t bits;   /* result: total size of the blocks in bits; the caller sets it to 0 */
} MatchUnit;

/* The match at a position: its length in the low bits, its candidate (MATCH_FROM_PIXEL and so on)
 * in the bits from MATCH_FROM_SHIFT upwards. The value 0 means a literal. */
typedef uint16_t Match;
enum { MATCH_FROM_PIXEL, MATCH_FROM_ROW, MATCH_FROM_BYTE, MATCH_FROM_TABLE, MATCH_FROM_SHIFT = 9 };

/* Counts of the symbols in a segment. */
typedef struct MatchCounts {
    /* Number of times that each symbol occurs. Must be aligned to four bytes, because symbols are
     * read in pairs. */
    uint16_t symbols[MATCH_SYMBOLS];
    uint16_t extra;  /* total number of extra bits of match lengths and distances */
    uint16_t tokens; /* number of tokens that begin in the segment */
} MatchCounts;

/* First token, deflate block and size of a segment. */
typedef struct MatchSegment {
    uint32_t entry; /* position of the segment's first token, counted from the segment's start */
    uint32_t block; /* index of the segment's deflate block within the unit */
    /* Size in bits. Includes the block header if the segment is the first of its block, and the
     * end-of-block code if it is the last. */
    uint32_t bits;
} MatchSegment;

typedef struct MatchBlock {
    /* Index of the block's first segment within the unit, and number of the block's segments. */
    uint32_t first_segment, segments;
    /* Size of the header, including the block's first three bits. */
    uint32_t header_bits;
} MatchBlock;

/* Input, workspace and results of the four stages below. The arrays cover all units; they are
 * indexed by unit, position, segment or block. */
typedef struct MatchJob {
    ImgMatchRows rows;
    uint32_t count; /* number of units */
    uint32_t most;  /* size of the largest unit in bytes */
    MatchUnit *units;
    /* 256 counts per unit: how often each byte value occurs among the positions that determine
     * literal costs. The caller sets them to 0. */
    uint32_t *literals;
    /* By position: distance in bytes to the candidate of the hash table; 0: no candidate. */
    uint16_t *back;
    Match *matches; /* match of each position; 0: a literal */
    /* MATCH_EXITS per segment, one for each possible entry (position of the first token): by how
     * many bytes the last token then extends past the segment. */
    uint16_t *exits;
    uint32_t *marks; /* MATCH_MARKS per segment; bit i is set if a token begins at position i */
    MatchCounts *counts;
    MatchSegment *segments;
    MatchBlock *blocks;
    /* MATCH_SYMBOLS per block. Each word has the code in the low bits and its length from bit 24
     * upwards. */
    uint32_t *codes;
    uint32_t *headers; /* block headers: MATCH_HEADER_WORDS per block */
    uint32_t is_last;  /* 1 if the last block of the last unit ends the stream */
} MatchJob;

IMG_HOST_DEVICE uint32_t match_segments(uint64_t size)
{
    return (uint32_t)((size + IMG_MATCH_SEGMENT - 1) / IMG_MATCH_SEGMENT);
}

/* Returns the largest possible number of deflate blocks for `size` bytes of data. Every block
 * except the last has at least IMG_MATCH_BLOCK_TOKENS tokens. */
IMG_HOST_DEVICE uint32_t match_blocks(uint64_t size)
{
    return (uint32_t)(size / IMG_MATCH_BLOCK_TOKENS) + 1;
}

/* Returns the number of positions in `size` bytes of data at which at least eight bytes
 * (IMG_MATCH_WORD) are left. Only these positions can start a match. */
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

/* The jobs that one launch processes: a job in host memory, or many jobs in device memory. */
typedef struct MatchBatch {
    const MatchJob *one;  /* in host memory; NULL if there are many jobs */
    const MatchJob *many; /* first of the jobs in device memory */
    size_t stride;        /* bytes from one of the many jobs to the next */
    uint32_t count;       /* number of jobs */
    uint32_t units, most; /* largest number of units of a job, largest size of a unit in bytes */
    uint64_t positions;   /* sum over all jobs of their units times their largest size */
} MatchBatch;

/* Includes a job in the sizes of the batch. */
static inline void match_include(MatchBatch *batch, const MatchJob *job)
{
    batch->count++;
    batch->units = batch->units > job->count ? batch->units : job->count;
    if (job->count > 0)
        batch->most = batch->most > job->most ? batch->most : job->most;
    batch->positions += (uint64_t)job->most * job->count;
}

#ifdef __cplusplus
extern "C" {
#endif

/* The stages in their order. Each launches its kernels on `stream`. img_match_find finds the hash
 * table's candidates and counts literals. img_match_choose chooses the best match of each position.
 * img_match_take determines the tokens. img_match_codes plans the blocks. */
void img_match_find(const MatchBatch *batch, void *stream);
void img_match_choose(const MatchBatch *batch, void *stream);
void img_match_take(const MatchBatch *batch, void *stream);
void img_match_codes(const MatchBatch *batch, void *stream);

#ifdef __cplusplus
}
#endif
#endif
