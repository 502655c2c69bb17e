/* Decodes a PNG file in memory with each strategy, with libpng and through the library, and
 * compares verdict and pixels. */
#ifndef IMGTOOL_TESTS_FUZZ_JUDGE_H
#define IMGTOOL_TESTS_FUZZ_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/library/imgtool.h"
#include "io/png/decode.h"
#include "tests/fuzz/build_png.h"

/* A file with a valid header and valid chunks. */
typedef struct Judged {
    const uint8_t *data;  /* the file, borrowed */
    ImgMetadata metadata; /* owned */
    size_t pieces;        /* number of pieces in the last decoding */
    ImgPngHeader header;
    ImgPngScan scan;
} Judged;

/* Returns false if the header or the chunks are rejected, before any decoder runs. Otherwise the
 * caller ends with judged_close. */
bool judged_open(const uint8_t *data, size_t size, Judged *file);
void judged_close(Judged *file);

/* Decodes the file. `strategy` is NULL for the program's own choice. The caller frees `image`. */
ImgStatus judged_decode(Judged *file, const ImgPngStrategy *strategy, int threads,
                        size_t piece_bytes, ImgImage *image, ImgError *err);

/* Decodes the file and aborts with a message if the result is wrong: it accepts a file although
 * `wanted` is an error, or its pixels differ from `image`. With `strategy` NULL the status must be
 * `wanted`; a named strategy may also reject the file, because the program then falls back to
 * libpng. Returns the status. */
ImgStatus judge(Judged *file, const ImgPngStrategy *strategy, int threads, size_t piece_bytes,
                ImgStatus wanted, const ImgImage *image);

/* Like judge, but decodes row by row. */
ImgStatus judge_rows(Judged *file, ImgPngStrategy strategy, int threads, size_t piece_bytes,
                     ImgStatus wanted, const ImgImage *image);

/* Aborts with a message that begins with `what` if size, format or pixels differ. */
void judge_pixels(const ImgView *got, const ImgView *wanted, const char *what);

/* --- libpng ----------------------------------------------------------------------------------- */

/* Returns true if png_read_png accepts the file. */
bool libpng_reads(const uint8_t *data, size_t size);

/* Returns whether imgtool may reject a file that libpng reads (io/png/README.md): the compressed
 * stream is damaged after the last row, or the header is not the first chunk. */
bool may_reject_alone(const uint8_t *data, size_t size);

/* --- The library ------------------------------------------------------------------------------ */

/* Returns a context with 1 to 4 threads, which later inputs use again. Do not destroy it. */
imgtool_context *library_context(int threads);

/* Reads the file through the library: from memory, converted, row by row, and from a callback. If
 * its size is a multiple of 4 the picture is also written and read again. Aborts if pixels differ
 * from `wanted`, or if the library accepts the file although `wanted` is NULL. */
void judge_library(const FuzzPng *png, const ImgView *wanted);

/* Reads the file without conversion, and aborts unless its pixels are `wanted`. */
void judge_library_pixels(const void *data, size_t size, int threads, const ImgView *wanted);

/* Decodes the file with libpng, with the default strategy, in sequence, by strips and through the
 * library. Aborts if they disagree on verdict or pixels. Returns whether the file is read. */
bool judge_decoders(const FuzzPng *png);

#endif
