/* Makes metadata from a fuzzer's input. The input is a sequence of chunks. Each has a byte for its
 * type, a byte with flags (FUZZ_CHUNK_...), two bytes for the length (the low byte first), and
 * data. */
#ifndef IMGTOOL_TESTS_FUZZ_TEXT_CHUNKS_H
#define IMGTOOL_TESTS_FUZZ_TEXT_CHUNKS_H

#include "io/metadata/metadata.h"
#include "tests/fuzz/bytes.h"

/* Flags for texts and profiles. Bits 2 to 4 choose the keyword. */
enum {
    FUZZ_CHUNK_MADE = 1, /* add the keyword, and deflate the data in zTXt and iCCP; 0: data only */
    FUZZ_CHUNK_PACKED = 2, /* deflate the data in iTXt */
};

/* Reads at most 12 chunks. Returns false if there are none. Free with img_metadata_free. */
bool fuzz_chunks_read(const uint8_t *data, size_t size, ImgMetadata *metadata);

/* Returns a PNG of 3 x 2 pixels with these chunks, in this order, before its pixels. The caller
 * frees `data`. */
FuzzBytes fuzz_chunks_file(const ImgMetadata *metadata);

#endif
