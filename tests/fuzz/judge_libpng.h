/* libpng's own verdict on a file, by its reader as programs use it: in sequence, to the end. */
#ifndef IMGTOOL_TESTS_FUZZ_JUDGE_LIBPNG_H
#define IMGTOOL_TESTS_FUZZ_JUDGE_LIBPNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool libpng_reads(const uint8_t *data, size_t size);

/* What libpng may read and we do not, as io/png/README.md has it: the compressed stream goes wrong
 * after the last row, or the header is not the first chunk. */
bool is_ours_to_refuse(const uint8_t *data, size_t size);

#endif
