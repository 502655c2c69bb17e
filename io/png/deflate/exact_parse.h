/* Private: divides data into the literals and matches that cost least: the shortest path from the
 * first position to the end. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_EXACT_PARSE_H
#define IMGTOOL_IO_PNG_DEFLATE_EXACT_PARSE_H

#include "io/png/deflate/exact_costs.h"
#include "io/png/deflate/exact_matches.h"

/* Working memory of a parse, owned by the caller. */
typedef struct ImgExactPaths {
    int32_t *totals;         /* cost from each position to the end; one entry more than positions */
    ImgExactSymbol *symbols; /* first symbol of the cheapest path from each position */
} ImgExactPaths;

/* Sets paths->symbols[from] to [to - 1] and the totals of these positions. totals[to] must be set.
 * `data` is the data of the range, and `matches` its matches. A match ends at `end` at the latest;
 * the totals up to there must be set. */
void img_exact_parse(const uint8_t *data, const ImgExactMatches *matches,
                     const ImgExactCosts *costs, uint32_t from, uint32_t to, uint32_t end,
                     const ImgExactPaths *paths);

/* The variants of img_exact_parse. All give the same paths. */
typedef void ImgExactParse(const uint8_t *data, const ImgExactMatches *matches,
                           const ImgExactCosts *costs, uint32_t from, uint32_t to, uint32_t end,
                           const ImgExactPaths *paths);
ImgExactParse img_exact_parse_portable, img_exact_parse_avx2;

/* Moves the symbols of the cheapest path from position 0 to the start of paths->symbols. Returns
 * their number. */
uint32_t img_exact_follow(const ImgExactPaths *paths, uint32_t end);

#endif
