/* What a program sees that links libimgtool, held against what is known of a file. */
#ifndef IMGTOOL_TESTS_FUZZ_JUDGE_LIBRARY_H
#define IMGTOOL_TESTS_FUZZ_JUDGE_LIBRARY_H

#include "app/library/imgtool.h"
#include "tests/fuzz/build_png.h"
#include "tests/fuzz/judge.h"

/* Of 1 to 4 threads; kept for the next input. */
imgtool_context *library_context(int threads);

/* Ends the program unless the file is read, as it is, converted, row by row and from a function,
 * with these pixels, or refused each time where `wanted` is NULL. What is read is written with its
 * metadata and read again. */
void judge_library(const FuzzPng *png, const ImgView *wanted);

/* Reads the file as it is, and ends the program unless it has these pixels. */
void judge_library_pixels(const void *data, size_t size, int threads, const ImgView *wanted);

#endif
