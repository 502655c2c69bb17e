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

#include "tests/fuzz/bytes.h"

enum { FUZZ_HEAD_BYTES = 8 };

/* Kind of the body. It is the first byte of the head modulo 4, so half of the inputs are
 * streams. */
typedef enum FuzzBody { FUZZ_STREAM, FUZZ_STREAM_TOO, FUZZ_ROWS, FUZZ_FILE } FuzzBody;

/* Flags in byte 5 of the head. If the body is a PNG file (FUZZ_FILE), only FUZZ_WRONG_CRC and
 * FUZZ_WRONG_ADLER apply. They then keep checksums of that file, even if these are wrong. */
enum {
    /* the last IDAT that has data gets a wrong CRC; FUZZ_FILE: the body's CRCs are kept */
    FUZZ_WRONG_CRC = 1,
    /* the stream gets a wrong Adler-32; FUZZ_FILE: the body's Adler-32 is kept */
    FUZZ_WRONG_ADLER = 2,
    FUZZ_NO_ADLER = 4,      /* the stream ends after the last deflate block, without an Adler-32 */
    FUZZ_MORE_DATA = 8,     /* further bytes after the Adler-32 */
    FUZZ_EMPTY_FIRST = 16,  /* an empty IDAT before the others */
    FUZZ_EMPTY_LAST = 32,   /* an empty IDAT after the others */
    FUZZ_INTERLACED = 64,   /* the header declares interlacing, but the rows are not interlaced */
    FUZZ_ODD_WRAPPER = 128, /* bytes 6 and 7 of the head are the zlib header, valid or not */
};

typedef struct FuzzPng {
    uint8_t *data;
    size_t size;
    int threads;        /* threads for decoding, 1 to 4 */
    size_t piece_bytes; /* bytes per piece for speculative decoding, 16 to 772 */
} FuzzPng;

/* Builds `png` from an input. Returns false if the input is too short or its picture too large. The
 * caller frees `data`. */
bool fuzz_build_png(const uint8_t *input, size_t size, FuzzPng *png);

/* --- Raw deflate streams: measured, or made from rows ----------------------------------------- */

enum { FUZZ_INFLATE_MAX = 1 << 21 };

/* Inflates a raw deflate stream. Sets `used` to the number of bytes of the stream, and `adler` to
 * the Adler-32 of the inflated data. Returns false if the stream is damaged, has no end, or
 * inflates to more than FUZZ_INFLATE_MAX bytes. */
bool fuzz_measure_stream(const uint8_t *data, size_t size, size_t *used, uint32_t *adler);

/* Deflates `rows` rows of `row` bytes, each of which begins with a filter type. Appends the raw
 * stream to `stream`.
 * The first 8 bytes of `material` choose zlib's level, strategy, memory level, window and flushes,
 * and a bit of the result to flip (0: none). The other bytes are the content of the rows. */
void fuzz_deflate_rows(const uint8_t *material, size_t size, size_t row, size_t rows,
                       FuzzBytes *stream);

#endif
