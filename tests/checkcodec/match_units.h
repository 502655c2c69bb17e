/* Matches on the device (io/png/cuda/matches), compared with those of the CPU. */
#ifndef IMGTOOL_TESTS_CHECKCODEC_MATCH_UNITS_H
#define IMGTOOL_TESTS_CHECKCODEC_MATCH_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/match_rule.h"

enum { MATCH_GAP_MOST = 3 }; /* maximum number of bytes between the data of two units */

typedef struct MatchData {
    const uint8_t *bytes;
    uint32_t size; /* 0: the unit has no data and no blocks */
    uint32_t gap;  /* bytes before it, which change its alignment */
} MatchData;

/* Makes blocks of all units at once on the device. From its headers, codes, marks and matches the
 * host writes the bits. Returns NULL if bytes, sizes and block starts equal those of the CPU,
 * otherwise a description in `message`. `last`: the last unit ends the stream. */
const char *compare_matches(const ImgMatchRows *rows, const MatchData *units, uint32_t count,
                            bool last, char *message, size_t room);

#endif
