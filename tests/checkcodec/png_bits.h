/* Writes deflate streams (RFC 1951) bit by bit. They may be valid or invalid, as the caller
 * needs. */
#ifndef IMGTOOL_TESTS_CHECKCODEC_PNG_BITS_H
#define IMGTOOL_TESTS_CHECKCODEC_PNG_BITS_H

#include <stddef.h>
#include <stdint.h>

#include "tests/checkcodec/png_files.h"

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
/* Writes a stored block. The complement of its size is XORed with `flaw`; 0 gives a valid block. */
void put_stored(Bits *bits, int last, const uint8_t *bytes, uint32_t size, uint32_t flaw);

#endif
