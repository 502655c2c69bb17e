/* What a deflate block is made of, and the codes for it: a block of threads per deflate block. As
 * io/png/deflate/deflate_runs.c: runs of eight bytes and more become matches of distance 1, codes
 * come from every so many-th piece of the literals, smoothed. All literals are counted besides, and
 * for each part of the block, so that the number of bits is known before they are written. */
#include "io/png/cuda/cooperation.cuh"
#include "io/png/cuda/encode/encode_kernels.h"
#include "io/png/cuda/encode/huffman.cuh"
#include "io/png/cuda/encode/tokens.cuh"

namespace
{

constexpr int THREADS = 512, WARPS = THREADS / 32, PARTS = ENCODE_PARTS, LITERALS = 256;
constexpr uint32_t PIECE = 512;            /* bytes, of which all or none are sampled */
constexpr uint32_t SAMPLE_LEAST = 1 << 15; /* literals; fewer are all counted */
constexpr uint32_t RARE = 50;
constexpr int CODE_LIMIT = 14;
constexpr uint32_t STORED_MOST = 65535, STORED_FRAME = 5;

/* The header of a block: RFC 1951, 3.2.7. */
constexpr int LENGTH_SYMBOLS = 19, LENGTH_LIMIT = 7, STATED_MOST = ENCODE_SYMBOLS + 2;
constexpr uint32_t OPENING_BITS = 3, COUNTS_BITS = 14;

struct Counts {
    uint32_t literals[2][PARTS][LITERALS]; /* [1]: in pieces that are sampled */
    uint32_t lengths[PARTS][tokens::LENGTH_CODES];
    uint32_t extra_bits[PARTS];      /* of matches, beside their codes */
    uint32_t in_runs[LITERALS / 32]; /* a bit for each byte that is */
};

struct Header {
    uint8_t all[STATED_MOST];     /* lengths of both codes */
    uint8_t symbols[STATED_MOST]; /* what they are stated by: 0 to 18 */
    uint8_t extra[STATED_MOST];
    int32_t stated, length_codes;             /* of the literals' code, of that for lengths */
    uint32_t count;                           /* of symbols */
    uint32_t begins[(STATED_MOST + 31) / 32]; /* a bit for each length unlike the one before */
    uint32_t counts[LENGTH_SYMBOLS];
    uint8_t lengths[LENGTH_SYMBOLS];
    uint32_t codes[LENGTH_SYMBOLS];
    uint32_t bits[ENCODE_HEADER_WORDS];
};

/* --- Runs ------------------------------------------------------------------------------------- */

/* A bit for each byte of the block that is like the one before it. Bytes are counted on the way;
 * those that turn out to be in runs are taken back later. Warps share out the parts, several words
 * at a time, so that more than one is on its way from memory. */
__device__ void compare_bytes(const EncodeRange &range, uint32_t step, uint32_t *equal,
                              Counts *counts)
{
    constexpr uint32_t AT_ONCE = 8, WARPS_EACH = WARPS / PARTS, ALL = 0xFFFFFFFF;
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, part = warp % PARTS;
    const uint32_t part_bytes = encode_part_bytes(range.to - range.from);
    const uint32_t from = range.from + part * part_bytes;
    const uint32_t to = from + part_bytes < range.to ? from + part_bytes : range.to;
    for (uint32_t at = from + warp / PARTS * 32 * AT_ONCE; at < to;
         at += WARPS_EACH * 32 * AT_ONCE) {
        int bytes[AT_ONCE], before = at > 0 ? range.data[at - 1] : -2;
#pragma unroll
        for (uint32_t k = 0; k < AT_ONCE; k++)
            bytes[k] = at + 32 * k + lane < to ? range.data[at + 32 * k + lane] : -1;
#pragma unroll
        for (uint32_t k = 0; k < AT_ONCE; k++) {
            int left = __shfl_up_sync(ALL, bytes[k], 1);
            left = lane == 0 ? before : left;
            before = __shfl_sync(ALL, bytes[k], 31);
            unsigned word = __ballot_sync(ALL, bytes[k] >= 0 && bytes[k] == left);
            uint32_t place = at + 32 * k;
            if (lane == 0 && place < to)
                equal[(place - range.from) / 32] = word;
            if (bytes[k] >= 0)
                atomicAdd(&counts->literals[(place + lane) / PIECE % step == 0][part][bytes[k]],
                          1u);
        }
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

/* A bit where each match begins; counts of their lengths. */
__device__ void divide_runs(const uint32_t *runs, uint32_t bytes, uint32_t words, uint32_t *begins,
                            Counts *counts)
{
    const uint32_t part_bytes = encode_part_bytes(bytes);
    for (uint32_t i = threadIdx.x; i < words; i += THREADS) {
        uint32_t before = i > 0 ? runs[i - 1] >> 31 : 0;
        for (uint32_t starts = runs[i] & ~(runs[i] << 1 | before); starts != 0;
             starts &= starts - 1) {
            uint32_t at = i * 32 + (uint32_t)__ffs((int)starts) - 1;
            uint32_t end = tokens::find_bit(runs, at, bytes, false);
            while (at < end) {
                uint32_t match = tokens::match_of_run(end - at), part = at / part_bytes;
                tokens::Length length = tokens::length_of(match);
                atomicOr(begins + at / 32, 1u << at % 32);
                atomicAdd(&counts->lengths[part][length.code], 1u);
                atomicAdd(&counts->extra_bits[part], length.extra_bits + 1); /* and the distance */
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

/* Bytes in runs are no literals. */
__device__ void take_runs_back(const EncodeRange &range, uint32_t step, const uint32_t *runs,
                               uint32_t words, Counts *counts)
{
    const uint32_t part_bytes = encode_part_bytes(range.to - range.from);
    for (uint32_t i = threadIdx.x; i < words; i += THREADS)
        for (uint32_t word = runs[i]; word != 0; word &= word - 1) {
            uint32_t in_block = i * 32 + (uint32_t)__ffs((int)word) - 1;
            uint32_t at = range.from + in_block, byte = range.data[at];
            atomicOr(counts->in_runs + byte / 32, 1u << byte % 32);
            atomicAdd(&counts->literals[at / PIECE % step == 0][in_block / part_bytes][byte],
                      (uint32_t)-1);
        }
}

__device__ uint32_t sum_parts(const uint32_t (*counts)[LITERALS], int literal)
{
    uint32_t sum = 0;
    for (int part = 0; part < PARTS; part++)
        sum += counts[part][literal];
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
 * once. */
__device__ void estimate(const Counts *counts, uint32_t step, uint32_t *found, uint32_t *estimated)
{
    const int i = (int)threadIdx.x;
    if (i < LITERALS) {
        uint32_t sampled = sum_parts(counts->literals[1], i);
        uint32_t other = sum_parts(counts->literals[0], i);
        bool occurs = sampled + other > 0 || (counts->in_runs[i / 32] >> i % 32 & 1) != 0;
        found[i] = step == 1 ? sampled + other : sampled == 0 && occurs ? 1 : sampled * step;
    }
    __syncthreads();
    if (i < LITERALS)
        estimated[i] = step > 1 ? smoothed(found, i, RARE * step) : found[i];
    if (i < tokens::LENGTH_CODES) {
        uint32_t sum = 0;
        for (int part = 0; part < PARTS; part++)
            sum += counts->lengths[part][i];
        estimated[tokens::FIRST_LENGTH + i] = sum;
    }
    if (i == 0)
        estimated[tokens::END_OF_BLOCK] = 1;
    __syncthreads();
}

/* The bits that counts come to with codes of these lengths: as estimated, in sums[PARTS], and of
 * each part. */
__device__ void sum_bits(const Counts *counts, const uint32_t *estimated, const uint8_t *lengths,
                         uint32_t *sums)
{
    uint32_t bits[PARTS + 1] = {0};
    for (int i = (int)threadIdx.x; i < ENCODE_SYMBOLS; i += THREADS) {
        bits[PARTS] += estimated[i] * lengths[i];
#pragma unroll
        for (int part = 0; part < PARTS; part++)
            if (i < LITERALS)
                bits[part] +=
                    (counts->literals[0][part][i] + counts->literals[1][part][i]) * lengths[i];
            else if (i >= tokens::FIRST_LENGTH)
                bits[part] += counts->lengths[part][i - tokens::FIRST_LENGTH] * lengths[i];
    }
#pragma unroll
    for (int k = 0; k <= PARTS; k++) {
        uint32_t sum = warp_sum(bits[k]);
        if (threadIdx.x % 32 == 0)
            atomicAdd(sums + k, sum);
    }
    __syncthreads();
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

struct Symbols {
    Header *header;
    uint32_t at;
};

__device__ void add(Symbols *symbols, int symbol, int extra)
{
    Header *header = symbols->header;
    header->symbols[symbols->at] = (uint8_t)symbol;
    header->extra[symbols->at++] = (uint8_t)extra;
    atomicAdd(header->counts + symbol, 1u);
}

__device__ void add_zeros(Symbols *symbols, int zeros)
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

__device__ void add_same(Symbols *symbols, int length, int times)
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

/* How many symbols the two add. */
__device__ uint32_t symbols_of(int length, int times)
{
    if (length != 0) {
        int rest = (times - 1) % 6;
        return (uint32_t)(1 + (times - 1) / 6 + (rest < 3 ? rest : 1));
    }
    uint32_t symbols = (uint32_t)times / 138;
    int rest = times % 138;
    return symbols + (uint32_t)(rest < 3 ? rest : 1);
}

/* The lengths of both codes, one after the other. Two distances of one bit make a complete code,
 * though only one occurs. */
__device__ void join_codes(Header *header, const uint8_t *lengths)
{
    const int i = (int)threadIdx.x;
    if (i == 0)
        header->stated = tokens::FIRST_LENGTH;
    if (i < LENGTH_SYMBOLS)
        header->counts[i] = 0;
    __syncthreads();
    if (i < ENCODE_SYMBOLS && lengths[i] != 0)
        atomicMax(reinterpret_cast<unsigned *>(&header->stated), (unsigned)i + 1);
    __syncthreads();
    if (i < STATED_MOST)
        header->all[i] = i < header->stated ? lengths[i] : 1;
    __syncthreads();
}

/* The lengths as symbols, a thread for each that is unlike the one before it. */
__device__ void state_lengths(Header *header, const uint8_t *lengths, uint32_t *scratch)
{
    join_codes(header, lengths);
    const uint32_t i = threadIdx.x, end = (uint32_t)header->stated + 2;
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
                     (uint32_t)(header->stated - tokens::FIRST_LENGTH) << OPENING_BITS | 1u << 8 |
                     (uint32_t)(header->length_codes - 4) << 13,
                 codes_at);
    __syncthreads();
    return at + bits;
}

/* --- Kernel ----------------------------------------------------------------------------------- */

struct Shared {
    uint32_t equal[ENCODE_BLOCK_WORDS]; /* becomes where matches begin */
    union {
        uint32_t runs[ENCODE_BLOCK_WORDS];
        struct { /* once the runs are stored */
            huffman::Work huffman;
            Header header;
        };
    };
    Counts counts;
    uint32_t estimated[ENCODE_SYMBOLS], codes[ENCODE_SYMBOLS];
    uint8_t lengths[ENCODE_SYMBOLS];
    uint32_t scratch[WARPS], more_scratch[WARPS];
    uint32_t in_runs, bits[PARTS + 1];
};

__device__ void clear(Shared *shared)
{
    uint32_t *counts = reinterpret_cast<uint32_t *>(&shared->counts);
    for (uint32_t i = threadIdx.x; i < sizeof shared->counts / 4; i += THREADS)
        counts[i] = 0;
    if (threadIdx.x <= PARTS)
        shared->bits[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        shared->in_runs = 0;
    __syncthreads();
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

/* Counts and, for the codes, estimates; runs and matches go to the workspace. */
__device__ void take_apart(const EncodeJob &job, uint32_t block, const EncodeRange &range,
                           Shared *shared)
{
    const uint32_t bytes = range.to - range.from, words = (bytes + 31) / 32;
    const size_t at = (size_t)block * ENCODE_BLOCK_WORDS;
    uint32_t *equal = shared->equal, *runs = shared->runs;
    Counts *counts = &shared->counts;
    clear(shared);
    compare_bytes(range, job.sample_step, equal, counts);
    __syncthreads();
    find_runs(equal, words, runs);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < words; i += THREADS)
        equal[i] = 0;
    uint32_t literals = bytes - count_bits(runs, words, &shared->in_runs);
    divide_runs(runs, bytes, words, equal, counts);
    take_runs_back(range, job.sample_step, runs, words, counts);
    __syncthreads();
    store_words(runs, job.runs + at, words);
    store_words(equal, job.matches + at, words);
    estimate(counts, literals > SAMPLE_LEAST ? job.sample_step : 1, shared->codes,
             shared->estimated);
}

__device__ uint32_t make_header(const EncodeRange &range, Shared *shared)
{
    Header *header = &shared->header;
    state_lengths(header, shared->lengths, shared->scratch);
    huffman::make_lengths(&shared->huffman, header->counts, LENGTH_SYMBOLS, LENGTH_LIMIT,
                          header->lengths);
    huffman::make_codes(&shared->huffman, header->lengths, LENGTH_SYMBOLS, header->codes);
    return put_header(header, range.is_last != 0, shared->more_scratch);
}

/* One thread: the sizes that follow from the codes. */
__device__ EncodeBlock measure(const Shared *shared, uint32_t header_bits, uint32_t bytes)
{
    EncodeBlock block;
    block.header_bits = header_bits;
    uint32_t bits = header_bits, extra = 0;
    for (int part = 0; part < PARTS; part++) {
        block.before[part] = bits;
        bits += shared->bits[part] + shared->counts.extra_bits[part];
        extra += shared->counts.extra_bits[part];
    }
    block.dynamic_bits = bits + shared->lengths[tokens::END_OF_BLOCK];
    block.is_worth = header_bits + extra + shared->bits[PARTS] < 8 * stored_bytes(bytes);
    return block;
}

__global__ void __launch_bounds__(THREADS) codes_kernel(EncodeJob job)
{
    IMG_SHARED(Shared, all, [1]);
    Shared *shared = all;
    const uint32_t block = blockIdx.x;
    const EncodeRange range = encode_range(&job, block);
    take_apart(job, block, range, shared);
    huffman::make_lengths(&shared->huffman, shared->estimated, ENCODE_SYMBOLS, CODE_LIMIT,
                          shared->lengths);
    sum_bits(&shared->counts, shared->estimated, shared->lengths, shared->bits);
    huffman::make_codes(&shared->huffman, shared->lengths, ENCODE_SYMBOLS, shared->codes);
    store_words(shared->codes, job.codes + (size_t)block * ENCODE_SYMBOLS, ENCODE_SYMBOLS);
    uint32_t header_bits = make_header(range, shared);
    store_words(shared->header.bits, job.headers + (size_t)block * ENCODE_HEADER_WORDS,
                ENCODE_HEADER_WORDS);
    if (threadIdx.x == 0)
        job.blocks[block] = measure(shared, header_bits, range.to - range.from);
}

} // namespace

void img_encode_codes(const EncodeJob *job, uint32_t blocks, void *stream)
{
    IMG_LAUNCH(codes_kernel, blocks, THREADS, 0, stream, *job);
}
