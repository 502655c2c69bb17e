/* Private: the symbols into which a parse divides data: literals and matches, each in 32 bits. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_EXACT_SYMBOLS_H
#define IMGTOOL_IO_PNG_DEFLATE_EXACT_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "io/png/deflate/length_codes.h"
#include "io/png/deflate/sequences.h"

/* A literal is its byte. A match has, from the lowest bit on: its distance minus 1 (15 bits), its
 * length minus 3 (8 bits), the code of its distance (5 bits), and a bit that marks it. */
typedef uint32_t ImgExactSymbol;

enum { IMG_EXACT_LENGTH_BIT = 15, IMG_EXACT_CODE_BIT = 23, IMG_EXACT_MATCH_BIT = 28 };

static inline bool img_exact_is_match(ImgExactSymbol symbol)
{
    return symbol >> IMG_EXACT_MATCH_BIT != 0;
}

static inline uint32_t img_exact_length(ImgExactSymbol match)
{
    return (match >> IMG_EXACT_LENGTH_BIT & 255) + IMG_LENGTH_LEAST;
}

static inline uint32_t img_exact_distance(ImgExactSymbol match)
{
    return (match & (IMG_DISTANCE_MOST - 1)) + 1;
}

/* Returns the code of a match's distance. */
static inline uint32_t img_exact_code(ImgExactSymbol match)
{
    return match >> IMG_EXACT_CODE_BIT & 31;
}

static inline ImgExactSymbol img_exact_match(uint32_t length, uint32_t distance)
{
    return 1U << IMG_EXACT_MATCH_BIT | img_part_of_distance(distance).code << IMG_EXACT_CODE_BIT |
           (length - IMG_LENGTH_LEAST) << IMG_EXACT_LENGTH_BIT | (distance - 1);
}

/* Returns the same match with another length. */
static inline ImgExactSymbol img_exact_with_length(ImgExactSymbol match, uint32_t length)
{
    return (match & ~(255U << IMG_EXACT_LENGTH_BIT)) | (length - IMG_LENGTH_LEAST)
                                                           << IMG_EXACT_LENGTH_BIT;
}

/* Returns the number of bytes that a symbol stands for. */
static inline uint32_t img_exact_bytes_of(ImgExactSymbol symbol)
{
    return img_exact_is_match(symbol) ? img_exact_length(symbol) : 1;
}

#endif
