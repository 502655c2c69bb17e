/* Decodes a PNG file in memory with each strategy, with libpng and through the library, and
 * compares verdict and pixels. The verdict is whether a decoder accepts the file. */
#ifndef IMGTOOL_TESTS_FUZZ_JUDGE_H
#define IMGTOOL_TESTS_FUZZ_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/library/imgtool.h"
#include "io/png/decode.h"
#include "tests/fuzz/build_png.h"

/* An open file. Its header and its chunks are valid. */
typedef struct Judged {
    const uint8_t *data;  /* bytes of the file, borrowed */
    ImgMetadata metadata; /* owned */
    size_t pieces;        /* number of pieces of the last decoding */
    ImgPngHeader header;
    ImgPngScan scan;
} Judged;

/* Reads the header and the chunks of a file. Returns false if they are rejected; the caller then
 * runs no decoder. If it returns true, the caller must call judged_close. */
bool judged_open(const uint8_t *data, size_t size, Judged *file);
void judged_close(Judged *file);

/* Decodes the file. If `strategy` is NULL, the program chooses one. `piece_bytes` is the size of a
 * piece, 0 for the usual one. The caller frees `image`. */
ImgStatus judged_decode(Judged *file, const ImgPngStrategy *strategy, int threads,
                        size_t piece_bytes, ImgImage *image, ImgError *err);

/* Decodes the file and compares the pixels with `image`. Aborts with a message if they differ, or
 * if the status is wrong.
 * With `strategy` NULL the status must be `wanted`. A named strategy may also reject a valid file,
 * because the program then falls back to libpng. Returns the status. */
ImgStatus judge(Judged *file, const ImgPngStrategy *strategy, int threads, size_t piece_bytes,
                ImgStatus wanted, const ImgImage *image);

/* Works as judge does, but decodes row by row. */
ImgStatus judge_rows(Judged *file, ImgPngStrategy strategy, int threads, size_t piece_bytes,
                     ImgStatus wanted, const ImgImage *image);

/* Aborts with a message that begins with `what` if size, format or pixels of `got` differ from
 * `wanted`. */
void judge_pixels(const ImgView *got, const ImgView *wanted, const char *what);

/* --- libpng ----------------------------------------------------------------------------------- */

/* Returns true if png_read_png accepts the file. */
bool libpng_reads(const uint8_t *data, size_t size);

/* Returns true if imgtool may reject a file that libpng reads (io/png/README.md). In these files
 * the compressed stream is damaged after the last row, or the header is not the first chunk. */
bool may_reject_alone(const uint8_t *data, size_t size);

/* --- The library ------------------------------------------------------------------------------ */

/* Returns a context with `threads` threads, 1 to 4. Later inputs get the same context, so callers
 * must not destroy it. */
imgtool_context *library_context(int threads);

/* Reads the file through the library: from memory, converted, row by row, and from a callback. In
 * one of four files it also writes the picture and reads it again.
 * Aborts if the pixels differ from `wanted`, or if `wanted` is NULL and the library accepts the
 * file. */
void judge_library(const FuzzPng *png, const ImgView *wanted);

/* Reads the file without conversion, and aborts unless its pixels equal `wanted`. */
void judge_library_pixels(const void *data, size_t size, int threads, const ImgView *wanted);

/* Decodes the file with libpng, with the default strategy, in sequence, by strips and through the
 * library. Aborts if verdicts or pixels differ. Returns true if the decoders accept the file. */
bool judge_decoders(const FuzzPng *png);

#endif
