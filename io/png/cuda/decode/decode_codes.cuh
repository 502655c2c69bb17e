/* Tables of a block's codes, made by a block of threads, and symbols, read by one. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_CODES_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_CODES_CUH

#include "io/png/cuda/decode/decode_header.cuh"

/* --- Symbols --------------------------------------------------------------------------------- */

/* What take_symbol says: a literal, one of these, or length << 16 | (distance - 1). */
constexpr uint32_t SYMBOL_END = 256, SYMBOL_NONE = 257, SYMBOL_COPY = 1u << 16;

/* Codes that are longer than the index of the table. */
__device__ inline uint32_t long_entry(const CanonicalCode &code, const uint16_t *symbols,
                                      uint32_t bits, int root)
{
    uint32_t mirrored = __brev(bits);
    for (int length = root + 1; length < CODE_LENGTHS; length++) {
        uint32_t number = (mirrored >> (32 - length)) - code.first[length];
        if (number < code.count[length])
            return (uint32_t)symbols[code.offset[length] + number] << 4 | (uint32_t)length;
    }
    return 0;
}

/* Bits after the code of a length (number 257 + `code`), and the least length (section 3.2.5). */
__device__ inline uint32_t length_of(Reader &reader, uint32_t code)
{
    if (code < 8)
        return 3 + code;
    if (code == 28)
        return 258;
    uint32_t extra = code / 4 - 1;
    return 3 + ((4 + code % 4) << extra) + reader.take(extra);
}

__device__ inline uint32_t distance_of(Reader &reader, uint32_t code)
{
    if (code < 4)
        return 1 + code;
    uint32_t extra = code / 2 - 1;
    return 1 + ((2 + code % 2) << extra) + reader.take(extra);
}

/* Reads at most 48 bits; where it says SYMBOL_NONE, as many as it likes of them. */
__device__ inline uint32_t take_symbol(Reader &reader, const Codes &codes)
{
    reader.fill();
    uint32_t bits = (uint32_t)reader.bits;
    uint32_t entry = codes.literals[bits % (1u << LITERAL_ROOT)];
    if (entry == 0)
        entry = long_entry(codes.literal_code, codes.literal_symbols, bits, LITERAL_ROOT);
    reader.drop(entry & 15);
    uint32_t symbol = entry >> 4;
    if (entry == 0 || symbol > 285)
        return SYMBOL_NONE;
    if (symbol <= SYMBOL_END)
        return symbol;
    uint32_t length = length_of(reader, symbol - 257);
    reader.fill();
    bits = (uint32_t)reader.bits;
    entry = codes.distances[bits % (1u << DISTANCE_ROOT)];
    if (entry == 0)
        entry = long_entry(codes.distance_code, codes.distance_symbols, bits, DISTANCE_ROOT);
    reader.drop(entry & 15);
    if (entry == 0 || entry >> 4 > 29)
        return SYMBOL_NONE;
    return length << 16 | (distance_of(reader, entry >> 4) - 1);
}

/* --- Tables ---------------------------------------------------------------------------------- */

/* Tables are made of these, and of nothing else. */
constexpr uint32_t CODES_CELLS = sizeof(Codes) / sizeof(uint16_t);

/* Shared memory for making them. */
struct CodesRoom {
    uint8_t table[LENGTH_ENTRIES], lengths[MOST_LENGTHS];
    uint32_t literals, distances, symbols, kind, last, valid;
};

/* Thread n of 16 takes the codes of n bits; the others of the warp that of the other alphabet. */
__device__ inline void count_lengths(CanonicalCode &code, const uint8_t *lengths, uint32_t symbols,
                                     uint32_t length)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < symbols; i++)
        count += lengths[i] == length;
    code.count[length] = (uint16_t)(length == 0 ? 0 : count);
}

__device__ inline void sort_symbols(CanonicalCode &code, const uint8_t *lengths, uint32_t symbols,
                                    uint32_t length, uint16_t *sorted)
{
    uint32_t first = 0, offset = 0;
    for (uint32_t shorter = 1; shorter < length; shorter++) {
        first = (first + code.count[shorter]) << 1;
        offset += code.count[shorter];
    }
    code.first[length] = (uint16_t)first;
    code.offset[length] = (uint16_t)offset;
    for (uint32_t i = 0; length > 0 && i < symbols; i++)
        if (lengths[i] == length)
            sorted[offset++] = (uint16_t)i;
}

/* Entries of the symbol at place `place` of the list. */
__device__ inline void put_symbol(const CanonicalCode &code, const uint16_t *sorted,
                                  const uint8_t *lengths, uint32_t place, uint16_t *table,
                                  uint32_t root)
{
    uint32_t symbol = sorted[place], length = lengths[symbol];
    if (length > root)
        return;
    uint32_t number = code.first[length] + place - code.offset[length];
    for (uint32_t i = __brev(number) >> (32 - length); i < 1u << root; i += 1u << length)
        table[i] = (uint16_t)(symbol << 4 | length);
}

__device__ inline uint32_t used_symbols(const CanonicalCode &code)
{
    return (uint32_t)code.offset[CODE_LENGTHS - 1] + code.count[CODE_LENGTHS - 1];
}

/* Reads the header at bit `at`: one thread. */
__device__ inline void read_block_header(const DecodeWork &work, uint32_t at, CodesRoom &room)
{
    Reader reader;
    reader.start(work, at);
    room.last = reader.take(1);
    room.kind = reader.take(2);
    room.literals = 288;
    room.distances = 32;
    room.symbols = at + 3;
    room.valid = room.kind == 1;
    if (room.kind == 1) {
        for (int i = 0; i < MOST_LENGTHS; i++)
            room.lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : i < 288 ? 8 : 5;
    } else if (room.kind == 2) {
        Header header;
        room.valid = read_header(reader, room.table, room.lengths, header);
        room.literals = header.literals;
        room.distances = header.distances;
        room.symbols = header.symbols;
    }
}

/* By all threads of a block; what `room` says is known to all afterwards. Tables are made where it
 * is valid. */
__device__ inline void make_codes(const DecodeWork &work, uint32_t at, CodesRoom &room,
                                  Codes &codes)
{
    __syncthreads();
    if (threadIdx.x == 0)
        read_block_header(work, at, room);
    for (uint32_t i = threadIdx.x; i < CODES_CELLS; i += blockDim.x)
        ((uint16_t *)&codes)[i] = 0;
    __syncthreads();
    bool valid = room.valid != 0;
    const uint8_t *of_distances = room.lengths + room.literals;
    uint32_t n = threadIdx.x % CODE_LENGTHS;
    if (valid && threadIdx.x < CODE_LENGTHS)
        count_lengths(codes.literal_code, room.lengths, room.literals, n);
    else if (valid && threadIdx.x < 2 * CODE_LENGTHS)
        count_lengths(codes.distance_code, of_distances, room.distances, n);
    __syncthreads();
    if (valid && threadIdx.x < CODE_LENGTHS)
        sort_symbols(codes.literal_code, room.lengths, room.literals, n, codes.literal_symbols);
    else if (valid && threadIdx.x < 2 * CODE_LENGTHS)
        sort_symbols(codes.distance_code, of_distances, room.distances, n, codes.distance_symbols);
    __syncthreads();
    uint32_t literals = valid ? used_symbols(codes.literal_code) : 0;
    uint32_t distances = valid ? used_symbols(codes.distance_code) : 0;
    for (uint32_t i = threadIdx.x; i < literals; i += blockDim.x)
        put_symbol(codes.literal_code, codes.literal_symbols, room.lengths, i, codes.literals,
                   LITERAL_ROOT);
    for (uint32_t i = threadIdx.x; i < distances; i += blockDim.x)
        put_symbol(codes.distance_code, codes.distance_symbols, of_distances, i, codes.distances,
                   DISTANCE_ROOT);
    __syncthreads();
}

/* Tables from one place to another, by all threads of a block. */
__device__ inline void copy_codes(const Codes &from, Codes &to)
{
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < CODES_CELLS; i += blockDim.x)
        ((uint16_t *)&to)[i] = ((const uint16_t *)&from)[i];
    __syncthreads();
}

#endif
