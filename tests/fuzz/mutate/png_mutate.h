/* A mutator of whole PNG files for libFuzzer. It changes headers, chunks and compressed data. Then
 * it writes valid lengths and CRCs, and mostly a valid Adler-32. */
#ifndef IMGTOOL_TESTS_FUZZ_MUTATE_PNG_MUTATE_H
#define IMGTOOL_TESTS_FUZZ_MUTATE_PNG_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/fuzz/bytes.h"

/* --- Mutations -------------------------------------------------------------------------------- */

/* A function that mutates plain bytes in place and returns the new size, such as
 * LLVMFuzzerMutate. */
typedef size_t (*PngMutateBytes)(uint8_t *data, size_t size, size_t most);

/* Mutates the file `data` in place and returns its new size, at most `most` bytes. The same seed
 * makes the same changes. An input without chunks becomes a PNG of one pixel. */
size_t png_mutate(uint8_t *data, size_t size, size_t most, unsigned seed, PngMutateBytes bytes);

/* Writes the chunks of `one` to `to`, then adds some chunks of `other` or replaces chunks by them.
 * Returns the size, or 0 if the result exceeds `most` bytes or `one` has no chunks. */
size_t png_cross_over(const uint8_t *one, size_t one_size, const uint8_t *other, size_t other_size,
                      uint8_t *to, size_t most, unsigned seed);

/* --- Random numbers --------------------------------------------------------------------------- */

typedef struct Random {
    uint64_t state;
} Random;

/* Returns a random number from 0 to below - 1; `below` is at least 1. */
static inline uint32_t random_below(Random *random, uint32_t below)
{
    random->state = random->state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(random->state >> 33) % below;
}

/* Returns true with a probability of 1 / count. */
static inline bool random_one_in(Random *random, uint32_t count)
{
    return random_below(random, count) == 0;
}

/* --- Chunks ----------------------------------------------------------------------------------- */

enum { PNG_CHUNKS_MAX = 256, PNG_SIGNATURE_BYTES = 8, PNG_FRAME_BYTES = 12 };

extern const uint8_t png_signature[PNG_SIGNATURE_BYTES];

typedef struct PngChunk {
    char type[4];
    FuzzBytes data;
} PngChunk;

/* The chunks of a file. Initialise with {0}; free with png_chunks_free. */
typedef struct PngChunks {
    PngChunk list[PNG_CHUNKS_MAX];
    size_t count;
} PngChunks;

/* Splits the file `data` into chunks. Skips the signature and ignores CRCs.
 * A chunk that is longer than the rest of the file is shortened to it. Chunks past PNG_CHUNKS_MAX
 * are dropped. Returns false if the file has no chunk. */
bool png_chunks_read(const uint8_t *data, size_t size, PngChunks *chunks);

/* Appends the signature and all chunks to `file`. */
void png_chunks_write(const PngChunks *chunks, FuzzBytes *file);
void png_chunks_free(PngChunks *chunks);

bool png_chunk_is(const PngChunk *chunk, const char *type);
/* Returns the index of the first chunk of type `type`, or `count` if there is none. */
size_t png_chunks_find(const PngChunks *chunks, const char *type);

/* Inserts a chunk with a copy of `data` before chunk number `at`. Does nothing if the list is
 * full. */
void png_chunks_insert(PngChunks *chunks, size_t at, const char *type, const uint8_t *data,
                       size_t size);
void png_chunks_remove(PngChunks *chunks, size_t at);
void png_chunks_move(PngChunks *chunks, size_t from, size_t to);

/* Appends the data of all IDATs to `stream`. */
void png_chunks_gather_idat(const PngChunks *chunks, FuzzBytes *stream);

/* --- Compressed streams ----------------------------------------------------------------------- */

/* Inflates a zlib stream and appends the result to `raw`. Stops at an error in the stream or after
 * about 1 MiB. */
void stream_inflate(const uint8_t *data, size_t size, FuzzBytes *raw);

/* Deflates `raw` and appends a valid zlib stream to `stream`. Level, strategy, memory level and
 * window are random; level and strategy may change within the stream. Random flushes also make
 * empty blocks. */
void stream_deflate(const FuzzBytes *raw, Random *random, FuzzBytes *stream);

/* Returns the number of bytes of the filtered rows, as an IHDR chunk of `size` bytes describes
 * them. Returns 0 if the header is invalid or the picture too large. */
size_t png_raw_size(const uint8_t *ihdr, size_t size);

/* Replaces all IDATs by `stream`, mostly as one IDAT. The new IDATs stand at the place of the first
 * old one, or before IEND if there was none. */
void png_put_idat(PngChunks *chunks, const FuzzBytes *stream, Random *random);

/* Adapts the rows to the size that the header describes, by repeating or cutting them, and deflates
 * them again. If `bytes` is not NULL, the rows are mutated first, and their size is sometimes
 * wrong. */
void png_remake_rows(PngChunks *chunks, Random *random, PngMutateBytes bytes);

/* Mutates the compressed stream without inflating it. The Adler-32 is mostly valid afterwards. */
void png_mutate_stream(PngChunks *chunks, Random *random, PngMutateBytes bytes);

/* Mutates the inflated text or profile of a zTXt, iTXt or iCCP chunk, and deflates it again.
 * Returns false if the chunk has no compressed data. */
bool png_mutate_compressed(PngChunk *chunk, Random *random, PngMutateBytes bytes);

#endif
