/* Matches on the device (io/png/cuda/matches) beside those of the CPU. */
#ifndef IMGTOOL_TESTS_CHECKCODEC_MATCH_UNITS_H
#define IMGTOOL_TESTS_CHECKCODEC_MATCH_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/match_rule.h"

enum { MATCH_GAP_MOST = 3 }; /* bytes between one unit's data and the next's */

typedef struct MatchData {
    const uint8_t *bytes;
    uint32_t size; /* 0: the unit has no data, and becomes no blocks */
    uint32_t gap;  /* bytes before it: they change how it is aligned */
} MatchData;

/* Makes blocks of all units at once, and writes their bits on the host from what the device tells:
 * headers, codes, marks, matches. Returns NULL where bytes, sizes and block starts are the CPU's,
 * otherwise what differs, in `message`. `last`: the last unit ends the stream. */
const char *compare_matches(const ImgMatchRows *rows, const MatchData *units, uint32_t count,
                            bool last, char *message, size_t room);

#endif
