/* Writes deflate streams (RFC 1951) bit by bit, valid or invalid as the caller needs. */
#ifndef IMGTOOL_TESTS_CHECKCODEC_PNG_BITS_H
#define IMGTOOL_TESTS_CHECKCODEC_PNG_BITS_H

#include <stddef.h>
#include <stdint.h>

#include "tests/checkcodec/png_files.h"

/* Written bits. Initialise with {0}. The caller frees the bytes. */
typedef struct Bits {
    Bytes bytes;
    uint64_t word;
    int count;
} Bits;

void put_bits(Bits *bits, uint32_t value, int count);
void align(Bits *bits);
void put_code(Bits *bits, uint32_t code, int length);

/* Code lengths in bits, by symbol. The code may be incomplete. */
typedef struct Alphabet {
    int count;
    uint8_t lengths[320];
} Alphabet;

Alphabet byte_alphabet(void);
void put_symbol(Bits *bits, const Alphabet *alphabet, int symbol);
void put_header(Bits *bits, int last, const Alphabet *literals, const Alphabet *distances);
void put_bytes(Bits *bits, const Alphabet *literals, const uint8_t *bytes, size_t size);
/* Writes a stored block. `flaw` is XORed with the complement of its size. */
void put_stored(Bits *bits, int last, const uint8_t *bytes, uint32_t size, uint32_t flaw);

#endif
