/* Metadata out of a fuzzer's bytes. An input is chunks, one after the other: which type, how its
 * data are made, how many bytes (the low one first), and these bytes. */
#ifndef IMGTOOL_TESTS_FUZZ_TEXT_CHUNKS_H
#define IMGTOOL_TESTS_FUZZ_TEXT_CHUNKS_H

#include "io/metadata/metadata.h"
#include "tests/fuzz/bytes.h"

/* How the data of texts and profiles are made of the bytes; without FUZZ_CHUNK_MADE they are the
 * bytes. The keyword is that of number (how >> 2). */
enum {
    FUZZ_CHUNK_MADE = 1,   /* a keyword before them, deflated in zTXt and iCCP */
    FUZZ_CHUNK_PACKED = 2, /* in iTXt, too */
};

/* False where there are no chunks, or too many. Free by img_metadata_free. */
bool fuzz_chunks_read(const uint8_t *data, size_t size, ImgMetadata *metadata);

/* A PNG of 3 x 2 pixels that has them, in this order and before its pixels. Free `data`. */
FuzzBytes fuzz_chunks_file(const ImgMetadata *metadata);

#endif
