/* Reads the header of a dynamic block (RFC 1951, section 3.2.7) with one thread, and checks it as
 * strictly as zlib. Here the share of a code is the part of all bit patterns that begin with it: a
 * code of n bits has the share 2^(limit - n), where `limit` is the longest length. The shares of a
 * complete code add up to 2^limit. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_HEADER_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_HEADER_CUH

#include "io/png/cuda/decode/decode_bits.cuh"

constexpr int LENGTH_SYMBOLS = 19; /* number of symbols of the code that encodes code lengths */
/* Sum of the shares of a complete code for code lengths. Its codes have up to 7 bits. */
constexpr uint32_t MOST_SHARES = 128;
constexpr int MOST_LENGTHS = 288 + 32;
constexpr uint32_t WHOLE_CODE = 1u << 15;

/* Sums over the codes of one alphabet: literals and lengths, or distances. */
struct CodeSum {
    /* `shares`: sum of 2^(15 - length), which is 2^15 for a complete code. `used`: number of
     * symbols that have a code. */
    uint32_t shares, used;

    __device__ void add(uint32_t length, uint32_t times)
    {
        if (length == 0)
            return;
        shares += times << (15 - length);
        used += times;
    }
    /* Returns true if the code is complete, or if it consists of a single code of one bit. */
    __device__ bool is_complete_or_one() const
    {
        return shares == WHOLE_CODE || (used == 1 && shares == WHOLE_CODE / 2);
    }
};

/* Returns true if the zlib header (RFC 1950) is valid: method deflate, no preset dictionary,
 * correct check bits. */
__device__ inline bool has_zlib_header(const DecodeJob &job)
{
    uint32_t method = job.stream[0] & 0xff, flags = job.stream[0] >> 8 & 0xff;
    return (method & 15) == 8 && method >> 4 <= 7 && (flags & 0x20) == 0 &&
           (method << 8 | flags) % 31 == 0;
}

struct Header {
    uint32_t literals, distances; /* number of code lengths in the header, for each alphabet */
    CodeSum literal_sum, distance_sum;
    uint32_t symbols; /* bit position of the block's first symbol, just after the header */

    __device__ bool is_valid() const
    {
        return literals <= 286 && distances <= 30 && literal_sum.is_complete_or_one() &&
               (distance_sum.used == 0 || distance_sum.is_complete_or_one());
    }
};

/* The code that encodes code lengths. Byte n of `limits` is the end of the codes of up to n bits,
 * as a 7-bit number. A code of n bits plus byte n of `bases`, modulo 256, is the index of its
 * symbol in `symbols`. This list uses one byte in every `stride` bytes, so that threads can
 * interleave their lists. */
struct LengthCode {
    uint32_t limits[2], bases[2];
    uint8_t *symbols;
    uint32_t stride;

    /* Decodes the code at the start of `bits`. Returns symbol << 3 | length of the code. Compares
     * the bits with all limits at once. The length is the number of limits that the bits reach or
     * exceed; byte 0 of `limits` is 0 and always counts. */
    __device__ uint32_t entry(uint32_t bits) const
    {
        const uint32_t tops = 0x80808080u;
        uint32_t word = __brev(bits) >> 25, all = tops + word * 0x01010101u;
        uint32_t shorter = ((all - limits[0]) & tops) | ((all - limits[1]) & tops) >> 4;
        uint32_t length = (uint32_t)__popc(shorter);
        uint32_t base = __byte_perm(bases[0], bases[1], length) & 0xff;
        uint32_t place = (base + (word >> (7 - length))) & 0xff;
        return (uint32_t)symbols[place * stride] << 3 | length;
    }

    /* Sets `limits` and `bases`. Byte n of `counts` is the number of codes with n bits. Returns
     * false if the code is incomplete. */
    __device__ bool set(uint64_t counts)
    {
        uint64_t limit = 0, base = 0;
        uint32_t behind = 0, place = 0;
#pragma unroll
        for (uint32_t length = 1; length <= 7; length++) {
            uint32_t count = (uint32_t)(counts >> (8 * length)) & 0xff;
            base |= (uint64_t)((place - (behind >> (7 - length))) & 0xff) << (8 * length);
            behind += count << (7 - length);
            place += count;
            limit |= (uint64_t)(behind & 0xff) << (8 * length);
        }
        limits[0] = (uint32_t)limit;
        limits[1] = (uint32_t)(limit >> 32);
        bases[0] = (uint32_t)base;
        bases[1] = (uint32_t)(base >> 32);
        return behind == MOST_SHARES;
    }
};

/* Reads the code that encodes code lengths, with `count` lengths in the header. Returns false if
 * this code is incomplete. */
__device__ inline bool read_length_code(Reader &reader, uint32_t count, LengthCode &code)
{
    uint64_t lengths = 0; /* the code lengths of symbols 0 to 18, three bits each */
    uint64_t counts = 0;
#pragma unroll
    for (uint32_t i = 0; i < (uint32_t)LENGTH_SYMBOLS; i++) {
        /* order in RFC 1951: 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 */
        uint32_t symbol = i < 3 ? 16 + i : i == 3 ? 0 : i % 2 == 0 ? 6 + i / 2 : 9 - i / 2;
        uint32_t length = reader.take(i < count ? 3 : 0);
        lengths |= (uint64_t)length << (3 * symbol);
        counts += (uint64_t)1 << (8 * length);
    }
    if (!code.set(counts))
        return false;
    /* Byte n is the index of the next symbol with n bits. It starts as the number of shorter
     * codes. */
    uint64_t places = counts >> 8 << 8;
    places *= 0x0101010101010100u;
    for (uint32_t symbol = 0; symbol < (uint32_t)LENGTH_SYMBOLS; symbol++) {
        uint32_t length = (uint32_t)(lengths >> (3 * symbol)) & 7;
        if (length == 0)
            continue;
        code.symbols[(uint32_t)(places >> (8 * length) & 0xff) * code.stride] = (uint8_t)symbol;
        places += (uint64_t)1 << (8 * length);
    }
    return true;
}

/* Reads the code lengths of both alphabets; the header abbreviates repeated lengths. Stores them in
 * `lengths` unless it is NULL. Returns false as soon as the lengths cannot form valid codes. */
__device__ inline bool read_code_lengths(Reader &reader, const LengthCode &code, Header &header,
                                         uint8_t *lengths)
{
    uint32_t total = header.literals + header.distances, before = 0;
    for (uint32_t have = 0; have < total;) {
        uint32_t bits = reader.peek(), entry = code.entry(bits);
        uint32_t symbol = entry >> 3, coded = entry & 7, length = symbol, times = 1, extra = 0;
        if (symbol >= 16) {
            if (symbol == 16 && have == 0)
                return false;
            length = symbol == 16 ? before : 0;
            extra = symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
            times = (symbol == 18 ? 11 : 3) + (bits >> coded & ((1u << extra) - 1));
        }
        reader.drop(coded + extra);
        if (times > total - have)
            return false;
        uint32_t of_literals = have < header.literals ? min(times, header.literals - have) : 0;
        header.literal_sum.add(length, of_literals);
        header.distance_sum.add(length, times - of_literals);
        bool no_end = have <= 256 && have + times > 256 && length == 0;
        if (no_end || header.literal_sum.shares > WHOLE_CODE ||
            header.distance_sum.shares > WHOLE_CODE)
            return false;
        for (uint32_t i = 0; lengths != nullptr && i < times; i++)
            lengths[have + i] = (uint8_t)length;
        have += times;
        before = length;
    }
    return true;
}

/* Reads a header. The reader must be positioned after the three bits that start a block. `symbols`
 * is working memory for LENGTH_SYMBOLS bytes, one in every `stride` bytes. `lengths` has room for
 * MOST_LENGTHS lengths, or is NULL. Returns false if the header is invalid. */
__device__ inline bool read_header(Reader &reader, uint8_t *symbols, uint32_t stride,
                                   uint8_t *lengths, Header &header)
{
    LengthCode code = {{}, {}, symbols, stride};
    header = Header();
    header.literals = 257 + reader.take(5);
    header.distances = 1 + reader.take(5);
    uint32_t length_codes = 4 + reader.take(4);
    if (header.literals > 286 || header.distances > 30 ||
        !read_length_code(reader, length_codes, code) ||
        !read_code_lengths(reader, code, header, lengths))
        return false;
    header.symbols = reader.at;
    return header.is_valid();
}

#endif
