/* The header of a block with codes of its own (RFC 1951, section 3.2.7), as one thread reads it,
 * and what zlib asks of it. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_HEADER_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_HEADER_CUH

#include "io/png/cuda/decode/decode_bits.cuh"

constexpr int LENGTH_ENTRIES = 128; /* of a table for codes of up to 7 bits */
constexpr int MOST_LENGTHS = 288 + 32;
constexpr uint32_t WHOLE_CODE = 1u << 15;

/* What the lengths of a code add up to. */
struct CodeSum {
    uint32_t shares, used; /* 2^15 is a complete code; symbols that have a code */

    __device__ void add(uint32_t length, uint32_t times)
    {
        if (length == 0)
            return;
        shares += times << (15 - length);
        used += times;
    }
    /* Complete, or a single code of one bit. */
    __device__ bool is_complete_or_one() const
    {
        return shares == WHOLE_CODE || (used == 1 && shares == WHOLE_CODE / 2);
    }
};

struct Header {
    uint32_t literals, distances; /* how many lengths were given */
    CodeSum literal_sum, distance_sum;
    bool ends;        /* there is a code for the end of the block */
    uint32_t symbols; /* the bit behind it */

    __device__ bool is_valid() const
    {
        return literals <= 286 && distances <= 30 && ends && literal_sum.is_complete_or_one() &&
               (distance_sum.used == 0 || distance_sum.is_complete_or_one());
    }
};

/* Fills a table of the code of code lengths: `symbol << 3 | bits`. False if it is not complete. */
__device__ inline bool read_length_code(Reader &reader, uint32_t count, uint8_t *table)
{
    uint64_t lengths = 0; /* three bits each, in the order of the symbols */
    uint32_t shares = 0;
    for (uint32_t i = 0; i < count; i++) {
        /* 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 */
        uint32_t symbol = i < 3 ? 16 + i : i == 3 ? 0 : i % 2 == 0 ? 6 + i / 2 : 9 - i / 2;
        reader.fill();
        uint32_t length = reader.take(3);
        lengths |= (uint64_t)length << (3 * symbol);
        shares += length > 0 ? (uint32_t)LENGTH_ENTRIES >> length : 0;
    }
    if (shares != LENGTH_ENTRIES)
        return false;
    uint32_t code = 0;
    for (uint32_t length = 1; length <= 7; length++) {
        for (uint32_t symbol = 0; symbol < 19; symbol++) {
            if ((lengths >> (3 * symbol) & 7) != length)
                continue;
            for (uint32_t i = __brev(code) >> (32 - length); i < (uint32_t)LENGTH_ENTRIES;
                 i += 1u << length)
                table[i] = (uint8_t)(symbol << 3 | length);
            code++;
        }
        code <<= 1;
    }
    return true;
}

/* Lengths of all codes, themselves coded, with repeats. `lengths` may be NULL. */
__device__ inline bool read_code_lengths(Reader &reader, const uint8_t *table, Header &header,
                                         uint8_t *lengths)
{
    uint32_t total = header.literals + header.distances, before = 0;
    for (uint32_t have = 0; have < total;) {
        reader.fill();
        uint32_t entry = table[(uint32_t)reader.bits % LENGTH_ENTRIES];
        uint32_t symbol = entry >> 3, length = symbol, times = 1;
        reader.drop(entry & 7);
        if (symbol >= 16) {
            if (symbol == 16 && have == 0)
                return false;
            length = symbol == 16 ? before : 0;
            times = symbol == 16   ? 3 + reader.take(2)
                    : symbol == 17 ? 3 + reader.take(3)
                                   : 11 + reader.take(7);
        }
        if (times > total - have)
            return false;
        uint32_t of_literals = have < header.literals ? min(times, header.literals - have) : 0;
        header.literal_sum.add(length, of_literals);
        header.distance_sum.add(length, times - of_literals);
        if (have <= 256 && have + times > 256)
            header.ends = length > 0;
        for (uint32_t i = 0; lengths != nullptr && i < times; i++)
            lengths[have + i] = (uint8_t)length;
        have += times;
        before = length;
    }
    return true;
}

/* The reader stands behind the three bits that say what kind of block it is. `table` is for its
 * use. Lengths go to `lengths`, which has room for MOST_LENGTHS of them, or may be NULL. */
__device__ inline bool read_header(Reader &reader, uint8_t *table, uint8_t *lengths, Header &header)
{
    header = Header();
    reader.fill();
    header.literals = 257 + reader.take(5);
    header.distances = 1 + reader.take(5);
    uint32_t length_codes = 4 + reader.take(4);
    if (header.literals > 286 || header.distances > 30 ||
        !read_length_code(reader, length_codes, table) ||
        !read_code_lengths(reader, table, header, lengths))
        return false;
    header.symbols = reader.position();
    return header.is_valid();
}

#endif
