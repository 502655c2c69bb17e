/* The functions that a fuzz target is. libFuzzer calls them, or replay.c with files. */
#ifndef IMGTOOL_TESTS_FUZZ_FUZZ_H
#define IMGTOOL_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Returns 0, or -1 for what is not worth keeping in a corpus. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Some targets have: how inputs are changed, in place or to one of two. Each returns the size. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other,
                                 size_t other_size, uint8_t *to, size_t most, unsigned seed);

/* What changes bytes that are nothing in particular: libFuzzer's, or replay.c's. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

#endif
