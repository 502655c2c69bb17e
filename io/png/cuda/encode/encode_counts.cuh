/* Private to encode_block: finds the runs and literals of a deflate block, and the counts for its
 * codes. Follows io/png/deflate/deflate_runs.c. A run has eight or more bytes that equal the byte
 * before them; it is encoded as matches at distance 1.
 *
 * The codes of a block with more than SAMPLE_LEAST literals are made from the smoothed counts of a
 * sample of them. For the sample the strip is divided into pieces of PIECE bytes. The sample has
 * the literals of pieces 0, `step`, 2 `step` and so on (`kind_of`). A block with fewer literals
 * counts all of them. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_COUNTS_CUH
#define IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_COUNTS_CUH

#include "io/png/cuda/cooperation.cuh"
#include "io/png/cuda/encode/encode_job.h"
#include "io/png/cuda/encode/tokens.cuh"

/* Threads and warps of the thread blocks that use this file. */
constexpr int THREADS = 512, WARPS = THREADS / 32;
constexpr int PARTS = ENCODE_PARTS, LITERALS = 256;
constexpr uint32_t EVERY_BIT = 0xFFFFFFFF;
/* Bytes of a piece; a sample includes a piece as a whole or not at all. */
constexpr uint32_t PIECE = 512;
/* A block with at most this many literals counts all of them; a larger block counts a sample. Equal
 * to SAMPLE_LEAST in io/png/deflate/deflate_runs.c. */
constexpr uint32_t SAMPLE_LEAST = 1 << 15;
constexpr uint32_t RARE = 50;

enum Kind { OTHERS, SAMPLED, KINDS }; /* kinds of pieces: outside the sample, in the sample */

/* Counters of a deflate block. Most atomic operations on them add 1. These are faster than other
 * additions, because shared memory combines additions of 1 by the lanes of a warp. */
struct Counts {
    uint32_t literals[PARTS][KINDS][LITERALS];
    uint32_t lengths[PARTS][tokens::LENGTH_CODES];
    /* Total number of extra bits and distance bits of the matches in each part of the block. */
    uint32_t extra_bits[PARTS];
    uint32_t in_runs[LITERALS / 32]; /* bit i: byte value i occurs in a run */
};

/* Returns the kind of the piece that contains position `at` of the strip. The sample includes every
 * `step`-th piece. */
__device__ inline Kind kind_of(uint32_t at, uint32_t step)
{
    return at / PIECE % step == 0 ? SAMPLED : OTHERS;
}

/* --- Runs ------------------------------------------------------------------------------------- */

/* 32 bytes of a strip, and a mask of the bytes that equal the byte before them. */
struct Group {
    uint32_t words[8], equal;
};

/* Returns a mask of four bits. Bit i is set if byte i of `word` equals the byte before it. `before`
 * is the byte before the first byte of `word`. */
__device__ inline uint32_t equal_of(uint32_t word, uint32_t before)
{
    constexpr uint32_t LOW = 0x7F7F7F7F;
    uint32_t unlike = word ^ (word << 8 | before);
    /* The top bit of a byte is set if the byte equals the byte before it. */
    uint32_t alike = ~(((unlike & LOW) + LOW) | unlike | LOW);
    return alike * 0x00204081 >> 28;
}

__device__ inline Group load_group(const uint8_t *strip, uint32_t at)
{
    Group group;
    const uint8_t *bytes = strip + at;
    const unsigned shift = (unsigned)((uintptr_t)bytes & 3);
    const uint32_t *aligned = reinterpret_cast<const uint32_t *>(bytes - shift);
    uint32_t word = aligned[0];
#pragma unroll
    for (int i = 0; i < 8; i++) {
        uint32_t next = aligned[i + 1];
        group.words[i] = __funnelshift_r(word, next, 8 * shift);
        word = next;
    }
    uint32_t before = at > 0 ? bytes[-1] : ~group.words[0] & 255;
    group.equal = 0;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        group.equal |= equal_of(group.words[i], before) << 4 * i;
        before = group.words[i] >> 24;
    }
    return group;
}

/* Counts the first `bytes` bytes of a group as literals. The group starts at position `at` of the
 * strip and may reach into the next piece. */
__device__ inline void count_group(const Group &group, uint32_t at, uint32_t bytes, uint32_t step,
                                   uint32_t (*literals)[LITERALS])
{
    /* Distance in bytes to the start of the next piece. */
    const uint32_t border = PIECE - at % PIECE;
    uint32_t *here = literals[kind_of(at, step)], *behind = literals[kind_of(at + 32, step)];
#pragma unroll
    for (uint32_t i = 0; i < 32; i++)
        if (i < bytes)
            atomicAdd((i < border ? here : behind) + (group.words[i / 4] >> 8 * (i % 4) & 255), 1u);
}

/* Finds the bytes of a deflate block that equal the byte before them, and counts the bytes as
 * literals. Groups of 32 bytes that lie entirely in a run are not counted; take_runs_back subtracts
 * the other bytes of runs. Each warp processes one part of the block, each thread 32 bytes at a
 * time. */
__device__ inline void compare_bytes(const EncodeRange &range, uint32_t step, uint32_t *equal,
                                     Counts *counts)
{
    constexpr uint32_t WARPS_EACH = WARPS / PARTS;
    const uint32_t warp = threadIdx.x / 32, part = warp % PARTS;
    const uint32_t size = range.to - range.from, words = encode_part_bytes(size) / 32;
    const uint32_t end = min((part + 1) * words, (size + 31) / 32);
    for (uint32_t i = part * words + warp / PARTS * 32 + threadIdx.x % 32; i < end;
         i += WARPS_EACH * 32) {
        const uint32_t at = range.from + i * 32, bytes = min(size - i * 32, 32u);
        Group group = load_group(range.data, at);
        if (bytes < 32)
            group.equal &= (1u << bytes) - 1;
        equal[i] = group.equal;
        if (group.equal == EVERY_BIT)
            atomicOr(counts->in_runs + (group.words[0] & 255) / 32, 1u << group.words[0] % 32);
        else
            count_group(group, at, bytes, step, counts->literals[part]);
    }
}

/* Returns a mask of the bits of `word` at which at least eight consecutive set bits begin. `next`
 * is the word that follows `word`. */
__device__ inline uint32_t groups_of_eight(uint32_t word, uint32_t next)
{
    uint64_t bits = (uint64_t)next << 32 | word;
    bits &= bits >> 1;
    bits &= bits >> 2;
    return (uint32_t)(bits & bits >> 4);
}

/* Finds the runs. Sets in `runs` the bits of `equal` that belong to at least eight consecutive set
 * bits. */
__device__ inline void find_runs(const uint32_t *equal, uint32_t words, uint32_t *runs)
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

/* Divides runs into matches and counts the match lengths. Sets in `begins` the bit of each byte at
 * which a match begins. */
__device__ inline void divide_runs(const uint32_t *runs, uint32_t bytes, uint32_t words,
                                   uint32_t *begins, Counts *counts)
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
                /* The 1 is the bit of the distance code. */
                atomicAdd(&counts->extra_bits[part], length.extra_bits + 1);
                at += match;
            }
        }
    }
}

__device__ inline uint32_t count_bits(const uint32_t *words, uint32_t count, uint32_t *sum)
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

/* Subtracts `count` bytes of value `byte` from the counts of literals. The bytes start at position
 * `at` of the strip. `count` is less than PIECE, so they lie in at most two pieces. */
__device__ inline void take_back(uint32_t at, uint32_t count, uint32_t byte, uint32_t step,
                                 uint32_t (*literals)[LITERALS])
{
    const uint32_t here = min(count, PIECE - at % PIECE);
    atomicAdd(&literals[kind_of(at, step)][byte], 0 - here);
    if (here < count)
        atomicAdd(&literals[kind_of(at + here, step)][byte], here - count);
}

/* Subtracts the bytes of runs from the counts of literals. Skips groups that compare_bytes did not
 * count. Consecutive set bits of `runs` belong to one run, so their bytes have one value: the first
 * byte of another run would differ from the byte before it, and its bit would be clear. */
__device__ inline void take_runs_back(const EncodeRange &range, uint32_t step, const uint32_t *runs,
                                      uint32_t words, Counts *counts)
{
    const uint32_t part_words = encode_part_bytes(range.to - range.from) / 32;
    for (uint32_t i = threadIdx.x; i < words; i += THREADS)
        for (uint32_t word = runs[i] == EVERY_BIT ? 0 : runs[i]; word != 0;) {
            const uint32_t first = (uint32_t)__ffs((int)word) - 1;
            const uint32_t count = (uint32_t)__ffs((int)~(word >> first)) - 1;
            const uint32_t at = range.from + i * 32 + first, byte = range.data[at];
            atomicOr(counts->in_runs + byte / 32, 1u << byte % 32);
            take_back(at, count, byte, step, counts->literals[i / part_words]);
            word &= ~(((1u << count) - 1) << first);
        }
}

struct Found {
    uint32_t sampled, others;
};

__device__ inline Found found_in(const Counts *counts, int part, int literal)
{
    return {counts->literals[part][SAMPLED][literal], counts->literals[part][OTHERS][literal]};
}

/* Returns the count of a literal. If the literal is rare, returns the average of its count and the
 * counts of the two neighbouring byte values. The average ignores values that do not occur. This is
 * the method of `smooth` in deflate_runs.c. */
__device__ inline uint32_t smoothed(const uint32_t *found, int literal, uint32_t rare)
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

/* Computes the counts from which codes are made. The counts come from the sampled literals, and are
 * at least 1 for each byte value that occurs. */
__device__ inline void estimate(const Counts *counts, uint32_t step, uint32_t *found,
                                uint32_t *estimated)
{
    const int i = (int)threadIdx.x;
    if (i < LITERALS) {
        Found all = {0, 0};
        for (int part = 0; part < PARTS; part++) {
            Found here = found_in(counts, part, i);
            all.sampled += here.sampled;
            all.others += here.others;
        }
        bool occurs = all.sampled + all.others > 0 || (counts->in_runs[i / 32] >> i % 32 & 1) != 0;
        found[i] = step == 1                    ? all.sampled + all.others
                   : all.sampled == 0 && occurs ? 1
                                                : all.sampled * step;
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

/* Computes sizes in bits with codes of the given lengths. sums[i] receives the size of part i of
 * the block. sums[PARTS] receives the size of the block according to the estimated counts. */
__device__ inline void sum_bits(const Counts *counts, const uint32_t *estimated,
                                const uint8_t *lengths, uint32_t *sums)
{
    uint32_t bits[PARTS + 1] = {0};
    for (int i = (int)threadIdx.x; i < ENCODE_SYMBOLS; i += THREADS) {
        bits[PARTS] += estimated[i] * lengths[i];
#pragma unroll
        for (int part = 0; part < PARTS; part++)
            if (i < LITERALS) {
                Found found = found_in(counts, part, i);
                bits[part] += (found.sampled + found.others) * lengths[i];
            } else if (i >= tokens::FIRST_LENGTH)
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

#endif
