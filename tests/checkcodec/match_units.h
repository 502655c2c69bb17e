/* Compares the matches of the device (io/png/cuda/matches) with those of the CPU. */
#ifndef IMGTOOL_TESTS_CHECKCODEC_MATCH_UNITS_H
#define IMGTOOL_TESTS_CHECKCODEC_MATCH_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/match_rule.h"

enum { MATCH_GAP_MOST = 3 }; /* maximum number of bytes before the data of a unit */

typedef struct MatchData {
    const uint8_t *bytes;
    uint32_t size; /* size in bytes; 0 if the unit has no data and no blocks */
    uint32_t gap;  /* number of bytes before the data; it changes the alignment of the data */
} MatchData;

/* Makes the deflate blocks of all units in one job on the device. The device computes block
 * headers, Huffman codes, matches, and marks of the positions where tokens begin; the host writes
 * the bits. With `last` the last unit ends the stream. Returns NULL if bytes, sizes and block
 * starts equal those of the CPU, otherwise a description in `message`. */
const char *compare_matches(const ImgMatchRows *rows, const MatchData *units, uint32_t count,
                            bool last, char *message, size_t room);

#endif
