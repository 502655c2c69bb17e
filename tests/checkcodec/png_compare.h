/* The GPU's PNG decoder beside the CPU's: whatever the one proves, the other must read, with the
 * same pixels. */
#ifndef IMGTOOL_TESTS_CHECKCODEC_PNG_COMPARE_H
#define IMGTOOL_TESTS_CHECKCODEC_PNG_COMPARE_H

#include <stdbool.h>

#include "io/png/index/block_index.h"
#include "tests/checkcodec/png_files.h"

/* How often it was not so, or a kernel did what it must not. */
extern int png_failures;

/* Says what both think of the file, and prints and counts failures; `what` is its name. True if the
 * GPU proved it. */
bool compare_decoders(const Bytes *file, const char *what, bool *cpu_reads, uint32_t *status);
/* The GPU is told that blocks begin there, whatever the file says: right or wrong, in any order. */
bool compare_with_blocks(const Bytes *file, const ImgPngBlocks *blocks, const char *what,
                         bool *cpu_reads, uint32_t *status);

/* A failure, too, if the GPU does not prove it. */
void expect_proved(const Bytes *file, const char *what);
/* A failure, too, if the CPU reads it. */
void expect_refused(const Bytes *file, const char *what);

/* decode_special.c: streams made by hand. */
void try_special_files(void);
/* decode_lists.c: lists of blocks. */
void try_lists(void);
/* Lies about the blocks of a sound file. */
void try_lies(const Bytes *file, const char *what);
/* Where the blocks of a sound file begin that hold anything, as zlib sees them; the caller frees
 * the starts. */
ImgPngBlocks find_blocks(const Bytes *file);

#endif
