/* Private: for each position, the nearest match of every length at which a farther one begins to
 * pay. The finder keeps a binary tree for each hash of three bytes. A tree is sorted by the bytes
 * at its positions, and each node is newer than its children. So the way from the root down visits
 * positions from near to far. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_EXACT_MATCHES_H
#define IMGTOOL_IO_PNG_DEFLATE_EXACT_MATCHES_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/exact_symbols.h"

enum { IMG_EXACT_HASH_BITS = 16, IMG_EXACT_POSITION_MOST_MATCHES = IMG_DISTANCES };

/* An empty link. It counts as a position out of reach, because positions are below 2^31. */
static const uint32_t IMG_EXACT_NOWHERE = 0xC0000000;

typedef struct ImgExactFinder {
    const uint8_t *data; /* borrowed */
    uint32_t size;
    unsigned hash_bits; /* small data uses fewer bits */
    /* Newest position of each hash: the root of its tree. Positions out of reach count as none. */
    uint32_t roots[1 << IMG_EXACT_HASH_BITS];
    /* The two children of each position, by position modulo the largest distance. */
    uint32_t children[IMG_DISTANCE_MOST][2];
} ImgExactFinder;

/* The matches at a range of positions. The arrays belong to the caller. */
typedef struct ImgExactMatches {
    /* starts[i] is the index of the first match at position i of the range; starts[i + 1] ends the
     * matches of position i. */
    uint32_t *starts;
    /* The matches of a position have ascending lengths and distances. A match stands for its whole
     * length and for all shorter ones. All have different distance codes: of two matches with equal
     * codes the longer one serves all lengths at the same cost. */
    ImgExactSymbol *matches;
    size_t room; /* capacity of `matches` */
} ImgExactMatches;

/* Begins new data of at most INT32_MAX bytes. */
void img_exact_finder_begin(ImgExactFinder *finder, const uint8_t *data, size_t size);

/* Finds the matches at up to `count` positions from `from` on, which must be the position after the
 * last one of the call before. Looks at no more than `depth` earlier positions for each. Returns
 * the number of positions; it is below `count` only if `room` is used up, and at least 1. `room`
 * must be at least IMG_EXACT_POSITION_MOST_MATCHES. */
uint32_t img_exact_find(ImgExactFinder *finder, uint32_t from, uint32_t count, uint32_t depth,
                        ImgExactMatches *matches);

/* The variants of img_exact_find. All find the same matches. */
typedef uint32_t ImgExactFind(ImgExactFinder *finder, uint32_t from, uint32_t count, uint32_t depth,
                              ImgExactMatches *matches);
ImgExactFind img_exact_find_portable, img_exact_find_avx2;

#endif
