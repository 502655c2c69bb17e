/* Compares the PNG decoder of the GPU with that of the CPU: the CPU must read every file that the
 * GPU proves, with the same pixels. */
#ifndef IMGTOOL_TESTS_CHECKCODEC_PNG_COMPARE_H
#define IMGTOOL_TESTS_CHECKCODEC_PNG_COMPARE_H

#include <stdbool.h>

#include "io/png/index/block_index.h"
#include "tests/checkcodec/png_files.h"

/* Number of mismatches and of kernel errors. */
extern int png_failures;

/* Decodes the file on both sides; prints and counts failures. `what` is its name. Returns whether
 * the GPU proved it. */
bool compare_decoders(const Bytes *file, const char *what, bool *cpu_reads, uint32_t *status);
/* Gives the GPU this list of blocks, right or wrong and in any order, in place of the list of the
 * file. */
bool compare_with_blocks(const Bytes *file, const ImgPngBlocks *blocks, const char *what,
                         bool *cpu_reads, uint32_t *status);

/* A file that the GPU does not prove is also a failure. */
void expect_proved(const Bytes *file, const char *what);
/* A file that the CPU reads is also a failure. */
void expect_refused(const Bytes *file, const char *what);

/* decode_special.c: streams written by hand. */
void try_special_files(void);
/* decode_lists.c: lists of blocks. */
void try_lists(void);
/* Tries wrong lists of blocks on a valid file. */
void try_lies(const Bytes *file, const char *what);
/* Returns where zlib finds the non-empty blocks of a valid file. The caller frees the starts. */
ImgPngBlocks find_blocks(const Bytes *file);

#endif
