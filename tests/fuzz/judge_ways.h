/* One file by every way of decoding. */
#ifndef IMGTOOL_TESTS_FUZZ_JUDGE_WAYS_H
#define IMGTOOL_TESTS_FUZZ_JUDGE_WAYS_H

#include "tests/fuzz/build_png.h"

/* Ends the program unless our choice, the public interface and every strategy refuse the file
 * where our decoding by libpng does, or read it with the same pixels. Returns whether it is read.
 */
bool judge_ways(const FuzzPng *png);

#endif
