/* libpng's own verdict on a file. */
#ifndef IMGTOOL_TESTS_FUZZ_JUDGE_LIBPNG_H
#define IMGTOOL_TESTS_FUZZ_JUDGE_LIBPNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether png_read_png accepts the file. */
bool libpng_reads(const uint8_t *data, size_t size);

/* Returns whether imgtool may reject a file that libpng reads (io/png/README.md): the compressed
 * stream is damaged after the last row, or the header is not the first chunk. */
bool may_reject_alone(const uint8_t *data, size_t size);

#endif
