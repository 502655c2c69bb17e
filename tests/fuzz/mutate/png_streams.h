/* Mutates the zlib streams in a PNG file: inflates, changes and deflates them again. */
#ifndef IMGTOOL_TESTS_FUZZ_MUTATE_PNG_STREAMS_H
#define IMGTOOL_TESTS_FUZZ_MUTATE_PNG_STREAMS_H

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/mutate/png_chunks.h"
#include "tests/fuzz/mutate/png_mutate.h"
#include "tests/fuzz/mutate/png_random.h"

/* Appends the inflated data to `raw`: up to an error in the stream, or about 1 MiB. */
void stream_inflate(const uint8_t *data, size_t size, FuzzBytes *raw);

/* Appends a valid zlib stream to `stream`. Level, strategy, memory level and window are random, and
 * level and strategy may change within the stream. It has random flushes, also empty blocks. */
void stream_deflate(const FuzzBytes *raw, Random *random, FuzzBytes *stream);

/* Returns the bytes of the filtered rows that an IHDR chunk of `size` bytes needs; 0 if the header
 * is invalid or the picture too large. */
size_t png_raw_size(const uint8_t *ihdr, size_t size);

/* Replaces the IDATs by the stream, mostly as one IDAT. They go to the first IDAT's place, or in
 * front of IEND. */
void png_put_idat(PngChunks *chunks, const FuzzBytes *stream, Random *random);

/* Repeats or cuts the old rows to the size that the header needs, and deflates them again. With
 * `bytes` the rows are mutated first; their size is then sometimes wrong. */
void png_remake_rows(PngChunks *chunks, Random *random, PngMutateBytes bytes);

/* Mutates the compressed stream without inflating it; its Adler-32 is mostly valid afterwards. */
void png_mutate_stream(PngChunks *chunks, Random *random, PngMutateBytes bytes);

/* Mutates the inflated text or profile of a zTXt, iTXt or iCCP chunk. Returns false if the chunk
 * has no compressed data. */
bool png_mutate_compressed(PngChunk *chunk, Random *random, PngMutateBytes bytes);

#endif
