/* Makes metadata from a fuzzer's input, which is a sequence of chunks. Each chunk has one byte for
 * its type, one byte with flags (FUZZ_CHUNK_...), two bytes for the length (the low byte first),
 * and the data. */
#ifndef IMGTOOL_TESTS_FUZZ_TEXT_CHUNKS_H
#define IMGTOOL_TESTS_FUZZ_TEXT_CHUNKS_H

#include "io/metadata/metadata.h"
#include "tests/fuzz/bytes.h"

/* Flags of a text or a profile. Bits 2 to 4 of the same byte choose the keyword. */
enum {
    FUZZ_CHUNK_MADE = 1, /* adds the keyword, and in zTXt and iCCP deflates the data; otherwise the
                            chunk is the data alone */
    FUZZ_CHUNK_PACKED = 2, /* deflates the data in iTXt */
};

/* Reads at most 12 chunks from the input. Returns false if there are none. Free `metadata` with
 * img_metadata_free. */
bool fuzz_chunks_read(const uint8_t *data, size_t size, ImgMetadata *metadata);

/* Returns a PNG of 3 x 2 pixels. The chunks of `metadata` stand before the pixels, in the same
 * order. The caller frees `data`. */
FuzzBytes fuzz_chunks_file(const ImgMetadata *metadata);

#endif
