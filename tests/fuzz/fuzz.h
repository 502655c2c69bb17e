/* The one function that a fuzz target is. libFuzzer calls it, or replay.c with files. */
#ifndef IMGTOOL_TESTS_FUZZ_FUZZ_H
#define IMGTOOL_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
