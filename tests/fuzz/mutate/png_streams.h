/* Zlib streams in a PNG file: inflated, changed, and deflated again in odd ways. */
#ifndef IMGTOOL_TESTS_FUZZ_MUTATE_PNG_STREAMS_H
#define IMGTOOL_TESTS_FUZZ_MUTATE_PNG_STREAMS_H

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/mutate/png_chunks.h"
#include "tests/fuzz/mutate/png_mutate.h"
#include "tests/fuzz/mutate/png_random.h"

/* Inflates as far as the stream is sound, and to 1 MiB at most. */
void stream_inflate(const uint8_t *data, size_t size, FuzzBytes *raw);

/* Deflates to a sound stream, of any level, strategy, memory and window, which are changed within
 * it, with flushes, empty and stored blocks. */
void stream_deflate(const FuzzBytes *raw, Random *random, FuzzBytes *stream);

/* The bytes of the filtered rows that the header asks for; 0 where it makes no sense. */
size_t png_raw_size(const uint8_t *ihdr, size_t size);

/* Puts the stream into IDATs where the file's first was, or before the end; mostly one. */
void png_put_idat(PngChunks *chunks, const FuzzBytes *stream, Random *random);

/* New rows of the size that the header asks for, from the old ones; or with `bytes` the old ones
 * mutated, whatever size that makes. */
void png_remake_rows(PngChunks *chunks, Random *random, PngMutateBytes bytes);

/* Mutates the compressed stream itself; its Adler-32 is mostly right afterwards. */
void png_mutate_stream(PngChunks *chunks, Random *random, PngMutateBytes bytes);

/* Mutates what is compressed in an iCCP, zTXt or iTXt; false where it has no stream. */
bool png_mutate_compressed(PngChunk *chunk, Random *random, PngMutateBytes bytes);

#endif
