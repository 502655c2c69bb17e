/* Compares the PNG decoder of the GPU with that of the CPU. The GPU verifies a whole file, or
 * leaves it to the CPU. The CPU must also accept every file that the GPU verified, and give the
 * same pixels. */
#ifndef IMGTOOL_TESTS_CHECKCODEC_PNG_COMPARE_H
#define IMGTOOL_TESTS_CHECKCODEC_PNG_COMPARE_H

#include <stdbool.h>

#include "io/png/index/block_index.h"
#include "tests/checkcodec/png_files.h"

/* Number of differences between the decoders, and of errors of kernels. */
extern int png_failures;

/* Decodes a file named `what` with both decoders. Prints and counts failures. *cpu_reads and
 * *status get the results of the CPU and the GPU. Returns true if the GPU verified the file. */
bool compare_decoders(const Bytes *file, const char *what, bool *cpu_reads, uint32_t *status);
/* Like compare_decoders, but the GPU gets the list `blocks` instead of that of the file. The list
 * may be wrong and in any order. */
bool compare_with_blocks(const Bytes *file, const ImgPngBlocks *blocks, const char *what,
                         bool *cpu_reads, uint32_t *status);

/* Returns true if two pictures of the same shape have the same pixels. */
bool same_pixels(const ImgView *a, const ImgView *b);

/* Like compare_decoders. A file that the GPU does not verify is also a failure. */
void expect_verified(const Bytes *file, const char *what);
/* Like compare_decoders. A file that the CPU reads is also a failure. */
void expect_rejected(const Bytes *file, const char *what);

/* Checks streams written by hand (decode_special.c). */
void try_special_files(void);
/* Checks right and wrong lists of blocks (decode_lists.c). */
void try_lists(void);
/* Checks wrong lists of blocks for a valid file. */
void try_lies(const Bytes *file, const char *what);
/* Returns the positions, in bits, where zlib finds the non-empty blocks of a valid file. The caller
 * frees `starts` of the result. */
ImgPngBlocks find_blocks(const Bytes *file);

#endif
