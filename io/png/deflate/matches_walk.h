/* Private to matches*.c: the state of the walk (the loop over the data that finds matches), and the
 * walk's versions for several instruction sets. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_MATCHES_WALK_H
#define IMGTOOL_IO_PNG_DEFLATE_MATCHES_WALK_H

#include <stdint.h>

#include "io/png/deflate/match_rule.h"
#include "io/png/deflate/sequences.h"

enum {
    IMG_MATCHES_SUMS = 1 << 10, /* entries of a ring buffer; it holds a match and two steps */
    IMG_MATCHES_SEQUENCES = IMG_MATCH_BLOCK_TOKENS + IMG_MATCH_SEGMENT + 1,
};

/* Candidates at distances that are the same for all positions. */
typedef enum ImgMatchFixed {
    IMG_MATCH_PIXEL,
    IMG_MATCH_ROW,
    IMG_MATCH_BYTE,
    IMG_MATCH_FIXED,
} ImgMatchFixed;

/* Properties of a group of positions; bit i stands for position i of the group. */
typedef struct ImgMatchGroup {
    /* Bytes that equal those one pixel, row or byte back; for IMG_EQUAL_BYTES positions. */
    uint64_t equal[IMG_MATCH_FIXED];
    uint32_t starts[IMG_MATCH_FIXED]; /* positions at which this candidate is long enough */
    uint32_t found;                   /* positions for which the table leads to equal bytes */
    uint32_t candidates;              /* positions that have any candidate */
    uint32_t places[IMG_MATCH_GROUP]; /* positions that the table held */
} ImgMatchGroup;

typedef struct ImgMatchWalk {
    struct ImgMatches *work;
    const ImgMatchRows *rows;
    const uint8_t *data;
    uint64_t factor;                     /* factor of the hash */
    uint64_t hashed;                     /* mask of the hashed bits of a word */
    uint32_t distances[IMG_MATCH_FIXED]; /* fixed distances in bytes; distance_costs: their costs */
    uint32_t distance_costs[IMG_MATCH_FIXED];
    /* Bytes of data; number of positions at which at least eight bytes are left. */
    uint32_t size, words;
    uint32_t ready;  /* positions before it are entered, and their groups computed */
    uint32_t summed; /* sums of costs are computed up to this position */
    /* Start and end of the current run, in which bytes equal those one pixel back. */
    uint32_t run_from, run_to;
} ImgMatchWalk;

typedef struct ImgMatchTokens {
    ImgSequence *sequences;
    size_t count;
    /* Number of tokens of the block; number of literals since the last match. */
    uint32_t tokens, literals;
} ImgMatchTokens;

typedef struct ImgMatchLoops {
    /* Computes the costs of literals. */
    void (*set_costs)(const ImgMatchWalk *walk);
    /* Parses a block that starts at `at` into sequences. Returns its end. */
    uint32_t (*parse_block)(ImgMatchWalk *walk, uint32_t at, ImgMatchTokens *tokens);
} ImgMatchLoops;

struct ImgMatches {
    const ImgMatchLoops *loops;
    uint32_t slots[IMG_MATCH_SLOTS];
    uint32_t costs[256]; /* of literals */
    uint8_t byte_costs[256];
    uint16_t length_costs[IMG_MATCH_MOST + 1];
    /* Ring buffer by position: total cost of all bytes before the position, modulo 2^16. */
    uint16_t sums[IMG_MATCHES_SUMS];
    ImgMatchGroup groups[2]; /* group of the current position, and the next one */
    ImgSequence sequences[IMG_MATCHES_SEQUENCES];
};

extern const ImgMatchLoops img_match_portable;
extern const ImgMatchLoops img_match_avx2;
extern const ImgMatchLoops img_match_vbmi;

#endif
