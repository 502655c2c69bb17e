/* Parts of the encoder that pictures of a fuzzer's size reach badly, by themselves: filters of
 * every version, and strips of a few rows. */
#ifndef IMGTOOL_TESTS_FUZZ_PIXELS_ENCODE_PARTS_H
#define IMGTOOL_TESTS_FUZZ_PIXELS_ENCODE_PARTS_H

#include "kernels/core/image.h"
#include "tests/fuzz/pixels/choices.h"

/* A row and the one above it: every version filters it as the reference does, in every way, sums it
 * up alike, and chooses alike. */
void judge_filters(Choices *choices);

/* Rows, filtered in any way: every version undoes that as the reference does, in columns or in
 * place, and writes nothing else. */
void judge_unfilters(Choices *choices);

/* Strips of a few rows each, at a level: zlib inflates one stream of them, whose rows are those of
 * the picture. */
void judge_strips(Choices *choices, const ImgView *view);

#endif
