/* Private to encode_codes: runs and literals of a deflate block, and the counts that its codes are
 * made for. As io/png/deflate/deflate_runs.c: runs of eight bytes and more become matches of
 * distance 1, codes come from every so many-th piece of the literals, smoothed. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_COUNTS_CUH
#define IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_COUNTS_CUH

#include "io/png/cuda/cooperation.cuh"
#include "io/png/cuda/encode/encode_job.h"
#include "io/png/cuda/encode/tokens.cuh"

constexpr int THREADS = 512, WARPS = THREADS / 32; /* of the block that all of this is for */
constexpr int PARTS = ENCODE_PARTS, LITERALS = 256;
constexpr uint32_t PIECE = 512;            /* bytes, of which all or none are sampled */
constexpr uint32_t SAMPLE_LEAST = 1 << 15; /* literals; fewer are all counted */
constexpr uint32_t RARE = 50;

struct Counts {
    uint32_t literals[2][PARTS][LITERALS]; /* [1]: in pieces that are sampled */
    uint32_t lengths[PARTS][tokens::LENGTH_CODES];
    uint32_t extra_bits[PARTS];      /* of matches, beside their codes */
    uint32_t in_runs[LITERALS / 32]; /* a bit for each byte that is */
};

/* --- Runs ------------------------------------------------------------------------------------- */

/* A bit for each byte of the block that is like the one before it. Bytes are counted on the way;
 * those that turn out to be in runs are taken back later. Warps share out the parts, several words
 * at a time, so that more than one is on its way from memory. */
__device__ inline void compare_bytes(const EncodeRange &range, uint32_t step, uint32_t *equal,
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
__device__ inline uint32_t groups_of_eight(uint32_t word, uint32_t next)
{
    uint64_t bits = (uint64_t)next << 32 | word;
    bits &= bits >> 1;
    bits &= bits >> 2;
    return (uint32_t)(bits & bits >> 4);
}

/* Of the equal bytes those that belong to eight or more in a row. */
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

/* A bit where each match begins; counts of their lengths. */
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
                atomicAdd(&counts->extra_bits[part], length.extra_bits + 1); /* and the distance */
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

/* Bytes in runs are no literals. */
__device__ inline void take_runs_back(const EncodeRange &range, uint32_t step, const uint32_t *runs,
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

__device__ inline uint32_t sum_parts(const uint32_t (*counts)[LITERALS], int literal)
{
    uint32_t sum = 0;
    for (int part = 0; part < PARTS; part++)
        sum += counts[part][literal];
    return sum;
}

/* Rare bytes are about as frequent as their neighbours: as `smooth` there. */
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

/* What the codes are made for: literals as far as they were sampled, each that occurs at least
 * once. */
__device__ inline void estimate(const Counts *counts, uint32_t step, uint32_t *found,
                                uint32_t *estimated)
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
__device__ inline void sum_bits(const Counts *counts, const uint32_t *estimated,
                                const uint8_t *lengths, uint32_t *sums)
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

#endif
