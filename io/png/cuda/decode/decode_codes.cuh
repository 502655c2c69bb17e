/* Makes the code tables of a deflate block with all threads of a thread block. Reads symbols with
 * these tables, each thread for itself. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_CODES_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_CODES_CUH

#include "io/png/cuda/decode/decode_header.cuh"

/* --- Symbols ---------------------------------------------------------------------------------- */

/* Results of take_symbol: a literal below SYMBOL_END, SYMBOL_END, or SYMBOL_NONE (invalid). A match
 * is length << 16 | (distance - 1), which is at least SYMBOL_COPY. */
constexpr uint32_t SYMBOL_END = 256, SYMBOL_NONE = 257, SYMBOL_COPY = 1u << 16;

/* Decodes the code at the start of `bits`, which is too long for the table of short codes. Returns
 * the symbol and the length of its code in the form of a table entry, or 0 if the code is
 * invalid. */
template <int ROOT>
__device__ inline uint32_t long_entry(const CanonicalCode &code, const uint16_t *symbols,
                                      uint32_t bits)
{
    uint32_t word = __brev(bits) >> 17, length = ROOT + 1;
#pragma unroll
    for (int shorter = ROOT + 1; shorter < CODE_LENGTHS - 1; shorter++)
        length += word >= code.limit[shorter];
    if (word >= code.limit[CODE_LENGTHS - 1])
        return 0;
    uint32_t place = (code.base[length] + (word >> (15 - length))) & 0xffff;
    return (uint32_t)symbols[place] << 4 | length;
}

/* Returns the smallest match length of the length code 257 + `code`. Sets `extra` to the number of
 * extra bits of this code (RFC 1951, section 3.2.5). */
__device__ inline uint32_t least_length(uint32_t code, uint32_t &extra)
{
    extra = code < 8 || code == 28 ? 0 : code / 4 - 1;
    return code == 28 ? 258 : 3 + (code < 8 ? code : (4 + code % 4) << extra);
}

__device__ inline uint32_t least_distance(uint32_t code, uint32_t &extra)
{
    extra = code < 4 ? 0 : code / 2 - 1;
    return 1 + (code < 4 ? code : (2 + code % 2) << extra);
}

/* Skips a code of `coded` bits and its `extra` extra bits. `bits` starts with the code. Returns the
 * value of the extra bits. */
__device__ inline uint32_t take_extra_bits(Reader &reader, uint32_t bits, uint32_t coded,
                                           uint32_t extra)
{
    reader.drop(coded + extra);
    return bits >> coded & ((1u << extra) - 1);
}

/* Reads a symbol. With its extra bits and its distance it has at most 48 bits. After SYMBOL_NONE
 * the position of the reader is undefined. */
__device__ inline uint32_t take_symbol(Reader &reader, const Codes &codes)
{
    uint32_t bits = reader.peek(), extra;
    uint32_t entry = codes.literals[bits % (1u << LITERAL_ROOT)];
    if (entry == 0)
        entry = long_entry<LITERAL_ROOT>(codes.literal_code, codes.literal_symbols, bits);
    uint32_t symbol = entry >> 4;
    if (entry == 0 || symbol > 285)
        return SYMBOL_NONE;
    if (symbol <= SYMBOL_END) {
        reader.drop(entry & 15);
        return symbol;
    }
    uint32_t length = least_length(symbol - 257, extra);
    length += take_extra_bits(reader, bits, entry & 15, extra);
    bits = reader.peek();
    entry = codes.distances[bits % (1u << DISTANCE_ROOT)];
    if (entry == 0)
        entry = long_entry<DISTANCE_ROOT>(codes.distance_code, codes.distance_symbols, bits);
    if (entry == 0 || entry >> 4 > 29)
        return SYMBOL_NONE;
    uint32_t distance = least_distance(entry >> 4, extra);
    distance += take_extra_bits(reader, bits, entry & 15, extra);
    return length << 16 | (distance - 1);
}

constexpr uint32_t LITERALS_AT_ONCE = 6;

/* Reads literals whose codes are in the table of short codes and start before bit `to`, at most
 * `most` of them. Returns the number of literals read. All lanes of a warp read literals together
 * and handle other symbols afterwards, because a rare case in one lane delays all lanes. */
template <typename Put>
__device__ inline uint32_t pass_literals(Reader &reader, const Codes &codes, uint32_t to,
                                         uint32_t most, Put put)
{
    uint32_t count = 0;
    for (; count < most && reader.at < to; count++) {
        uint32_t entry = codes.literals[reader.peek() % (1u << LITERAL_ROOT)];
        if (entry == 0 || entry >= SYMBOL_END << 4)
            break;
        reader.drop(entry & 15);
        put(entry >> 4);
    }
    return count;
}

/* --- Tables ----------------------------------------------------------------------------------- */

/* Shared memory for reading a block header and making tables. */
struct CodesScratch {
    uint8_t length_symbols[LENGTH_SYMBOLS], lengths[MOST_LENGTHS];
    uint16_t literal_counts[CODE_LENGTHS],
        distance_counts[CODE_LENGTHS]; /* [n]: number of codes of n bits */
    uint32_t literals, distances, symbols, kind, last, valid;
};

/* Counts the codes with `length` bits. 16 threads call this function, each with a different
 * length. */
__device__ inline void count_lengths(uint16_t *counts, const uint8_t *lengths, uint32_t symbols,
                                     uint32_t length)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < symbols; i++)
        count += lengths[i] == length;
    counts[length] = (uint16_t)(length == 0 ? 0 : count);
}

__device__ inline void sort_symbols(CanonicalCode &code, const uint16_t *counts,
                                    const uint8_t *lengths, uint32_t symbols, uint32_t length,
                                    uint16_t *sorted)
{
    uint32_t first = 0, place = 0;
    for (uint32_t shorter = 1; shorter < length; shorter++) {
        first = (first + counts[shorter]) << 1;
        place += counts[shorter];
    }
    code.limit[length] = (uint16_t)((first + counts[length]) << (15 - length));
    code.base[length] = (uint16_t)(place - first);
    for (uint32_t i = 0; length > 0 && i < symbols; i++)
        if (lengths[i] == length)
            sorted[place++] = (uint16_t)i;
}

/* Writes the table entries of one symbol. `sorted` lists the symbols in the order of their codes,
 * and `place` is the symbol's index in this list. */
__device__ inline void put_symbol(const CanonicalCode &code, const uint16_t *sorted,
                                  const uint8_t *lengths, uint32_t place, uint16_t *table,
                                  uint32_t root)
{
    uint32_t symbol = sorted[place], length = lengths[symbol];
    if (length > root)
        return;
    uint32_t word = (place - code.base[length]) & 0xffff;
    for (uint32_t i = __brev(word) >> (32 - length); i < 1u << root; i += 1u << length)
        table[i] = (uint16_t)(symbol << 4 | length);
}

__device__ inline uint32_t used_symbols(const uint16_t *counts)
{
    uint32_t used = 0;
    for (int length = 1; length < CODE_LENGTHS; length++)
        used += counts[length];
    return used;
}

/* Reads the block header at bit `at` into `scratch`. Called by one thread. */
__device__ inline void read_block_header(const DecodeJob &job, uint32_t at, CodesScratch &scratch)
{
    Reader reader;
    reader.start(job, at);
    scratch.last = reader.take(1);
    scratch.kind = reader.take(2);
    scratch.literals = 288;
    scratch.distances = 32;
    scratch.symbols = at + 3;
    scratch.valid = scratch.kind == 1;
    if (scratch.kind == 1) {
        for (int i = 0; i < MOST_LENGTHS; i++)
            scratch.lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : i < 288 ? 8 : 5;
    } else if (scratch.kind == 2) {
        Header header;
        scratch.valid = read_header(reader, scratch.length_symbols, 1, scratch.lengths, header);
        scratch.literals = header.literals;
        scratch.distances = header.distances;
        scratch.symbols = header.symbols;
    }
}

/* Number of 16-byte parts of Codes. Tables are cleared and copied in such parts. */
constexpr uint32_t CODES_PARTS = sizeof(Codes) / sizeof(uint4);
static_assert(sizeof(Codes) % sizeof(uint4) == 0, "tables are copied in parts");

/* Makes the tables of the block whose header starts at bit `at`. If the header is invalid, sets
 * scratch.valid to 0 and clears the tables. All threads of a thread block must call it; all can
 * read `scratch` afterwards. */
__device__ inline void make_codes(const DecodeJob &job, uint32_t at, CodesScratch &scratch,
                                  Codes &codes)
{
    __syncthreads();
    if (threadIdx.x == 0)
        read_block_header(job, at, scratch);
    for (uint32_t i = threadIdx.x; i < CODES_PARTS; i += blockDim.x)
        ((uint4 *)&codes)[i] = make_uint4(0, 0, 0, 0);
    __syncthreads();
    bool valid = scratch.valid != 0;
    const uint8_t *of_distances = scratch.lengths + scratch.literals;
    uint32_t n = threadIdx.x % CODE_LENGTHS;
    if (valid && threadIdx.x < CODE_LENGTHS)
        count_lengths(scratch.literal_counts, scratch.lengths, scratch.literals, n);
    else if (valid && threadIdx.x < 2 * CODE_LENGTHS)
        count_lengths(scratch.distance_counts, of_distances, scratch.distances, n);
    __syncthreads();
    if (valid && threadIdx.x < CODE_LENGTHS)
        sort_symbols(codes.literal_code, scratch.literal_counts, scratch.lengths, scratch.literals,
                     n, codes.literal_symbols);
    else if (valid && threadIdx.x < 2 * CODE_LENGTHS)
        sort_symbols(codes.distance_code, scratch.distance_counts, of_distances, scratch.distances,
                     n, codes.distance_symbols);
    __syncthreads();
    uint32_t literals = valid ? used_symbols(scratch.literal_counts) : 0;
    uint32_t distances = valid ? used_symbols(scratch.distance_counts) : 0;
    for (uint32_t i = threadIdx.x; i < literals; i += blockDim.x)
        put_symbol(codes.literal_code, codes.literal_symbols, scratch.lengths, i, codes.literals,
                   LITERAL_ROOT);
    for (uint32_t i = threadIdx.x; i < distances; i += blockDim.x)
        put_symbol(codes.distance_code, codes.distance_symbols, of_distances, i, codes.distances,
                   DISTANCE_ROOT);
    __syncthreads();
}

/* Subsequences are processed in groups of DECODE_THREADS. Returns the index, within its deflate
 * block, of the first subsequence of group `part`. Groups are numbered across all chunks of
 * subsequences; the group must belong to `chunk`. */
__device__ inline uint32_t first_of_part(const Chunk &chunk, uint32_t part)
{
    return chunk.chunk * DECODE_CHUNK + part % DECODE_CHUNK_PARTS * DECODE_THREADS;
}

/* Copies code tables. All threads of a thread block must call it. */
__device__ inline void copy_codes(const Codes &from, Codes &to)
{
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < CODES_PARTS; i += blockDim.x)
        ((uint4 *)&to)[i] = ((const uint4 *)&from)[i];
    __syncthreads();
}

#endif
