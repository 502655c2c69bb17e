/* A PNG file as a list of chunks, to be changed and written again with valid lengths and CRCs. */
#ifndef IMGTOOL_TESTS_FUZZ_MUTATE_PNG_CHUNKS_H
#define IMGTOOL_TESTS_FUZZ_MUTATE_PNG_CHUNKS_H

#include "tests/fuzz/bytes.h"

enum { PNG_CHUNKS_MAX = 256, PNG_SIGNATURE_BYTES = 8, PNG_FRAME_BYTES = 12 };

extern const uint8_t png_signature[PNG_SIGNATURE_BYTES];

typedef struct PngChunk {
    char type[4];
    FuzzBytes data;
} PngChunk;

/* Initialise with {0}; free with png_chunks_free. */
typedef struct PngChunks {
    PngChunk list[PNG_CHUNKS_MAX];
    size_t count;
} PngChunks;

/* Splits a file into chunks. It skips the signature and ignores CRCs. A chunk that is longer than
 * the rest of the file is shortened to it. Chunks past PNG_CHUNKS_MAX are dropped. Returns false if
 * the file has no chunk. */
bool png_chunks_read(const uint8_t *data, size_t size, PngChunks *chunks);

/* Appends the signature and all chunks to `file`. */
void png_chunks_write(const PngChunks *chunks, FuzzBytes *file);
void png_chunks_free(PngChunks *chunks);

bool png_chunk_is(const PngChunk *chunk, const char *type);
/* Returns the index of the first chunk of this type, or `count` if there is none. */
size_t png_chunks_find(const PngChunks *chunks, const char *type);

/* Inserts a chunk with a copy of the data before index `at`. Does nothing if the list is full. */
void png_chunks_insert(PngChunks *chunks, size_t at, const char *type, const uint8_t *data,
                       size_t size);
void png_chunks_remove(PngChunks *chunks, size_t at);
void png_chunks_move(PngChunks *chunks, size_t from, size_t to);

/* Appends the data of all IDATs to `stream`. */
void png_chunks_gather_idat(const PngChunks *chunks, FuzzBytes *stream);

#endif
