/* Decoding by one way or the other, and what must be equal. */
#ifndef IMGTOOL_TESTS_FUZZ_JUDGE_H
#define IMGTOOL_TESTS_FUZZ_JUDGE_H

#include <stdbool.h>

#include "io/png/decode.h"
#include "tests/fuzz/build_png.h"

/* A file that passed what comes before the pixels. */
typedef struct Judged {
    const uint8_t *data;
    ImgPngHeader header;
    ImgPngScan scan;
} Judged;

/* False if header or chunks are refused, in which no decoder has a say. */
bool judged_open(const uint8_t *data, size_t size, Judged *file);

/* `way` NULL: as the program decides. */
ImgStatus judged_decode(const Judged *file, const ImgPngPath *way, int threads, size_t piece_bytes,
                        ImgImage *image, ImgError *err);

/* Decodes by that way and ends the program, with a message, if it comes to another verdict than
 * `wanted` and `image`. False if a named way says that it does not do such files. */
bool judge(const Judged *file, const ImgPngPath *way, int threads, size_t piece_bytes,
           ImgStatus wanted, const ImgImage *image);

/* Ends the program if the pixels differ. */
void judge_pixels(const ImgView *got, const ImgView *wanted, const char *what);

#endif
