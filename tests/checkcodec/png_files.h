/* Makes small PNG files for the decoder of the GPU, in every format, with usual and unusual
 * streams. */
#ifndef IMGTOOL_TESTS_CHECKCODEC_PNG_FILES_H
#define IMGTOOL_TESTS_CHECKCODEC_PNG_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"

/* A growing array of bytes. Initialise with {0}. The caller frees `data`. */
typedef struct Bytes {
    uint8_t *data;
    size_t size, capacity;
} Bytes;

void put(Bytes *bytes, const void *data, size_t size);
void put_chunk(Bytes *png, const char *type, const void *data, size_t size);

/* How a stream is compressed and divided into chunks. */
typedef struct Packing {
    int level, strategy, window_bits, memory_level; /* parameters of zlib */
    /* flush mode of zlib; zlib flushes after every `flush_rows` rows */
    int flush;
    /* number of rows between two flushes; 0 if zlib never flushes */
    int flush_rows;
    int part_bytes; /* maximum size of an IDAT chunk in bytes; 0 if there is only one chunk */
    /* an empty chunk follows one of every `empty_parts` chunks; 0 if there are none */
    int empty_parts;
} Packing;

/* Kinds of content of the rows. */
typedef enum Pattern { NOISE, FEW_VALUES, SMOOTH, REPEATS, BLACK, PATTERNS } Pattern;

uint32_t random_below(uint32_t limit);
void random_seed(uint64_t seed);

/* Returns the filtered rows of a picture. Each row has a random filter type. */
Bytes make_rows(ImgShape shape, Pattern pattern);
Bytes make_stream(const Bytes *rows, size_t row_bytes, const Packing *packing);
/* Returns a whole file. `packing` determines how the stream is divided into chunks. */
Bytes make_png(ImgShape shape, const Bytes *stream, const Packing *packing);
/* Returns a file that the encoder of imgtool writes at a level, with an index if `index` is not
 * 0. */
Bytes make_own(ImgShape shape, Pattern pattern, int level, int index);

size_t filtered_row_bytes(ImgShape shape);

/* --- Writing deflate streams (RFC 1951) bit by bit -------------------------------------------- */

/* The functions of this section check nothing, so that tests can also write invalid streams. */

/* A deflate stream that is being written. Initialise with {0}. The caller frees `bytes`. */
typedef struct Bits {
    Bytes bytes;
    uint64_t word;
    int count;
} Bits;

void put_bits(Bits *bits, uint32_t value, int count);
void align(Bits *bits);
void put_code(Bits *bits, uint32_t code, int length);

/* The code lengths of a Huffman code in bits, indexed by symbol. The code may be incomplete. */
typedef struct Alphabet {
    int count;
    uint8_t lengths[320];
} Alphabet;

Alphabet byte_alphabet(void);
void put_symbol(Bits *bits, const Alphabet *alphabet, int symbol);
void put_header(Bits *bits, int last, const Alphabet *literals, const Alphabet *distances);
void put_bytes(Bits *bits, const Alphabet *literals, const uint8_t *bytes, size_t size);
/* Writes a stored block. The complement of the size in its header is XORed with `flaw`, so that any
 * `flaw` except 0 makes the block invalid. */
void put_stored(Bits *bits, int last, const uint8_t *bytes, uint32_t size, uint32_t flaw);

#endif
