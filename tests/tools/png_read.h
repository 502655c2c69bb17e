/* Reads PNGs in tests with libspng, which is independent of libpng. imgtool uses libpng. */
#ifndef IMGTOOL_TESTS_TOOLS_PNG_READ_H
#define IMGTOOL_TESTS_TOOLS_PNG_READ_H

#include "samples/png_file.h"

typedef struct Bytes {
    uint8_t *data;
    size_t size;
} Bytes;

/* Returns the whole file. On failure `data` is NULL, after a message on stderr. The caller frees
 * `data`. */
Bytes bytes_read(const char *path);

typedef struct PngChunkView {
    char type[5];
    uint32_t size, crc;
    const uint8_t *data;
} PngChunkView;

/* Sets `chunk` to the chunk at *offset and moves *offset past it. *offset starts as 0. Does not
 * check CRCs.
 * Returns false at the end, or if the file is truncated. In a truncated file *offset is then not
 * the size of the file. */
bool png_next_chunk(Bytes png, size_t *offset, PngChunkView *chunk);

/* Decodes the file to unscaled samples. Returns false after a message on stderr. The caller frees
 * picture->samples. */
bool png_decode(Bytes png, const char *name, Picture *picture);

#endif
