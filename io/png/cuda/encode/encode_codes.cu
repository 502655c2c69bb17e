/* What a deflate block is made of, and the codes for it: a block of threads per deflate block. As
 * io/png/deflate/deflate_runs.c: runs of eight bytes and more become matches of distance 1, codes
 * come from every so many-th piece of the literals, smoothed. All literals are counted besides, so
 * that the number of bits is known before they are written. */
#include "io/png/cuda/encode/cooperation.cuh"
#include "io/png/cuda/encode/encode_kernels.h"
#include "io/png/cuda/encode/huffman.cuh"
#include "io/png/cuda/encode/tokens.cuh"

namespace
{

constexpr int THREADS = 512, WARPS = THREADS / 32, COPIES = 4, LITERALS = 256;
constexpr uint32_t PIECE = 512;            /* bytes, of which all or none are sampled */
constexpr uint32_t SAMPLE_LEAST = 1 << 15; /* literals; fewer are all counted */
constexpr uint32_t RARE = 50;
constexpr int CODE_LIMIT = 14;
constexpr uint32_t STORED_MOST = 65535, STORED_FRAME = 5;

/* The header of a block: RFC 1951, 3.2.7. */
constexpr int LENGTH_SYMBOLS = 19, LENGTH_LIMIT = 7, STATED_MOST = ENCODE_SYMBOLS + 2;
constexpr uint32_t OPENING_BITS = 3, COUNTS_BITS = 14;

struct Counts {
    uint32_t literals[2][COPIES][LITERALS]; /* [1]: in pieces that are sampled */
    uint32_t in_runs[LITERALS / 32];        /* a bit for each byte that is */
};

struct Header {
    uint8_t all[STATED_MOST];     /* lengths of both codes */
    uint8_t symbols[STATED_MOST]; /* what they are stated by: 0 to 18 */
    uint8_t extra[STATED_MOST];
    int32_t stated, count, length_codes;
    uint32_t counts[LENGTH_SYMBOLS];
    uint8_t lengths[LENGTH_SYMBOLS];
    uint32_t codes[LENGTH_SYMBOLS];
    uint32_t bits[ENCODE_HEADER_WORDS];
};

/* --- Runs ------------------------------------------------------------------------------------- */

/* A bit for each byte of the block that is like the one before it. */
__device__ void compare_bytes(const EncodeRange &range, uint32_t *equal)
{
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
    for (uint32_t at = range.from + (uint32_t)warp * 32; at < range.to; at += THREADS) {
        uint32_t mine = at + (uint32_t)lane;
        int byte = mine < range.to ? range.data[mine] : -1;
        int before = __shfl_up_sync(0xffffffffu, byte, 1);
        if (lane == 0)
            before = at > 0 ? range.data[at - 1] : -2;
        unsigned word = __ballot_sync(0xffffffffu, byte == before && byte >= 0);
        if (lane == 0)
            equal[(at - range.from) / 32] = word;
    }
}

/* Bits that begin eight in a row, of a word and the one behind it. */
__device__ uint32_t groups_of_eight(uint32_t word, uint32_t next)
{
    uint64_t bits = (uint64_t)next << 32 | word;
    bits &= bits >> 1;
    bits &= bits >> 2;
    return (uint32_t)(bits & bits >> 4);
}

/* Of the equal bytes those that belong to eight or more in a row. */
__device__ void find_runs(const uint32_t *equal, uint32_t words, uint32_t *runs)
{
    for (uint32_t i = threadIdx.x; i < words; i += THREADS) {
        uint32_t next = i + 1 < words ? equal[i + 1] : 0;
        uint32_t here = groups_of_eight(equal[i], next);
        uint32_t before = i > 0 ? groups_of_eight(equal[i - 1], equal[i]) : 0;
        uint64_t bits = (uint64_t)here << 32 | before;
        bits |= bits << 1;
        bits |= bits << 2;
        bits |= bits << 4;
        runs[i] = (uint32_t)(bits >> 32);
    }
}

/* A bit where each match begins; counts of their lengths, and the bits that these need besides. */
__device__ void divide_runs(const uint32_t *runs, uint32_t bytes, uint32_t words, uint32_t *begins,
                            uint32_t *lengths, uint32_t *extra_bits)
{
    for (uint32_t i = threadIdx.x; i < words; i += THREADS) {
        uint32_t before = i > 0 ? runs[i - 1] >> 31 : 0;
        for (uint32_t starts = runs[i] & ~(runs[i] << 1 | before); starts != 0;
             starts &= starts - 1) {
            uint32_t at = i * 32 + (uint32_t)__ffs((int)starts) - 1;
            uint32_t end = tokens::find_bit(runs, at, bytes, false);
            while (at < end) {
                uint32_t match = tokens::match_of_run(end - at);
                tokens::Length length = tokens::length_of(match);
                atomicOr(begins + at / 32, 1u << at % 32);
                atomicAdd(lengths + length.code, 1u);
                atomicAdd(extra_bits, length.extra_bits + 1); /* and the distance */
                at += match;
            }
        }
    }
}

__device__ uint32_t count_bits(const uint32_t *words, uint32_t count, uint32_t *sum)
{
    uint32_t mine = 0;
    for (uint32_t i = threadIdx.x; i < count; i += THREADS)
        mine += (uint32_t)__popc((int)words[i]);
    mine = warp_sum(mine);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, mine);
    __syncthreads();
    return *sum;
}

/* --- Counts ----------------------------------------------------------------------------------- */

__device__ void count_literals(const EncodeRange &range, const uint32_t *runs, uint32_t step,
                               Counts *counts)
{
    const unsigned copy = threadIdx.x / 32 % COPIES;
    for (uint32_t at = range.from + threadIdx.x; at < range.to; at += THREADS) {
        uint32_t in_block = at - range.from, byte = range.data[at];
        if ((runs[in_block / 32] >> in_block % 32 & 1) != 0)
            atomicOr(counts->in_runs + byte / 32, 1u << byte % 32);
        else
            atomicAdd(&counts->literals[at / PIECE % step == 0][copy][byte], 1u);
    }
}

__device__ uint32_t sum_copies(const Counts *counts, int sampled, int literal)
{
    uint32_t sum = 0;
    for (int copy = 0; copy < COPIES; copy++)
        sum += counts->literals[sampled][copy][literal];
    return sum;
}

/* Rare bytes are about as frequent as their neighbours: as `smooth` there. */
__device__ uint32_t smoothed(const uint32_t *found, int literal, uint32_t rare)
{
    if (found[literal] == 0 || found[literal] >= rare)
        return found[literal];
    uint32_t sum = 0, known = 0;
    for (int k = literal + LITERALS - 1; k <= literal + LITERALS + 1; k++) {
        sum += found[k % LITERALS];
        known += found[k % LITERALS] > 0;
    }
    return (sum + known / 2) / known;
}

/* What the codes are made for: literals as far as they were sampled, each that occurs at least
 * once. `all` becomes the true counts. */
__device__ void estimate(const Counts *counts, uint32_t step, uint32_t *found, uint32_t *estimated,
                         uint32_t *all)
{
    const int literal = (int)threadIdx.x;
    if (literal < LITERALS) {
        uint32_t sampled = sum_copies(counts, 1, literal);
        all[literal] = sampled + sum_copies(counts, 0, literal);
        bool occurs = all[literal] > 0 || (counts->in_runs[literal / 32] >> literal % 32 & 1) != 0;
        found[literal] = step > 1 && sampled == 0 && occurs ? 1 : sampled * step;
    }
    __syncthreads();
    if (literal < LITERALS)
        estimated[literal] = step > 1 ? smoothed(found, literal, RARE * step) : found[literal];
    if (literal == 0) {
        estimated[tokens::END_OF_BLOCK] = 1;
        all[tokens::END_OF_BLOCK] = 1;
    }
}

__device__ uint32_t sum_bits(const uint32_t *counts, const uint8_t *lengths, uint32_t *sum)
{
    uint32_t bits = 0;
    for (int i = (int)threadIdx.x; i < ENCODE_SYMBOLS; i += THREADS)
        bits += counts[i] * lengths[i];
    bits = warp_sum(bits);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, bits);
    __syncthreads();
    return *sum;
}

/* --- Header ----------------------------------------------------------------------------------- */

/* The order in which the lengths of the code for lengths stand, five bits each. */
__device__ int order_of(int place)
{
    constexpr uint64_t FIRST = 16 | 17 << 5 | 18 << 10 | 0 << 15 | 8 << 20 | (uint64_t)7 << 25 |
                               (uint64_t)9 << 30 | (uint64_t)6 << 35 | (uint64_t)10 << 40 |
                               (uint64_t)5 << 45;
    constexpr uint64_t REST = 11 | 4 << 5 | 12 << 10 | 3 << 15 | 13 << 20 | (uint64_t)2 << 25 |
                              (uint64_t)14 << 30 | (uint64_t)1 << 35 | (uint64_t)15 << 40;
    return (int)((place < 10 ? FIRST >> 5 * place : REST >> 5 * (place - 10)) & 31);
}

__device__ void add(Header *header, int symbol, int extra)
{
    header->symbols[header->count] = (uint8_t)symbol;
    header->extra[header->count++] = (uint8_t)extra;
    header->counts[symbol]++;
}

__device__ void add_zeros(Header *header, int zeros)
{
    while (zeros >= 3) {
        int most = zeros > 10 ? 138 : 10, least = zeros > 10 ? 11 : 3;
        int here = zeros < most ? zeros : most;
        add(header, zeros > 10 ? 18 : 17, here - least);
        zeros -= here;
    }
    for (; zeros > 0; zeros--)
        add(header, 0, 0);
}

__device__ void add_same(Header *header, int length, int times)
{
    add(header, length, 0);
    for (times--; times >= 3;) {
        int here = times < 6 ? times : 6;
        add(header, 16, here - 3);
        times -= here;
    }
    for (; times > 0; times--)
        add(header, length, 0);
}

/* One thread: the lengths of both codes as symbols. Two distances of one bit make a complete code,
 * though only one occurs. */
__device__ void state_lengths(Header *header, const uint8_t *lengths)
{
    int literals = ENCODE_SYMBOLS;
    while (literals > tokens::FIRST_LENGTH && lengths[literals - 1] == 0)
        literals--;
    for (int i = 0; i < literals; i++)
        header->all[i] = lengths[i];
    header->all[literals] = header->all[literals + 1] = 1;
    header->stated = literals;
    header->count = 0;
    for (int i = 0; i < LENGTH_SYMBOLS; i++)
        header->counts[i] = 0;
    for (int i = 0, end = literals + 2; i < end;) {
        int start = i;
        while (i < end && header->all[i] == header->all[start])
            i++;
        if (header->all[start] == 0)
            add_zeros(header, i - start);
        else
            add_same(header, header->all[start], i - start);
    }
}

__device__ uint32_t extra_bits_of(int symbol)
{
    return symbol == 16 ? 2 : symbol == 17 ? 3 : symbol == 18 ? 7 : 0;
}

/* Up to 32 bits at a place of a bit stream of zeros. */
__device__ void put_bits(uint32_t *words, uint32_t at, uint32_t bits, uint32_t count)
{
    if (count == 0)
        return;
    uint64_t both = (uint64_t)bits << at % 32;
    atomicOr(words + at / 32, (uint32_t)both);
    if (at % 32 + count > 32)
        atomicOr(words + at / 32 + 1, (uint32_t)(both >> 32));
}

/* Writes the header, with the three bits before it; returns its bits. A thread per symbol. */
__device__ uint32_t put_header(Header *header, bool is_last, uint32_t *scratch)
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
    int symbol = i < header->count ? header->symbols[i] : 0;
    uint32_t code = header->codes[symbol], length = code >> 24, extra = extra_bits_of(symbol);
    uint32_t bits, mine = i < header->count ? length + extra : 0;
    uint32_t before = block_scan<THREADS>(mine, scratch, &bits);
    put_bits(header->bits, at + before,
             (code & 0xFFFFFF) | (mine > 0 ? (uint32_t)header->extra[i] : 0) << length, mine);
    if (i < header->length_codes)
        put_bits(header->bits, codes_at + 3 * (uint32_t)i, header->lengths[order_of(i)], 3);
    if (i == 0)
        put_bits(header->bits, 0,
                 (uint32_t)is_last | 2u << 1 |
                     (uint32_t)(header->stated - tokens::FIRST_LENGTH) << OPENING_BITS | 1u << 8 |
                     (uint32_t)(header->length_codes - 4) << 13,
                 codes_at);
    __syncthreads();
    return at + bits;
}

/* --- Kernel ----------------------------------------------------------------------------------- */

/* Literals are counted before codes are made of that. */
struct Shared {
    union {
        Counts counts;
        struct {
            huffman::Work huffman;
            Header header;
        };
    };
    uint32_t found[LITERALS], estimated[ENCODE_SYMBOLS], all[ENCODE_SYMBOLS], codes[ENCODE_SYMBOLS];
    uint8_t lengths[ENCODE_SYMBOLS];
    uint32_t scratch[WARPS];
    uint32_t in_runs, extra_bits, estimated_bits, all_bits;
};

__device__ void clear(Shared *shared)
{
    uint32_t *counts = &shared->counts.literals[0][0][0];
    for (int i = (int)threadIdx.x; i < 2 * COPIES * LITERALS; i += THREADS)
        counts[i] = 0;
    for (int i = (int)threadIdx.x; i < ENCODE_SYMBOLS; i += THREADS)
        shared->estimated[i] = shared->all[i] = 0;
    if (threadIdx.x < LITERALS / 32)
        shared->counts.in_runs[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        shared->in_runs = shared->extra_bits = shared->estimated_bits = shared->all_bits = 0;
}

__device__ uint32_t stored_bytes(uint32_t size)
{
    return size + (size + STORED_MOST - 1) / STORED_MOST * STORED_FRAME + 1;
}

__device__ void store_words(const uint32_t *from, uint32_t *to, uint32_t count)
{
    for (uint32_t i = threadIdx.x; i < count; i += THREADS)
        to[i] = from[i];
}

/* `equal` becomes where matches begin. */
__device__ void take_apart(const EncodeJob &job, const EncodeRange &range, uint32_t *equal,
                           uint32_t *runs, Shared *shared)
{
    const uint32_t bytes = range.to - range.from, words = (bytes + 31) / 32;
    clear(shared);
    compare_bytes(range, equal);
    __syncthreads();
    find_runs(equal, words, runs);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < words; i += THREADS)
        equal[i] = 0;
    uint32_t literals = bytes - count_bits(runs, words, &shared->in_runs);
    uint32_t step = literals > SAMPLE_LEAST ? job.sample_step : 1;
    divide_runs(runs, bytes, words, equal, shared->all + tokens::FIRST_LENGTH, &shared->extra_bits);
    count_literals(range, runs, step, &shared->counts);
    __syncthreads();
    estimate(&shared->counts, step, shared->found, shared->estimated, shared->all);
    if (threadIdx.x < tokens::LENGTH_CODES)
        shared->estimated[tokens::FIRST_LENGTH + threadIdx.x] =
            shared->all[tokens::FIRST_LENGTH + threadIdx.x];
    __syncthreads();
}

__global__ void __launch_bounds__(THREADS) codes_kernel(EncodeJob job)
{
    IMG_SHARED(uint32_t, equal, [ENCODE_BLOCK_WORDS]);
    IMG_SHARED(uint32_t, runs, [ENCODE_BLOCK_WORDS]);
    IMG_SHARED(Shared, all, [1]);
    Shared *shared = all;
    const uint32_t block = blockIdx.x;
    const EncodeRange range = encode_range(&job, block);
    const uint32_t bytes = range.to - range.from, words = (bytes + 31) / 32;
    take_apart(job, range, equal, runs, shared);
    store_words(runs, job.runs + (size_t)block * ENCODE_BLOCK_WORDS, words);
    store_words(equal, job.matches + (size_t)block * ENCODE_BLOCK_WORDS, words);

    huffman::make_lengths(&shared->huffman, shared->estimated, ENCODE_SYMBOLS, CODE_LIMIT,
                          shared->lengths);
    huffman::make_codes(&shared->huffman, shared->lengths, ENCODE_SYMBOLS, shared->codes);
    store_words(shared->codes, job.codes + (size_t)block * ENCODE_SYMBOLS, ENCODE_SYMBOLS);

    Header *header = &shared->header;
    if (threadIdx.x == 0)
        state_lengths(header, shared->lengths);
    __syncthreads();
    huffman::make_lengths(&shared->huffman, header->counts, LENGTH_SYMBOLS, LENGTH_LIMIT,
                          header->lengths);
    huffman::make_codes(&shared->huffman, header->lengths, LENGTH_SYMBOLS, header->codes);
    uint32_t header_bits = put_header(header, range.is_last != 0, shared->scratch);
    store_words(header->bits, job.headers + (size_t)block * ENCODE_HEADER_WORDS,
                ENCODE_HEADER_WORDS);

    uint32_t besides = header_bits + shared->extra_bits;
    uint32_t estimated =
        besides + sum_bits(shared->estimated, shared->lengths, &shared->estimated_bits);
    uint32_t exact = besides + sum_bits(shared->all, shared->lengths, &shared->all_bits);
    if (threadIdx.x == 0)
        job.blocks[block] = {header_bits, exact, estimated < 8 * stored_bytes(bytes)};
}

} // namespace

void img_encode_codes(const EncodeJob *job, uint32_t blocks, void *stream)
{
    IMG_LAUNCH(codes_kernel, blocks, THREADS, 0, stream, *job);
}
