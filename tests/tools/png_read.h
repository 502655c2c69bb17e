/* Reads PNGs in tests with libspng, independently of libpng, which imgtool uses. */
#ifndef IMGTOOL_TESTS_PNG_READ_H
#define IMGTOOL_TESTS_PNG_READ_H

#include "samples/png_file.h"

typedef struct Bytes {
    uint8_t *data;
    size_t size;
} Bytes;

/* Returns the whole file, or data NULL after a message on stderr. Free `data`. */
Bytes bytes_read(const char *path);

typedef struct PngChunkView {
    char type[5];
    uint32_t size, crc;
    const uint8_t *data;
} PngChunkView;

/* Steps through the chunks, starting with *offset 0. Returns false at the end or if the file is
 * truncated (*offset is then not the size of the file). CRCs are not checked here. */
bool png_next_chunk(Bytes png, size_t *offset, PngChunkView *chunk);

/* Decodes to unscaled samples. Returns false after a message on stderr. Free picture->samples. */
bool png_decode(Bytes png, const char *name, Picture *picture);

#endif
