/* Deflate streams for fuzzing. */
#ifndef IMGTOOL_TESTS_FUZZ_DEFLATED_H
#define IMGTOOL_TESTS_FUZZ_DEFLATED_H

#include <stdbool.h>

#include "tests/fuzz/bytes.h"

enum { FUZZ_INFLATE_MAX = 1 << 21 };

/* Walks a raw deflate stream: the bytes that it takes, and the Adler-32 of what it inflates to.
 * False where it is damaged, has no end, or inflates to more than FUZZ_INFLATE_MAX. */
bool fuzz_measure_stream(const uint8_t *data, size_t size, size_t *used, uint32_t *adler);

/* Deflates `rows` rows of `row` bytes, the first of them the filter's, to a raw stream. The first
 * bytes of `material` say how: level, strategy, memory, window, where flushes are, which bit of the
 * result is wrong; rows are made of the others. */
void fuzz_deflate_rows(const uint8_t *material, size_t size, size_t row, size_t rows,
                       FuzzBytes *stream);

#endif
