/* Checks all our deflate methods: zlib must inflate their output. */
#ifndef IMGTOOL_TESTS_FUZZ_PIXELS_JUDGE_DEFLATE_H
#define IMGTOOL_TESTS_FUZZ_PIXELS_JUDGE_DEFLATE_H

#include "tests/fuzz/pixels/choices.h"

/* Deflates the data in up to three pieces, each with a chosen method, and aborts unless zlib
 * inflates the same data. Also checks that all versions of a method write the same bytes, that
 * reported block starts are right, and that a method with too little room returns 0 and writes
 * nothing past it. */
void judge_deflate(Choices *choices, const uint8_t *data, size_t size);

#endif
