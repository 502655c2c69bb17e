/* Builds a PNG with valid checksums from a fuzzer's input, because a fuzzer cannot guess checksums.
 *
 * An input is a head of FUZZ_HEAD_BYTES (build_png.c lists them) and a body. The body is one of:
 *     a raw deflate stream, to which the rest of a file is added;
 *     material for rows, which zlib deflates with parameters from the body's first bytes;
 *     a PNG file, whose CRCs and Adler-32 are corrected. */
#ifndef IMGTOOL_TESTS_FUZZ_BUILD_PNG_H
#define IMGTOOL_TESTS_FUZZ_BUILD_PNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FUZZ_HEAD_BYTES = 8 };

/* Kind of the body: the head's first byte modulo 4. */
typedef enum FuzzBody { FUZZ_STREAM, FUZZ_STREAM_TOO, FUZZ_ROWS, FUZZ_FILE } FuzzBody;

/* Flags in byte 5 of the head. */
enum {
    FUZZ_WRONG_CRC = 1,     /* wrong CRC in the last IDAT; in a file, all CRCs stay as they are */
    FUZZ_WRONG_ADLER = 2,   /* wrong Adler-32; in a file, it stays as it is */
    FUZZ_NO_ADLER = 4,      /* the stream ends after the last deflate block */
    FUZZ_MORE_DATA = 8,     /* data after the Adler-32 */
    FUZZ_EMPTY_FIRST = 16,  /* an empty IDAT before the others */
    FUZZ_EMPTY_LAST = 32,   /* an empty IDAT after the others */
    FUZZ_INTERLACED = 64,   /* in the header only: rows are laid out as if not interlaced */
    FUZZ_ODD_WRAPPER = 128, /* the zlib header is bytes 6 and 7 of the head, valid or not */
};

typedef struct FuzzPng {
    uint8_t *data;
    size_t size;
    int threads;        /* for decoding, 1 to 4 */
    size_t piece_bytes; /* for speculative decoding, 16 to 772 */
} FuzzPng;

/* Returns false if the input is too short or its picture too large. The caller frees `data`. */
bool fuzz_build_png(const uint8_t *input, size_t size, FuzzPng *png);

#endif
