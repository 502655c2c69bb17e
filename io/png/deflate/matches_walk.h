/* Private to matches*.c: the state of the walk through the data, and its versions for instruction
 * levels. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_MATCHES_WALK_H
#define IMGTOOL_IO_PNG_DEFLATE_MATCHES_WALK_H

#include <stdint.h>

#include "io/png/deflate/match_rule.h"
#include "io/png/deflate/sequences.h"

enum {
    IMG_MATCHES_SUMS = 1 << 10, /* size of a ring buffer that holds a match and two steps */
    IMG_MATCHES_SEQUENCES = IMG_MATCH_BLOCK_TOKENS + IMG_MATCH_SEGMENT + 1,
};

/* Distances that are the same for all positions. */
typedef enum ImgMatchFixed {
    IMG_MATCH_PIXEL,
    IMG_MATCH_ROW,
    IMG_MATCH_BYTE,
    IMG_MATCH_FIXED,
} ImgMatchFixed;

/* Facts about a group of positions; bit i stands for position i of the group. */
typedef struct ImgMatchGroup {
    uint64_t equal[IMG_MATCH_FIXED];  /* bytes equal to those one pixel, row or byte back, for
                                       * IMG_EQUAL_BYTES positions */
    uint32_t starts[IMG_MATCH_FIXED]; /* positions where such a candidate is long enough */
    uint32_t found;                   /* positions where the table leads to equal bytes */
    uint32_t candidates;              /* positions with any candidate */
    uint32_t places[IMG_MATCH_GROUP]; /* the positions that the table holds */
} ImgMatchGroup;

typedef struct ImgMatchWalk {
    struct ImgMatches *work;
    const ImgMatchRows *rows;
    const uint8_t *data;
    uint64_t factor;                     /* hash factor */
    uint64_t hashed;                     /* mask of the hashed bits of a word */
    uint32_t distances[IMG_MATCH_FIXED]; /* fixed distances, and their costs */
    uint32_t distance_costs[IMG_MATCH_FIXED];
    uint32_t size, words;      /* bytes of data; positions that are followed by a whole word */
    uint32_t ready;            /* positions before it are entered, and their groups computed */
    uint32_t summed;           /* sums up to this position are computed */
    uint32_t run_from, run_to; /* current run: bytes equal to those one pixel back */
} ImgMatchWalk;

typedef struct ImgMatchTokens {
    ImgSequence *sequences;
    size_t count;
    uint32_t tokens, literals; /* tokens of the block; literals since the last match */
} ImgMatchTokens;

typedef struct ImgMatchLoops {
    /* Computes the costs of literals. */
    void (*set_costs)(const ImgMatchWalk *walk);
    /* Parses a block from `at` on into sequences. Returns its end. */
    uint32_t (*parse_block)(ImgMatchWalk *walk, uint32_t at, ImgMatchTokens *tokens);
} ImgMatchLoops;

struct ImgMatches {
    const ImgMatchLoops *loops;
    uint32_t slots[IMG_MATCH_SLOTS];
    uint32_t costs[256]; /* of literals */
    uint8_t byte_costs[256];
    uint16_t length_costs[IMG_MATCH_MOST + 1];
    uint16_t sums[IMG_MATCHES_SUMS]; /* ring buffer by position: sum of the costs of all bytes
                                      * before, modulo 2^16 */
    ImgMatchGroup groups[2];         /* group of the current position, and the next one */
    ImgSequence sequences[IMG_MATCHES_SEQUENCES];
};

extern const ImgMatchLoops img_match_portable;
extern const ImgMatchLoops img_match_avx2;
extern const ImgMatchLoops img_match_vbmi;

#endif
