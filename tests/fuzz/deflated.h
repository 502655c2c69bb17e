/* Raw deflate streams: measured, or made from rows. */
#ifndef IMGTOOL_TESTS_FUZZ_DEFLATED_H
#define IMGTOOL_TESTS_FUZZ_DEFLATED_H

#include <stdbool.h>

#include "tests/fuzz/bytes.h"

enum { FUZZ_INFLATE_MAX = 1 << 21 };

/* Inflates a raw deflate stream. Sets `used` to the number of bytes of the stream, and `adler` to
 * the Adler-32 of the inflated data. Returns false if the stream is damaged, has no end, or
 * inflates to more than FUZZ_INFLATE_MAX bytes. */
bool fuzz_measure_stream(const uint8_t *data, size_t size, size_t *used, uint32_t *adler);

/* Deflates `rows` rows of `row` bytes, each of which begins with a filter type. Appends the raw
 * stream to `stream`.
 * The first 8 bytes of `material` choose zlib's level, strategy, memory level, window and flushes,
 * and a bit of the result to flip (0: none). The other bytes are the content of the rows. */
void fuzz_deflate_rows(const uint8_t *material, size_t size, size_t row, size_t rows,
                       FuzzBytes *stream);

#endif
