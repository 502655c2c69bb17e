/* Private to encode_samples: io/png/encode/repeats.c by a block of threads. The places of a step
 * are looked up by a thread each, against those entered before the step, and what lies there is
 * compared at once. Which of the matches are taken depends on the end of the one before: so for
 * each step that is found for every place where this may end, and the steps are then joined. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_REPEATS_CUH
#define IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_REPEATS_CUH

#include "io/png/cuda/cooperation.cuh"
#include "io/png/cuda/encode/huffman.cuh"
#include "io/png/cuda/encode/tokens.cuh"

namespace repeats
{

constexpr uint32_t STEP = 512, STRIDE = 2, TABLE_BITS = 13, WORD = 8;
constexpr uint32_t MATCH_LEAST = 6, MATCH_MOST = 64, MATCH_BITS = 24;
constexpr int CODE_LIMIT = 14, LITERALS = 256, THREADS = STEP;
constexpr uint32_t SIZE = ENCODE_PIECE_BYTES, HASHED = SIZE - WORD + 1, STEPS = SIZE / STEP;
constexpr uint32_t STARTS =
    MATCH_MOST / STRIDE; /* in a step: places where a match may have ended */
/* A match by its gain, and in the low bits by its length beyond MATCH_LEAST; 0: none. */
constexpr uint32_t LENGTH_BITS = 6, LENGTH_MASK = (1 << LENGTH_BITS) - 1;
constexpr uint32_t NONE = 0, NO_MATCH = 0, NO_HASH = 1u << TABLE_BITS;
static_assert(MATCH_MOST - MATCH_LEAST <= LENGTH_MASK, "lengths fit");
static_assert(MATCH_MOST * CODE_LIMIT - MATCH_BITS < 1 << (16 - LENGTH_BITS), "gains fit");

struct Work {
    union {
        struct {
            huffman::Work huffman;
            uint32_t counts[ENCODE_SYMBOLS];
        };
        uint32_t places[1 << TABLE_BITS]; /* a place + 1 by hash, the last one; NONE */
        struct {
            uint16_t matches[ENCODE_PIECE_LOOKUPS];
            /* From each of the first places of a step on: what matches gain, and in the low bits
             * where in the next step they end. */
            uint32_t taken[STEPS][STARTS];
        };
    };
    uint32_t begins[ENCODE_PIECE_LOOKUPS / 32]; /* a bit where a match that gains is found */
    uint8_t lengths[ENCODE_SYMBOLS];
    uint32_t literal_bits;
};

/* A piece: aligned, and with some bytes behind it that may be read. */
struct Source {
    const uint32_t *words;
};

/* --- Code ------------------------------------------------------------------------------------- */

static __device__ inline void count_bytes(const Source &source, Work *work)
{
    for (uint32_t i = threadIdx.x; i < ENCODE_SYMBOLS; i += THREADS)
        work->counts[i] = i == tokens::END_OF_BLOCK;
    if (threadIdx.x == 0)
        work->literal_bits = 0;
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < SIZE / 4; i += THREADS)
        for (int k = 0; k < 4; k++)
            atomicAdd(work->counts + (source.words[i] >> 8 * k & 255), 1u);
    __syncthreads();
}

static __device__ inline void make_code(const Source &source, Work *work)
{
    count_bytes(source, work);
    huffman::make_lengths(&work->huffman, work->counts, ENCODE_SYMBOLS, CODE_LIMIT, work->lengths);
    const uint32_t i = threadIdx.x;
    uint32_t bits = warp_sum(i < LITERALS ? work->counts[i] * work->lengths[i] : 0);
    if (i % 32 == 0)
        atomicAdd(&work->literal_bits, bits);
    __syncthreads();
}

/* --- Matches ---------------------------------------------------------------------------------- */

/* Four bytes from any place on. */
static __device__ inline uint32_t load(const Source &source, uint32_t at)
{
    return __funnelshift_r(source.words[at / 4], source.words[at / 4 + 1], 8 * (at % 4));
}

static __device__ inline uint32_t hash_of(const Source &source, uint32_t at)
{
    uint64_t bytes = load(source, at + 2) & 0xFFFF0000; /* bytes 4 and 5 */
    bytes = bytes << 32 | (uint64_t)load(source, at) << 16;
    return (uint32_t)(bytes * 0x9E3779B185EBCA87u >> (64 - TABLE_BITS));
}

/* What is alike at two places, if it gains. */
static __device__ inline uint32_t match_of(const Source &source, const uint8_t *lengths,
                                           uint32_t at, uint32_t from)
{
    const uint32_t most = min(SIZE - at, MATCH_MOST);
    uint32_t length = 0, bits = 0, alike = 4;
    while (alike == 4 && length < most) {
        uint32_t bytes = load(source, at + length), unlike = bytes ^ load(source, from + length);
        alike = unlike == 0 ? 4 : ((uint32_t)__ffs((int)unlike) - 1) / 8;
        alike = min(alike, most - length);
        for (uint32_t i = 0; i < alike; i++)
            bits += lengths[bytes >> 8 * i & 255];
        length += alike;
    }
    return length < MATCH_LEAST || bits <= MATCH_BITS
               ? NO_MATCH
               : (bits - MATCH_BITS) << LENGTH_BITS | (length - MATCH_LEAST);
}

/* What lies at places of the same hash, entered before the step, a thread for each place of it. Of
 * such places the last one is entered, which is the thread's next one wherever bytes repeat
 * themselves. Steps wait for each other, so nothing is compared here. */
static __device__ inline void look_up(const Source &source, Work *work, uint16_t *places)
{
    uint32_t hash = hash_of(source, threadIdx.x);
    for (uint32_t at = threadIdx.x; at < SIZE; at += STEP) {
        const bool is_hashed = at < HASHED;
        if (at % STRIDE == 0)
            places[at / STRIDE] = (uint16_t)(is_hashed ? work->places[hash] : NONE);
        const uint32_t next = __shfl_down_sync(0xFFFFFFFF, is_hashed ? hash : NO_HASH, 1);
        __syncthreads();
        if (is_hashed && (at % 32 == 31 || next != hash))
            atomicMax(work->places + hash, at + 1);
        hash = at + STEP < HASHED ? hash_of(source, at + STEP) : NO_HASH;
        __syncthreads();
    }
}

/* Places become the matches that are found there. */
static __device__ inline void compare(const Source &source, Work *work, uint16_t *found)
{
    for (uint32_t i = threadIdx.x; i < ENCODE_PIECE_LOOKUPS; i += THREADS) {
        const uint32_t place = found[i];
        uint32_t match =
            place != NONE ? match_of(source, work->lengths, i * STRIDE, place - 1) : NO_MATCH;
        found[i] = (uint16_t)match;
        uint32_t begins = __ballot_sync(0xFFFFFFFF, match != NO_MATCH);
        if (i % 32 == 0)
            work->begins[i / 32] = begins;
    }
    __syncthreads();
}

/* --- Taking them ------------------------------------------------------------------------------ */

/* The matches of a step that are taken if the one before ends at `at`. */
static __device__ inline uint32_t take(const Work *work, uint32_t at, uint32_t end)
{
    uint32_t gain = 0;
    for (;;) {
        uint32_t next = tokens::find_bit(work->begins, at / STRIDE, end / STRIDE, true);
        if (next == end / STRIDE)
            break;
        uint32_t match = work->matches[next];
        gain += match >> LENGTH_BITS;
        at = next * STRIDE + (match & LENGTH_MASK) + MATCH_LEAST;
        at += at % STRIDE;
    }
    return gain * STARTS | (at > end ? (at - end) / STRIDE : 0);
}

/* Thread 0 learns what all gain. */
static __device__ inline uint32_t take_all(Work *work, const uint16_t *found)
{
    for (uint32_t i = threadIdx.x; i < ENCODE_PIECE_LOOKUPS; i += THREADS)
        work->matches[i] = found[i];
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < STEPS * STARTS; i += THREADS) {
        uint32_t step = i / STARTS, start = i % STARTS;
        work->taken[step][start] = take(work, step * STEP + start * STRIDE, (step + 1) * STEP);
    }
    __syncthreads();
    uint32_t gain = 0, start = 0;
    for (uint32_t step = 0; threadIdx.x == 0 && step < STEPS; step++) {
        uint32_t taken = work->taken[step][start];
        gain += taken / STARTS;
        start = taken % STARTS;
    }
    return gain;
}

/* A block of threads; `found` has room for what is looked up. */
static __device__ inline void measure(const Source &source, Work *work, uint16_t *found,
                                      EncodeSample *sample)
{
    make_code(source, work);
    for (uint32_t i = threadIdx.x; i < 1u << TABLE_BITS; i += THREADS)
        work->places[i] = NONE;
    __syncthreads();
    look_up(source, work, found);
    compare(source, work, found);
    uint32_t gain = take_all(work, found);
    if (threadIdx.x == 0) {
        sample->literal_bits = work->literal_bits;
        sample->bits = work->literal_bits - gain;
    }
}

} // namespace repeats

#endif
