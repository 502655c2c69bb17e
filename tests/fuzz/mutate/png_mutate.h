/* Mutations of whole PNG files for libFuzzer, which know what a PNG is made of: headers, chunks and
 * what is compressed in them. Lengths, CRCs and, mostly, the Adler-32 are right afterwards. */
#ifndef IMGTOOL_TESTS_FUZZ_MUTATE_PNG_MUTATE_H
#define IMGTOOL_TESTS_FUZZ_MUTATE_PNG_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* Of bytes that are nothing in particular, in place: LLVMFuzzerMutate. */
typedef size_t (*PngMutateBytes)(uint8_t *data, size_t size, size_t most);

/* Mutates the file in place, in a buffer of `most` bytes; returns its new size. The same seed
 * chooses the same. What is no PNG becomes one. */
size_t png_mutate(uint8_t *data, size_t size, size_t most, unsigned seed, PngMutateBytes bytes);

/* A file of one's chunks, with some of the other's instead of or beside them. Returns its size, 0
 * where it does not fit in `most`. */
size_t png_cross_over(const uint8_t *one, size_t one_size, const uint8_t *other, size_t other_size,
                      uint8_t *to, size_t most, unsigned seed);

#endif
