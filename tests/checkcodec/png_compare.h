/* Compares the PNG decoder of the GPU with that of the CPU. The CPU must read every file that the
 * GPU proves (verifies as a whole), with the same pixels. */
#ifndef IMGTOOL_TESTS_CHECKCODEC_PNG_COMPARE_H
#define IMGTOOL_TESTS_CHECKCODEC_PNG_COMPARE_H

#include <stdbool.h>

#include "io/png/index/block_index.h"
#include "tests/checkcodec/png_files.h"

/* Number of mismatches and of kernel errors. */
extern int png_failures;

/* Decodes the file with both decoders, and prints and counts failures. `what` is its name. Returns
 * true if the GPU proved the file. */
bool compare_decoders(const Bytes *file, const char *what, bool *cpu_reads, uint32_t *status);
/* Like compare_decoders, but the GPU gets this list of blocks in place of the list of the file. The
 * list may be wrong and in any order. */
bool compare_with_blocks(const Bytes *file, const ImgPngBlocks *blocks, const char *what,
                         bool *cpu_reads, uint32_t *status);

/* Compares the decoders. It is also a failure if the GPU does not prove the file. */
void expect_proved(const Bytes *file, const char *what);
/* Compares the decoders. It is also a failure if the CPU reads the file. */
void expect_refused(const Bytes *file, const char *what);

/* Tries streams written by hand (decode_special.c). */
void try_special_files(void);
/* Tries right and wrong lists of blocks (decode_lists.c). */
void try_lists(void);
/* Tries wrong lists of blocks on a valid file. */
void try_lies(const Bytes *file, const char *what);
/* Returns the positions where zlib finds the non-empty blocks of a valid file. The caller frees the
 * starts. */
ImgPngBlocks find_blocks(const Bytes *file);

#endif
