/* A PNG file as a list of chunks, which can be changed and written again with right lengths and
 * CRCs. Any bytes can be taken apart that start as a PNG does. */
#ifndef IMGTOOL_TESTS_FUZZ_MUTATE_PNG_CHUNKS_H
#define IMGTOOL_TESTS_FUZZ_MUTATE_PNG_CHUNKS_H

#include "tests/fuzz/bytes.h"

enum { PNG_CHUNKS_MAX = 256, PNG_SIGNATURE_BYTES = 8, PNG_FRAME_BYTES = 12 };

extern const uint8_t png_signature[PNG_SIGNATURE_BYTES];

typedef struct PngChunk {
    char type[4];
    FuzzBytes data;
} PngChunk;

/* Start with {0}. */
typedef struct PngChunks {
    PngChunk list[PNG_CHUNKS_MAX];
    size_t count;
} PngChunks;

/* False unless the first chunk at least has all of its frame. Of one whose length is beyond the
 * end, the list has what is there; CRCs are not looked at, and what comes after the most chunks
 * is left out. */
bool png_chunks_read(const uint8_t *data, size_t size, PngChunks *chunks);
void png_chunks_write(const PngChunks *chunks, FuzzBytes *file);
void png_chunks_free(PngChunks *chunks);

bool png_chunk_is(const PngChunk *chunk, const char *type);
/* Its place in the list, or the count. */
size_t png_chunks_find(const PngChunks *chunks, const char *type);

/* Inserts a chunk with a copy of the data before the one at `at`; does nothing where the list is
 * full. */
void png_chunks_insert(PngChunks *chunks, size_t at, const char *type, const uint8_t *data,
                       size_t size);
void png_chunks_remove(PngChunks *chunks, size_t at);
void png_chunks_move(PngChunks *chunks, size_t from, size_t to);

/* What the IDATs hold, one after the other. */
void png_chunks_gather_idat(const PngChunks *chunks, FuzzBytes *stream);

#endif
