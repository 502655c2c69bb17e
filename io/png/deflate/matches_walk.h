/* Private to matches*.c: the state of the walk through the data, and its versions for instruction
 * levels. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_MATCHES_WALK_H
#define IMGTOOL_IO_PNG_DEFLATE_MATCHES_WALK_H

#include <stdint.h>

#include "io/png/deflate/match_rule.h"
#include "io/png/deflate/sequences.h"

enum {
    IMG_MATCHES_SUMS = 1 << 10, /* more than a match and two steps */
    IMG_MATCHES_SEQUENCES = IMG_MATCH_BLOCK_TOKENS + IMG_MATCH_SEGMENT + 1,
};

/* Distances that all positions share. */
typedef enum ImgMatchFixed {
    IMG_MATCH_PIXEL,
    IMG_MATCH_ROW,
    IMG_MATCH_BYTE,
    IMG_MATCH_FIXED,
} ImgMatchFixed;

/* Facts about a group of positions. Bit i belongs to position i of the group. */
typedef struct ImgMatchGroup {
    uint64_t equal[IMG_MATCH_FIXED];  /* bytes so far back; of IMG_EQUAL_BYTES positions */
    uint32_t starts[IMG_MATCH_FIXED]; /* of candidates there */
    uint32_t found;                   /* in the table */
    uint32_t candidates;              /* any */
    uint32_t places[IMG_MATCH_GROUP]; /* where the table leads */
} ImgMatchGroup;

typedef struct ImgMatchWalk {
    struct ImgMatches *work;
    const ImgMatchRows *rows;
    const uint8_t *data;
    uint64_t factor;                     /* of hashes */
    uint64_t hashed;                     /* the bits of a word that are hashed */
    uint32_t distances[IMG_MATCH_FIXED]; /* and their costs */
    uint32_t distance_costs[IMG_MATCH_FIXED];
    uint32_t size, words;      /* positions with a whole word */
    uint32_t ready;            /* groups before it are known and entered */
    uint32_t summed;           /* sums up to it are known */
    uint32_t run_from, run_to; /* bytes like those a pixel back; the one behind is not */
} ImgMatchWalk;

typedef struct ImgMatchTokens {
    ImgSequence *sequences;
    size_t count;
    uint32_t tokens, literals; /* literals since the last match */
} ImgMatchTokens;

typedef struct ImgMatchLoops {
    /* Sets the costs of literals. */
    void (*set_costs)(const ImgMatchWalk *walk);
    /* The sequences from `at` on, of a block. Returns where it ends. */
    uint32_t (*parse_block)(ImgMatchWalk *walk, uint32_t at, ImgMatchTokens *tokens);
} ImgMatchLoops;

struct ImgMatches {
    const ImgMatchLoops *loops;
    uint32_t slots[IMG_MATCH_SLOTS];
    uint32_t costs[256]; /* of literals */
    uint8_t byte_costs[256];
    uint16_t length_costs[IMG_MATCH_MOST + 1];
    uint16_t sums[IMG_MATCHES_SUMS]; /* of costs of bytes before, by position; modulo 2^16 */
    ImgMatchGroup groups[2];         /* that of the position, and the next */
    ImgSequence sequences[IMG_MATCHES_SEQUENCES];
};

extern const ImgMatchLoops img_match_portable;
extern const ImgMatchLoops img_match_avx2;
extern const ImgMatchLoops img_match_vbmi;

#endif
