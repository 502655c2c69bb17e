/* Reading PNGs in tests, with libspng: a second opinion on what imgtool writes through libpng. */
#ifndef IMGTOOL_TESTS_PNG_READ_H
#define IMGTOOL_TESTS_PNG_READ_H

#include "samples/png_file.h"

typedef struct Bytes {
    uint8_t *data;
    size_t size;
} Bytes;

/* The whole file. Data is NULL, after a message on stderr, where that fails. Free `data`. */
Bytes bytes_read(const char *path);

typedef struct PngChunkView {
    char type[5];
    uint32_t size, crc;
    const uint8_t *data;
} PngChunkView;

/* Steps through the chunks, starting with *offset 0; false at the end or where the file breaks off
 * (*offset is then not the size of the file). CRCs are not checked here. */
bool png_next_chunk(Bytes png, size_t *offset, PngChunkView *chunk);

/* Decodes to unscaled samples. False after a message on stderr. Free picture->samples. */
bool png_decode(Bytes png, const char *name, Picture *picture);

#endif
