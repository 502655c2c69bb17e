/* Bytes of a fuzzer to a PNG whose checksums are right, so that the fuzzer gets past them.
 *
 * Input: FUZZ_HEAD_BYTES that say what to make (see build_png.c), then a body, which is
 *     a raw deflate stream, around which everything else is built,
 *     material for rows, which zlib deflates in a way that the head says, or
 *     a PNG file, whose CRCs and Adler-32 are put right. */
#ifndef IMGTOOL_TESTS_FUZZ_BUILD_PNG_H
#define IMGTOOL_TESTS_FUZZ_BUILD_PNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FUZZ_HEAD_BYTES = 8 };

/* What the head's first byte says, modulo 4. */
typedef enum FuzzBody { FUZZ_STREAM, FUZZ_STREAM_TOO, FUZZ_ROWS, FUZZ_FILE } FuzzBody;

/* Of the head's sixth byte. */
enum {
    FUZZ_WRONG_CRC = 1,    /* of the last IDAT */
    FUZZ_WRONG_ADLER = 2,  /* as the body has it, or not right */
    FUZZ_NO_ADLER = 4,     /* nor anything after the last block */
    FUZZ_MORE_DATA = 8,    /* after the Adler-32 */
    FUZZ_EMPTY_FIRST = 16, /* an empty IDAT before the others */
    FUZZ_EMPTY_LAST = 32,
    FUZZ_INTERLACED = 64,
    FUZZ_ODD_WRAPPER = 128, /* the two bytes before the blocks are the head's seventh and eighth */
};

typedef struct FuzzPng {
    uint8_t *data;
    size_t size;
    int threads;        /* to decode it with: 1 to 4 */
    size_t piece_bytes; /* small */
} FuzzPng;

/* False for inputs that are too short or would make an image that is too large. Free `data`. */
bool fuzz_build_png(const uint8_t *input, size_t size, FuzzPng *png);

#endif
