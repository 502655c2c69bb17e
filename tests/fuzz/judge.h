/* Decodes a PNG file in memory with one strategy and compares verdict and pixels. */
#ifndef IMGTOOL_TESTS_FUZZ_JUDGE_H
#define IMGTOOL_TESTS_FUZZ_JUDGE_H

#include <stdbool.h>

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

/* The same for decoding row by row. */
ImgStatus judge_rows(Judged *file, ImgPngStrategy strategy, int threads, size_t piece_bytes,
                     ImgStatus wanted, const ImgImage *image);

/* Aborts with a message that begins with `what` if size, format or pixels differ. */
void judge_pixels(const ImgView *got, const ImgView *wanted, const char *what);

#endif
