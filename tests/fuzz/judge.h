/* Decoding by one strategy or another, and what must be equal. */
#ifndef IMGTOOL_TESTS_FUZZ_JUDGE_H
#define IMGTOOL_TESTS_FUZZ_JUDGE_H

#include <stdbool.h>

#include "io/png/decode.h"
#include "tests/fuzz/build_png.h"

/* A file that passed what comes before the pixels. */
typedef struct Judged {
    const uint8_t *data; /* borrowed */
    ImgMetadata metadata;
    size_t pieces; /* that the last decoding worked on */
    ImgPngHeader header;
    ImgPngScan scan;
} Judged;

/* False if header or chunks are refused, in which no decoder has a say. Else end with judged_close.
 */
bool judged_open(const uint8_t *data, size_t size, Judged *file);
void judged_close(Judged *file);

/* `strategy` NULL: as the program decides. */
ImgStatus judged_decode(Judged *file, const ImgPngPath *strategy, int threads, size_t piece_bytes,
                        ImgImage *image, ImgError *err);

/* Decodes by that strategy and ends the program, with a message, if it accepts what is to be
 * refused
 * (`wanted`) or gives other pixels than `image`. Our choice must come to the same verdict; a named
 * strategy may refuse, for the choice is then libpng's. Returns its verdict. */
ImgStatus judge(Judged *file, const ImgPngPath *strategy, int threads, size_t piece_bytes,
                ImgStatus wanted, const ImgImage *image);

/* The same where rows are handed on as they are decoded, in sequence or pipelined. */
ImgStatus judge_rows(Judged *file, ImgPngPath strategy, int threads, size_t piece_bytes,
                     ImgStatus wanted, const ImgImage *image);

/* Ends the program if the pixels differ. */
void judge_pixels(const ImgView *got, const ImgView *wanted, const char *what);

#endif
