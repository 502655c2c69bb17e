/* Private to encode_block and match_codes: makes the header of a deflate block (RFC 1951, 3.2.7),
 * as in io/png/deflate/huffman.c. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_HEADER_CUH
#define IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_HEADER_CUH

#include "io/png/cuda/encode/encode_counts.cuh"
#include "io/png/cuda/encode/huffman.cuh"

constexpr int DISTANCES = 30, LENGTH_SYMBOLS = 19, LENGTH_LIMIT = 7;
constexpr int STATED_MOST = ENCODE_SYMBOLS + DISTANCES;
constexpr uint32_t OPENING_BITS = 3, COUNTS_BITS = 14;

struct Header {
    uint8_t all[STATED_MOST];     /* code lengths of both alphabets, literals first */
    uint8_t symbols[STATED_MOST]; /* symbols 0 to 18 that encode the code lengths in `all` */
    uint8_t extra[STATED_MOST];
    /* Number of code lengths in the header: of literal and length codes, of distance codes, and of
     * the code that encodes code lengths. */
    int32_t stated, distances, length_codes;
    uint32_t count; /* number of entries in `symbols` */
    /* Bit i: code length i differs from code length i - 1. */
    uint32_t begins[(STATED_MOST + 31) / 32];
    uint32_t counts[LENGTH_SYMBOLS];
    uint8_t lengths[LENGTH_SYMBOLS];
    uint32_t codes[LENGTH_SYMBOLS];
    uint32_t bits[ENCODE_HEADER_WORDS];
};

/* Returns the symbol at position `place` of RFC 1951's order for the code that encodes code
 * lengths. The constants hold five bits per entry. */
__device__ inline int order_of(int place)
{
    constexpr uint64_t FIRST = 16 | 17 << 5 | 18 << 10 | 0 << 15 | 8 << 20 | (uint64_t)7 << 25 |
                               (uint64_t)9 << 30 | (uint64_t)6 << 35 | (uint64_t)10 << 40 |
                               (uint64_t)5 << 45;
    constexpr uint64_t REST = 11 | 4 << 5 | 12 << 10 | 3 << 15 | 13 << 20 | (uint64_t)2 << 25 |
                              (uint64_t)14 << 30 | (uint64_t)1 << 35 | (uint64_t)15 << 40;
    return (int)((place < 10 ? FIRST >> 5 * place : REST >> 5 * (place - 10)) & 31);
}

struct Symbols {
    Header *header;
    uint32_t at;
};

__device__ inline void add(Symbols *symbols, int symbol, int extra)
{
    Header *header = symbols->header;
    header->symbols[symbols->at] = (uint8_t)symbol;
    header->extra[symbols->at++] = (uint8_t)extra;
    atomicAdd(header->counts + symbol, 1u);
}

__device__ inline void add_zeros(Symbols *symbols, int zeros)
{
    while (zeros >= 3) {
        int most = zeros > 10 ? 138 : 10, least = zeros > 10 ? 11 : 3;
        int here = zeros < most ? zeros : most;
        add(symbols, zeros > 10 ? 18 : 17, here - least);
        zeros -= here;
    }
    for (; zeros > 0; zeros--)
        add(symbols, 0, 0);
}

__device__ inline void add_same(Symbols *symbols, int length, int times)
{
    add(symbols, length, 0);
    for (times--; times >= 3;) {
        int here = times < 6 ? times : 6;
        add(symbols, 16, here - 3);
        times -= here;
    }
    for (; times > 0; times--)
        add(symbols, length, 0);
}

/* Returns the number of symbols that add_zeros or add_same writes for `times` code lengths that
 * equal `length`. */
__device__ inline uint32_t symbols_of(int length, int times)
{
    if (length != 0) {
        int rest = (times - 1) % 6;
        return (uint32_t)(1 + (times - 1) / 6 + (rest < 3 ? rest : 1));
    }
    uint32_t symbols = (uint32_t)times / 138;
    int rest = times % 138;
    return symbols + (uint32_t)(rest < 3 ? rest : 1);
}

/* Joins the code lengths of both alphabets in header->all. Omits the zeros at the end of each
 * alphabet. */
__device__ inline void join_codes(Header *header, const uint8_t *literals, const uint8_t *distances)
{
    const int i = (int)threadIdx.x;
    if (i == 0) {
        header->stated = tokens::FIRST_LENGTH;
        header->distances = 1;
    }
    if (i < LENGTH_SYMBOLS)
        header->counts[i] = 0;
    __syncthreads();
    if (i < ENCODE_SYMBOLS && literals[i] != 0)
        atomicMax(reinterpret_cast<unsigned *>(&header->stated), (unsigned)i + 1);
    if (i < DISTANCES && distances[i] != 0)
        atomicMax(reinterpret_cast<unsigned *>(&header->distances), (unsigned)i + 1);
    __syncthreads();
    if (i < header->stated)
        header->all[i] = literals[i];
    if (i < header->distances)
        header->all[header->stated + i] = distances[i];
    __syncthreads();
}

/* Encodes the code lengths as symbols. Each thread encodes one group of equal lengths. */
__device__ inline void state_lengths(Header *header, const uint8_t *literals,
                                     const uint8_t *distances, uint32_t *scratch)
{
    join_codes(header, literals, distances);
    const uint32_t i = threadIdx.x, end = (uint32_t)(header->stated + header->distances);
    bool begins = i < end && (i == 0 || header->all[i] != header->all[i - 1]);
    unsigned word = __ballot_sync(0xFFFFFFFF, begins);
    if (i % 32 == 0 && i < STATED_MOST)
        header->begins[i / 32] = word;
    __syncthreads();
    int length = begins ? header->all[i] : 0;
    int times = begins ? (int)(tokens::find_bit(header->begins, i + 1, end, true) - i) : 0;
    uint32_t count = begins ? symbols_of(length, times) : 0;
    Symbols symbols = {header, block_scan<THREADS>(count, scratch, &count)};
    if (begins && length == 0)
        add_zeros(&symbols, times);
    else if (begins)
        add_same(&symbols, length, times);
    if (i == 0)
        header->count = count;
    __syncthreads();
}

__device__ inline uint32_t extra_bits_of(int symbol)
{
    return symbol == 16 ? 2 : symbol == 17 ? 3 : symbol == 18 ? 7 : 0;
}

/* Writes `count` bits, at most 32, at bit `at` of a bit stream. The stream must have zeros
 * there. */
__device__ inline void put_bits(uint32_t *words, uint32_t at, uint32_t bits, uint32_t count)
{
    if (count == 0)
        return;
    uint64_t both = (uint64_t)bits << at % 32;
    atomicOr(words + at / 32, (uint32_t)both);
    if (at % 32 + count > 32)
        atomicOr(words + at / 32 + 1, (uint32_t)(both >> 32));
}

/* Writes the header, including the three bits that begin a block. Returns its size in bits. Each
 * thread writes one symbol. */
__device__ inline uint32_t put_header(Header *header, bool is_last, uint32_t *scratch)
{
    for (int i = (int)threadIdx.x; i < ENCODE_HEADER_WORDS; i += THREADS)
        header->bits[i] = 0;
    if (threadIdx.x == 0) {
        header->length_codes = LENGTH_SYMBOLS;
        while (header->length_codes > 4 && header->lengths[order_of(header->length_codes - 1)] == 0)
            header->length_codes--;
    }
    __syncthreads();
    const int i = (int)threadIdx.x;
    uint32_t codes_at = OPENING_BITS + COUNTS_BITS,
             at = codes_at + 3 * (uint32_t)header->length_codes;
    bool is_used = (uint32_t)i < header->count;
    int symbol = is_used ? header->symbols[i] : 0;
    uint32_t code = header->codes[symbol], length = code >> 24, extra = extra_bits_of(symbol);
    uint32_t bits, mine = is_used ? length + extra : 0;
    uint32_t before = block_scan<THREADS>(mine, scratch, &bits);
    put_bits(header->bits, at + before,
             (code & 0xFFFFFF) | (mine > 0 ? (uint32_t)header->extra[i] : 0) << length, mine);
    if (i < header->length_codes)
        put_bits(header->bits, codes_at + 3 * (uint32_t)i, header->lengths[order_of(i)], 3);
    if (i == 0)
        put_bits(header->bits, 0,
                 (uint32_t)is_last | 2u << 1 |
                     (uint32_t)(header->stated - tokens::FIRST_LENGTH) << OPENING_BITS |
                     (uint32_t)(header->distances - 1) << 8 |
                     (uint32_t)(header->length_codes - 4) << 13,
                 codes_at);
    __syncthreads();
    return at + bits;
}

/* Makes the header of a block with the code lengths `literals` and `distances` in header->bits.
 * Returns its size in bits. All pointers are to shared memory; `scratch` and `more_scratch` have
 * one word per warp. */
__device__ inline uint32_t make_header(Header *header, huffman::Scratch *work,
                                       const uint8_t *literals, const uint8_t *distances,
                                       bool is_last, uint32_t *scratch, uint32_t *more_scratch)
{
    state_lengths(header, literals, distances, scratch);
    huffman::make_lengths(work, header->counts, LENGTH_SYMBOLS, LENGTH_LIMIT, header->lengths);
    huffman::make_codes(work, header->lengths, LENGTH_SYMBOLS, header->codes);
    return put_header(header, is_last, more_scratch);
}

#endif
