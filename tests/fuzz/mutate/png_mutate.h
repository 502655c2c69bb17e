/* A mutator of whole PNG files for libFuzzer. It changes headers, chunks and compressed data, and
 * then writes valid lengths and CRCs, and mostly a valid Adler-32. */
#ifndef IMGTOOL_TESTS_FUZZ_MUTATE_PNG_MUTATE_H
#define IMGTOOL_TESTS_FUZZ_MUTATE_PNG_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* Mutates plain bytes in place, and returns the new size: LLVMFuzzerMutate. */
typedef size_t (*PngMutateBytes)(uint8_t *data, size_t size, size_t most);

/* Mutates the file in place, in a buffer of `most` bytes, and returns its new size. The same seed
 * makes the same changes. Input without chunks becomes a PNG of one pixel. */
size_t png_mutate(uint8_t *data, size_t size, size_t most, unsigned seed, PngMutateBytes bytes);

/* Writes to `to` the chunks of `one`, where some chunks of `other` replace them or are added.
 * Returns the size, or 0 if it exceeds `most` or `one` has no chunks. */
size_t png_cross_over(const uint8_t *one, size_t one_size, const uint8_t *other, size_t other_size,
                      uint8_t *to, size_t most, unsigned seed);

#endif
