/* Finds matches. This file is compiled once for each instruction set
 * (kernels/core/parallel/cpu.h). */
#include "io/png/deflate/exact_matches.h"

#include <stdbool.h>
#include <string.h>

#include "io/bytes.h"
#include "kernels/core/parallel/cpu.h"

enum { HASHED_BYTES = 3 };

static inline uint32_t hash(const ImgExactFinder *finder, const uint8_t *here)
{
    const uint32_t word = here[0] | (uint32_t)here[1] << 8 | (uint32_t)here[2] << 16;
    return word * 0x9E3779B1U >> (32 - finder->hash_bits);
}

/* Adds a match that is longer than the last one in `list`. Returns the new number of matches. */
static inline uint32_t add_match(ImgExactSymbol *list, uint32_t count, uint32_t length,
                                 uint32_t distance)
{
    const ImgExactSymbol match = img_exact_match(length, distance);
    count -= count > 0 && img_exact_code(list[count - 1]) == img_exact_code(match);
    list[count] = match;
    return count + 1;
}

/* Returns the number of equal bytes of `here` and `there`, up to `most`, of which the first `known`
 * are equal. Sets `*is_larger` to whether the first different byte of `there` is larger. If all are
 * equal, it is undefined. */
static inline __attribute__((always_inline)) uint32_t
compare(const uint8_t *here, const uint8_t *there, uint32_t known, uint32_t most, bool *is_larger)
{
    uint32_t length = known;
    for (; length + 8 <= most; length += 8) {
        const uint64_t a = img_get_le64(here + length), b = img_get_le64(there + length);
        if (a != b) {
            const unsigned bits = (unsigned)__builtin_ctzll(a ^ b) & ~7U;
            *is_larger = (b >> bits & 255) > (a >> bits & 255);
            return length + (bits >> 3);
        }
    }
    while (length < most && here[length] == there[length])
        length++;
    *is_larger = length < most && there[length] > here[length];
    return length;
}

/* Enters a position in its tree as the new root, and writes its matches to `list`. The tree is
 * divided at the bytes of the position: `smaller` and `larger` are the links that receive the next
 * node with smaller, and with larger bytes. All nodes on a side share at least as many bytes with
 * the position as the last one did. Returns the number of matches. */
static uint32_t enter(ImgExactFinder *finder, uint32_t place, uint32_t most, uint32_t depth,
                      ImgExactSymbol *list)
{
    const uint8_t *here = finder->data + place;
    uint32_t *root = &finder->roots[hash(finder, here)], node = *root;
    uint32_t *smaller = &finder->children[place % IMG_DISTANCE_MOST][0], *larger = smaller + 1;
    uint32_t of_smaller = 0, of_larger = 0, longest = HASHED_BYTES - 1, count = 0;
    *root = place;
    for (; depth > 0 && place - node <= IMG_DISTANCE_MOST; depth--) {
        uint32_t *children = finder->children[node % IMG_DISTANCE_MOST];
        bool is_larger;
        const uint32_t length =
            compare(here, finder->data + node, of_smaller < of_larger ? of_smaller : of_larger,
                    most, &is_larger);
        if (length > longest) {
            count = add_match(list, count, length, place - node);
            longest = length;
        }
        /* A node at the largest distance shares its children with the new root. They are out of
         * reach, and so is the node from the next position on. */
        if (place - node == IMG_DISTANCE_MOST)
            break;
        if (length == most) {
            *smaller = children[0];
            *larger = children[1];
            return count;
        }
        if (is_larger) {
            *larger = node;
            larger = children;
            of_larger = length;
            node = children[0];
        } else {
            *smaller = node;
            smaller = children + 1;
            of_smaller = length;
            node = children[1];
        }
    }
    *smaller = *larger = IMG_EXACT_NOWHERE;
    return count;
}

uint32_t IMG_VARIANT(img_exact_find)(ImgExactFinder *finder, uint32_t from, uint32_t count,
                                     uint32_t depth, ImgExactMatches *matches)
{
    uint32_t found = 0, i = 0;
    for (; i < count && matches->room - found >= IMG_EXACT_POSITION_MOST_MATCHES; i++) {
        const uint32_t left = finder->size - from - i;
        const uint32_t most = left < IMG_LENGTH_MOST ? left : IMG_LENGTH_MOST;
        matches->starts[i] = found;
        if (most >= HASHED_BYTES)
            found += enter(finder, from + i, most, depth, matches->matches + found);
    }
    matches->starts[i] = found;
    return i;
}
