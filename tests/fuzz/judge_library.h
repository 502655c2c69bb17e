/* Checks the public interface, and all decoders together, on one PNG file. */
#ifndef IMGTOOL_TESTS_FUZZ_JUDGE_LIBRARY_H
#define IMGTOOL_TESTS_FUZZ_JUDGE_LIBRARY_H

#include "app/library/imgtool.h"
#include "tests/fuzz/build_png.h"
#include "tests/fuzz/judge.h"

/* Returns a context with 1 to 4 threads, which later inputs use again. Do not destroy it. */
imgtool_context *library_context(int threads);

/* Reads the file through the library: from memory, converted, row by row, and from a callback. If
 * its size is a multiple of 4 the picture is also written and read again. Aborts if pixels differ
 * from `wanted`, or if the library accepts the file although `wanted` is NULL. */
void judge_library(const FuzzPng *png, const ImgView *wanted);

/* Reads the file without conversion, and aborts unless its pixels are `wanted`. */
void judge_library_pixels(const void *data, size_t size, int threads, const ImgView *wanted);

/* Decodes the file with libpng, with the default strategy, in sequence, by strips and through the
 * library. Aborts if they disagree on verdict or pixels. Returns whether the file is read. */
bool judge_decoders(const FuzzPng *png);

#endif
