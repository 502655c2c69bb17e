/* The functions of a fuzz target. libFuzzer calls them, or replay.c in its place. */
#ifndef IMGTOOL_TESTS_FUZZ_FUZZ_H
#define IMGTOOL_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Tests one input, and aborts on a failure. Returns 0, or -1 to keep the input out of the
 * corpus. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Optional functions of a target: a mutator changes one input, a crossover combines two. Each
 * writes at most `most` bytes and returns the new size. The same seed makes the same choices. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other,
                                 size_t other_size, uint8_t *to, size_t most, unsigned seed);

/* Mutates plain bytes in place, and returns the new size. libFuzzer defines this function; without
 * libFuzzer, replay.c does. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

#endif
