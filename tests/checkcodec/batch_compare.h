/* Decodes files again in batches on the GPU, and compares them with the decoder of the CPU. */
#ifndef IMGTOOL_TESTS_CHECKCODEC_BATCH_COMPARE_H
#define IMGTOOL_TESTS_CHECKCODEC_BATCH_COMPARE_H

#include "tests/checkcodec/png_files.h"

/* Adds a file that is not interlaced to the batch, and decodes the batch when it is full. `scanned`
 * is the number of bytes up to the end of the file's last chunk. `cpu` is what the CPU decoded, or
 * IMG_IMAGE_NONE; it is moved to the batch. With `must_verify` it is a failure if the GPU rejects
 * the file. Failures are counted in png_failures. */
void batch_add(const Bytes *file, size_t scanned, ImgShape shape, ImgImage *cpu, bool must_verify,
               const char *what);

/* Decodes the files that were added since the last batch. */
void batch_finish(void);

/* Decodes the rest, and prints how many files were decoded. */
void batch_report(void);

#endif
