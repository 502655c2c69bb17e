/* Private to matches*.c: the state of the walk, which is the loop over the data that finds matches.
 * Also declares the versions of the walk for several instruction sets. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_MATCHES_WALK_H
#define IMGTOOL_IO_PNG_DEFLATE_MATCHES_WALK_H

#include <stdint.h>

#include "io/png/deflate/match_rule.h"
#include "io/png/deflate/sequences.h"

enum {
    IMG_MATCHES_SUMS = 1 << 10, /* sums in the ring buffer: more than the longest match needs */
    IMG_MATCHES_SEQUENCES = IMG_MATCH_BLOCK_TOKENS + IMG_MATCH_SEGMENT + 1,
};

/* Candidates for a match whose distance is the same at all positions: one pixel, row or byte
 * back. */
typedef enum ImgMatchFixed {
    IMG_MATCH_PIXEL,
    IMG_MATCH_ROW,
    IMG_MATCH_BYTE,
    IMG_MATCH_FIXED,
} ImgMatchFixed;

/* Properties of a group of 32 positions. Bit i of each mask belongs to position i of the group. */
typedef struct ImgMatchGroup {
    /* Bytes that equal the byte one pixel, row or byte back. These masks extend beyond the group,
     * to IMG_EQUAL_BYTES positions. */
    uint64_t equal[IMG_MATCH_FIXED];
    /* Positions with enough equal bytes for a match one pixel, row or byte back. */
    uint32_t starts[IMG_MATCH_FIXED];
    /* Positions whose bytes equal those at the position that the table held for them (`places`). */
    uint32_t found;
    uint32_t candidates; /* positions that have at least one candidate for a match */
    /* For each position of the group: the position that the table held in its slot. */
    uint32_t places[IMG_MATCH_GROUP];
} ImgMatchGroup;

typedef struct ImgMatchWalk {
    struct ImgMatches *work;
    const ImgMatchRows *rows;
    const uint8_t *data;
    uint64_t factor; /* factor for hashing an eight-byte word */
    uint64_t hashed; /* mask of the bits of a word that are hashed */
    /* Distances in bytes of the candidates at fixed distances. distance_costs has their costs. */
    uint32_t distances[IMG_MATCH_FIXED];
    uint32_t distance_costs[IMG_MATCH_FIXED];
    /* `size`: bytes of data. `words`: number of positions with at least eight bytes left. */
    uint32_t size, words;
    /* End of the groups whose masks are computed and whose positions are in the table. */
    uint32_t ready;
    uint32_t summed; /* the sums of literal costs are computed up to this position */
    /* Start and end of the current run. Its bytes equal the bytes one pixel before. */
    uint32_t run_from, run_to;
} ImgMatchWalk;

typedef struct ImgMatchTokens {
    ImgSequence *sequences;
    size_t count;
    /* `tokens`: number of tokens in the block. `literals`: number of literals since the last
     * match. */
    uint32_t tokens, literals;
} ImgMatchTokens;

typedef struct ImgMatchLoops {
    /* Computes the cost of each literal from a sample of the data. */
    void (*set_costs)(const ImgMatchWalk *walk);
    /* Selects the tokens of the block that starts at `at`, and stores them as sequences. Returns
     * the end of the block. */
    uint32_t (*parse_block)(ImgMatchWalk *walk, uint32_t at, ImgMatchTokens *tokens);
} ImgMatchLoops;

struct ImgMatches {
    const ImgMatchLoops *loops;
    uint32_t slots[IMG_MATCH_SLOTS];
    uint32_t costs[256]; /* costs of the literals in sixteenths of a bit */
    uint8_t byte_costs[256];
    uint16_t length_costs[IMG_MATCH_MOST + 1];
    /* Ring buffer, indexed by position: the total literal cost of all bytes before the position,
     * modulo 2^16. */
    uint16_t sums[IMG_MATCHES_SUMS];
    ImgMatchGroup groups[2]; /* the group of the current position, and the next group */
    ImgSequence sequences[IMG_MATCHES_SEQUENCES];
};

extern const ImgMatchLoops img_match_portable;
extern const ImgMatchLoops img_match_avx2;
extern const ImgMatchLoops img_match_vbmi;

#endif
