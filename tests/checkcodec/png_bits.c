/* Writes deflate streams bit by bit (RFC 1951). */
#include "tests/checkcodec/png_bits.h"

#include <string.h>

/* --- Bits ------------------------------------------------------------------------------------- */

void put_bits(Bits *bits, uint32_t value, int count)
{
    bits->word |= (uint64_t)value << bits->count;
    for (bits->count += count; bits->count >= 8; bits->count -= 8) {
        put(&bits->bytes, &(uint8_t){(uint8_t)bits->word}, 1);
        bits->word >>= 8;
    }
}

void align(Bits *bits)
{
    if (bits->count > 0)
        put_bits(bits, 0, 8 - bits->count);
}

/* Writes a code of `length` bits. Huffman codes are written from their highest bit. */
void put_code(Bits *bits, uint32_t code, int length)
{
    while (length-- > 0)
        put_bits(bits, code >> length & 1, 1);
}

/* --- Blocks ----------------------------------------------------------------------------------- */

/* Writes the Huffman code of a symbol (RFC 1951, section 3.2.2). The code of the alphabet may be
 * incomplete. */
void put_symbol(Bits *bits, const Alphabet *alphabet, int symbol)
{
    uint32_t code = 0;
    int length = alphabet->lengths[symbol];
    for (int bits_of = 1; bits_of <= length; bits_of++) {
        code <<= 1;
        for (int i = 0; i < alphabet->count; i++)
            code += alphabet->lengths[i] == bits_of && (bits_of < length || i < symbol);
    }
    put_code(bits, code, length);
}

/* Writes the header of a block with dynamic codes. Every code length takes four bits. */
void put_header(Bits *bits, int last, const Alphabet *literals, const Alphabet *distances)
{
    put_bits(bits, (uint32_t)last, 1);
    put_bits(bits, 2, 2);
    put_bits(bits, (uint32_t)literals->count - 257, 5);
    put_bits(bits, (uint32_t)distances->count - 1, 5);
    put_bits(bits, 15, 4);
    for (int i = 0; i < 19; i++)
        put_bits(bits, i < 3 ? 0 : 4, 3);
    for (int i = 0; i < literals->count; i++)
        put_code(bits, literals->lengths[i], 4);
    for (int i = 0; i < distances->count; i++)
        put_code(bits, distances->lengths[i], 4);
}

/* Returns code lengths for a block of literals: 8 bits for the bytes 0 to 254, and 9 bits for 255
 * and the end of the block. */
Alphabet byte_alphabet(void)
{
    Alphabet alphabet = {.count = 257};
    memset(alphabet.lengths, 8, 255);
    alphabet.lengths[255] = alphabet.lengths[256] = 9;
    return alphabet;
}

void put_bytes(Bits *bits, const Alphabet *literals, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        put_symbol(bits, literals, bytes[i]);
}

void put_stored(Bits *bits, int last, const uint8_t *bytes, uint32_t size, uint32_t flaw)
{
    put_bits(bits, (uint32_t)last, 3);
    align(bits);
    put_bits(bits, size, 16);
    put_bits(bits, (size ^ 0xffff) ^ flaw, 16);
    put(&bits->bytes, bytes, size);
}
