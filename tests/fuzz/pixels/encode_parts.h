/* Checks parts of the encoder by themselves, because small pictures do not reach all of their code:
 * every version of the filters, and strips of a few rows. */
#ifndef IMGTOOL_TESTS_FUZZ_PIXELS_ENCODE_PARTS_H
#define IMGTOOL_TESTS_FUZZ_PIXELS_ENCODE_PARTS_H

#include "kernels/core/image.h"
#include "tests/fuzz/pixels/choices.h"

/* Filters a row below another one: every version gives the reference's bytes and sums for each
 * filter, and chooses the same filter. */
void judge_filters(Choices *choices);

/* Undoes the filters of some rows, by columns and in place: every version gives the reference's
 * bytes and writes nothing else. */
void judge_unfilters(Choices *choices);

/* Encodes the picture as strips of a few rows: zlib inflates each strip to the filtered rows of the
 * picture, and reported sizes, sums and block starts are right. */
void judge_strips(Choices *choices, const ImgView *view);

#endif
