/* Small PNG files for the GPU's decoder: every format, and streams as they are and as they might
 * be. */
#ifndef IMGTOOL_TESTS_CHECKCODEC_PNG_FILES_H
#define IMGTOOL_TESTS_CHECKCODEC_PNG_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"

/* Bytes that grow; start with {0}, end with free(data). */
typedef struct Bytes {
    uint8_t *data;
    size_t size, capacity;
} Bytes;

void put(Bytes *bytes, const void *data, size_t size);
void put_chunk(Bytes *png, const char *type, const void *data, size_t size);

/* How a stream is made. */
typedef struct Packing {
    int level, strategy, window_bits, memory_level; /* zlib's */
    int flush;                                      /* between groups of rows, zlib's */
    int flush_rows;                                 /* 0: no flush */
    int part_bytes;                                 /* of an IDAT chunk, at most; 0: all in one */
    int empty_parts; /* one in so many chunks is followed by an empty one; 0: none */
} Packing;

/* What rows look like. */
typedef enum Pattern { NOISE, FEW_VALUES, SMOOTH, REPEATS, BLACK, PATTERNS } Pattern;

uint32_t random_below(uint32_t limit);
void random_seed(uint64_t seed);

/* Filtered rows, each of any type. */
Bytes make_rows(ImgShape shape, Pattern pattern);
Bytes make_stream(const Bytes *rows, size_t row_bytes, const Packing *packing);
/* A whole file, of a stream in parts. */
Bytes make_png(ImgShape shape, const Bytes *stream, const Packing *packing);
/* A file as imgtool writes it. */
Bytes make_own(ImgShape shape, Pattern pattern, int level, int index);

size_t filtered_row_bytes(ImgShape shape);

#endif
