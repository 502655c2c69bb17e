/* Every way that we deflate in, held against what zlib inflates of it. */
#ifndef IMGTOOL_TESTS_FUZZ_PIXELS_DEFLATE_WAYS_H
#define IMGTOOL_TESTS_FUZZ_PIXELS_DEFLATE_WAYS_H

#include "tests/fuzz/pixels/choices.h"

/* Deflates the data in pieces, each by a way that is chosen, and ends the program unless zlib
 * inflates the same bytes of them. Ways that have several versions give the same bytes by each;
 * where blocks are said to begin they begin; where there is less room than the result takes there
 * is none, and nothing is written past it. */
void judge_deflate(Choices *choices, const uint8_t *data, size_t size);

#endif
