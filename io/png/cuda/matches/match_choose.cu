/* Chooses the best match for each position of a segment (4,096 positions). Also computes the
 * segment's exits: for each position at which its first token may begin, how far past the segment
 * its last token ends.
 *
 * Bit masks mark the bytes that equal the byte one pixel, one row or one byte earlier. The number
 * of consecutive ones in a mask is the length of a match. Whether a match is used depends only on
 * its own gain and the gain at the next position. */
#include <stdint.h>

#include "io/png/cuda/cooperation.cuh"
#include "io/png/cuda/encode/encode_jobs.cuh"
#include "io/png/cuda/matches/match_join.cuh"
#include "kernels/core/cuda/cuda_launch.cuh"

/* --- Words at unaligned addresses ------------------------------------------------------------- */

/* The functions below load aligned words, so they also read up to three bytes before the bytes that
 * they return and up to three bytes after them. */

/* Returns the eight bytes at data[at], with the first byte in the lowest bits. */
static __device__ inline uint64_t match_word(const uint8_t *data, uint32_t at)
{
    const uint8_t *bytes = data + at;
    const unsigned shift = (unsigned)((uintptr_t)bytes & 3);
    const uint32_t *words = reinterpret_cast<const uint32_t *>(bytes - shift);
    const uint32_t middle = words[1], last = shift == 0 ? 0 : words[2];
    const uint32_t low = __funnelshift_r(words[0], middle, 8 * shift);
    const uint32_t high = __funnelshift_r(middle, last, 8 * shift);
    return (uint64_t)high << 32 | low;
}

/* Compares the four bytes of `a` with the four bytes of `b`. Returns four bits; bit i is set if
 * byte i is the same in `a` and `b`. */
static __device__ inline uint32_t match_alike(uint32_t a, uint32_t b)
{
    constexpr uint32_t LOW = 0x7F7F7F7F;
    const uint32_t unlike = a ^ b;
    /* the top bit of a byte is set if the byte is equal in both words */
    const uint32_t alike = ~(((unlike & LOW) + LOW) | unlike | LOW);
    return alike * 0x00204081 >> 28;
}

namespace
{

using match_join::EACH;
using match_join::position;
using match_join::SEGMENT;
using match_join::THREADS;

constexpr uint32_t MOST = IMG_MATCH_MOST, LENGTH_MASK = (1 << MATCH_FROM_SHIFT) - 1;
constexpr uint32_t AT_MOST = 4; /* largest number of segments per thread block */
constexpr int BLOCKS = 3;       /* number of thread blocks per multiprocessor */
constexpr uint32_t FIXED = 3;   /* number of candidates at fixed distances: pixel, row, byte */
/* Number of words with one bit per position. They cover the segment and the longest match at the
 * first position after it. */
constexpr uint32_t WORDS = (SEGMENT + MOST) / 32 + 1;
constexpr uint32_t SUMMED = 12, SUMS = SEGMENT + MOST + 1;
static_assert(SUMMED * THREADS >= SUMS, "all costs are summed at once");
static_assert(FIXED * WORDS <= THREADS, "all words are compared at once");

struct Shared {
    /* One mask per candidate at a fixed distance. A bit is set if its byte equals the byte at this
     * distance before it. */
    uint32_t equal[FIXED][WORDS];
    uint16_t ahead[FIXED][WORDS]; /* number of consecutive ones from the word's first bit onwards */
    /* Running sums of the literal costs of the segment's bytes, modulo 2^16. */
    uint16_t sums[SUMS];
    /* Gain of the best match at each position, in sixteenths of a bit; 0: no match. */
    uint16_t gains[SEGMENT + 1];
    /* Best match of each position; take_all replaces it by the position of the next token. */
    uint16_t next[SEGMENT];
    uint8_t costs[256];
    uint16_t length_costs[MOST + 1];
    uint32_t scratch[THREADS / 32], words_taken;
};

struct Segment {
    MatchUnit unit;
    ImgMatchRows rows;
    /* `from`: first position of the segment. `left`: bytes from there to the end of the unit. */
    uint32_t from, left;
    const uint16_t *back;
    uint32_t row_cost; /* cost of the distance of a match one row back, in sixteenths of a bit */
};

struct Best {
    uint32_t length, from;
    int32_t gain;
};

/* --- Equal bytes ------------------------------------------------------------------------------ */

/* Returns the distance in bytes of the candidate `number` at a fixed distance. Returns 0 if the
 * picture has no such candidate. */
__device__ uint32_t fixed_distance(const ImgMatchRows &rows, uint32_t number)
{
    if (number == MATCH_FROM_PIXEL)
        return rows.pixel;
    if (number == MATCH_FROM_ROW)
        return rows.stride <= IMG_MATCH_REACH ? rows.stride : 0;
    return rows.pixel > 1 ? 1 : 0;
}

/* Compares 32 bytes, the first at `at`, with the bytes `distance` bytes earlier. Returns a mask of
 * the equal bytes. At least the first byte must belong to the unit. */
__device__ uint32_t equal_bytes(const MatchUnit &unit, uint32_t at, uint32_t distance)
{
    uint32_t equal = 0;
    if (at >= distance) {
        for (uint32_t i = 0; i < 32; i += 8) {
            const uint64_t here = match_word(unit.data, at + i);
            const uint64_t there = match_word(unit.data, at + i - distance);
            equal |= match_alike((uint32_t)here, (uint32_t)there) << i;
            equal |= match_alike((uint32_t)(here >> 32), (uint32_t)(there >> 32)) << (i + 4);
        }
    } else {
        for (uint32_t i = distance - at; i < 32 && at + i < unit.size; i++)
            equal |= (uint32_t)(unit.data[at + i] == unit.data[at + i - distance]) << i;
    }
    return unit.size - at < 32 ? equal & ((1u << (unit.size - at)) - 1) : equal;
}

__device__ void compare(const Segment &segment, Shared *shared)
{
    const uint32_t number = threadIdx.x / WORDS, word = threadIdx.x % WORDS;
    if (threadIdx.x == 0)
        shared->words_taken = 0;
    if (number < FIXED) {
        const uint32_t distance = fixed_distance(segment.rows, number);
        const bool exists = distance > 0 && 32 * word < segment.left;
        shared->equal[number][word] =
            exists ? equal_bytes(segment.unit, segment.from + 32 * word, distance) : 0;
    }
    __syncthreads();
    if (number < FIXED) {
        uint32_t ones = 0, at = word;
        while (at < WORDS && ones < MOST && shared->equal[number][at] == 0xFFFFFFFF) {
            ones += 32;
            at++;
        }
        if (at < WORDS)
            ones += (uint32_t)__ffs((int)~shared->equal[number][at]) - 1;
        shared->ahead[number][word] = (uint16_t)ones;
    }
}

/* Returns the length of the match with fixed candidate `number` at bit `shift` of word `word`: the
 * number of consecutive equal bytes. */
__device__ uint32_t fixed_length(const Shared *shared, uint32_t number, uint32_t word,
                                 uint32_t shift)
{
    const uint32_t unlike = ~shared->equal[number][word] >> shift;
    if (unlike != 0)
        return (uint32_t)__ffs((int)unlike) - 1;
    return 32 - shift + (word + 1 < WORDS ? shared->ahead[number][word + 1] : 0);
}

/* Compares 32 bytes at `here` with 32 bytes at `there`. Returns the number of equal bytes before
 * the first difference. Both addresses may be unaligned. */
__device__ uint32_t alike_of_32(const uint8_t *here, const uint8_t *there)
{
    constexpr uint32_t COUNT = 8;
    const unsigned shift = (unsigned)((uintptr_t)here & 3),
                   other = (unsigned)((uintptr_t)there & 3);
    const uint32_t *a = reinterpret_cast<const uint32_t *>(here - shift);
    const uint32_t *b = reinterpret_cast<const uint32_t *>(there - other);
    uint32_t unlike[COUNT], low = a[0], low_there = b[0];
#pragma unroll
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t high = a[i + 1], high_there = b[i + 1];
        unlike[i] = __funnelshift_r(low, high, 8 * shift) ^
                    __funnelshift_r(low_there, high_there, 8 * other);
        low = high;
        low_there = high_there;
    }
    uint32_t alike = 4 * COUNT;
#pragma unroll
    for (uint32_t i = COUNT; i-- > 0;)
        if (unlike[i] != 0)
            alike = 4 * i + ((uint32_t)__ffs((int)unlike[i]) - 1) / 8;
    return alike;
}

/* Returns the number of equal bytes at `here` and `there`, at most `most`; returns 0 if fewer than
 * `least` are equal. Compares the bytes just before offset `least` early, because they differ most
 * often. Reads up to 36 bytes past the last byte compared. */
__device__ uint32_t equal_length(const uint8_t *here, const uint8_t *there, uint32_t least,
                                 uint32_t most)
{
    const uint64_t unlike = match_word(here, 0) ^ match_word(there, 0);
    if (unlike != 0) {
        const uint32_t length = ((uint32_t)__ffsll((long long)unlike) - 1) / 8;
        return length < least ? 0 : length;
    }
    if (least > IMG_MATCH_WORD &&
        match_word(here, least - IMG_MATCH_WORD) != match_word(there, least - IMG_MATCH_WORD))
        return 0;
    uint32_t length = IMG_MATCH_WORD, alike = 32;
    for (; alike == 32 && length < most; length += alike)
        alike = alike_of_32(here + length, there + length);
    length = min(length, most);
    return length < least ? 0 : length;
}

/* --- Costs ------------------------------------------------------------------------------------ */

__device__ void make_costs(const uint32_t *literals, Shared *shared)
{
    const uint32_t count = threadIdx.x < 256 ? literals[threadIdx.x] : 0;
    uint32_t all;
    block_scan<(int)THREADS>(count, shared->scratch, &all);
    if (threadIdx.x < 256)
        shared->costs[threadIdx.x] = (uint8_t)img_literal_cost(all, count);
    if (threadIdx.x >= IMG_MATCH_LEAST && threadIdx.x <= MOST)
        shared->length_costs[threadIdx.x] = (uint16_t)img_match_length_cost(threadIdx.x);
    __syncthreads();
}

/* Computes the running sums of literal costs. Each thread adds the costs of SUMMED bytes. */
__device__ void sum_costs(const Segment &segment, Shared *shared)
{
    const uint32_t first = SUMMED * threadIdx.x;
    const uint32_t end = min(segment.left, SUMS),
                   count = first < end ? min(end - first, SUMMED) : 0;
    const uint8_t *bytes = segment.unit.data + segment.from + (count > 0 ? first : 0);
    const unsigned shift = (unsigned)((uintptr_t)bytes & 3);
    const uint32_t *words = reinterpret_cast<const uint32_t *>(bytes - shift);
    uint32_t costs[SUMMED], low = words[0], sum = 0, all;
#pragma unroll
    for (uint32_t i = 0; i < SUMMED; i++) {
        const uint32_t word = i % 4 == 0 ? __funnelshift_r(low, words[i / 4 + 1], 8 * shift) : low;
        costs[i] = i < count ? shared->costs[word >> 8 * (i % 4) & 255] : 0;
        low = i % 4 == 3 ? words[i / 4 + 1] : word;
        sum += costs[i];
    }
    sum = block_scan<(int)THREADS>(sum, shared->scratch, &all);
#pragma unroll
    for (uint32_t i = 0; i < SUMMED; i++) {
        if (first + i < SUMS)
            shared->sums[first + i] = (uint16_t)sum;
        sum += costs[i];
    }
    __syncthreads();
}

/* --- Choosing --------------------------------------------------------------------------------- */

/* Replaces the best match by the given candidate if the candidate has a larger gain. */
__device__ void improve(const Shared *shared, uint32_t at, uint32_t length, uint32_t distance_cost,
                        uint32_t from, Best *best)
{
    if (length < best->length)
        return;
    const uint16_t saved = (uint16_t)(shared->sums[at + length] - shared->sums[at]);
    const int32_t gain =
        (int32_t)saved - (int32_t)shared->length_costs[length] - (int32_t)distance_cost;
    if (gain > best->gain)
        *best = {length, from, gain};
}

/* Returns the best match at the position of bit `shift` in word `word`. At least eight bytes of the
 * unit must be left at this position. */
__device__ Best choose(const Segment &segment, const Shared *shared, uint32_t word, uint32_t shift)
{
    const uint32_t at = 32 * word + shift, most = min(segment.left - at, MOST);
    const uint32_t hashed = segment.rows.hashed;
    Best best = {0, 0, 0};
#pragma unroll
    for (uint32_t number = 0; number < FIXED; number++) {
        const uint32_t equal = fixed_length(shared, number, word, shift);
        if (equal >= (number == MATCH_FROM_ROW ? hashed : IMG_MATCH_LEAST))
            improve(shared, at, min(equal, most),
                    number == MATCH_FROM_ROW ? segment.row_cost : (uint32_t)IMG_NEAR_COST, number,
                    &best);
        if (number == MATCH_FROM_PIXEL && best.length == most)
            return best; /* no other candidate is longer or costs less */
    }
    const uint32_t distance = segment.back[at];
    if (distance == 0 || distance == segment.rows.stride || distance == segment.rows.pixel)
        return best; /* the candidate of the hash table was already considered */
    const uint8_t *here = segment.unit.data + segment.from + at;
    const uint32_t length = equal_length(here, here - distance, max(hashed, best.length), most);
    if (length > 0)
        improve(shared, at, length, img_match_distance_cost(distance, segment.rows.pixel),
                MATCH_FROM_TABLE, &best);
    return best;
}

/* Chooses the best match of each position of the segment, and computes the gain at the first
 * position after it. Warps claim words one at a time, because some words take much longer than
 * others. */
__device__ void choose_all(const Segment &segment, Shared *shared)
{
    const uint32_t whole = match_words(segment.left), lane = threadIdx.x % 32;
    for (;;) {
        uint32_t word = lane == 0 ? atomicAdd(&shared->words_taken, 1u) : 0;
        word = __shfl_sync(0xFFFFFFFF, word, 0);
        const uint32_t at = 32 * word + lane;
        if (word > SEGMENT / 32)
            break;
        if (at > SEGMENT)
            continue;
        const Best best = at < whole ? choose(segment, shared, word, lane) : Best{0, 0, 0};
        shared->gains[at] = (uint16_t)best.gain;
        if (at < SEGMENT)
            shared->next[at] = (uint16_t)(best.length | best.from << MATCH_FROM_SHIFT);
    }
    __syncthreads();
}

/* Decides for each position whether a token that begins there is a literal or a match. Stores in
 * `matches` the match, or 0 for a literal. Stores in `next` the position of the following token. */
__device__ void take_all(Shared *shared, Match *matches)
{
#pragma unroll
    for (uint32_t i = 0; i < EACH; i++) {
        const uint32_t at = position(i), gain = shared->gains[at];
        const Match match = shared->next[at];
        const uint32_t length = match & LENGTH_MASK;
        const bool taken = gain > 0 && (length == MOST || shared->gains[at + 1] <= gain);
        matches[at] = taken ? match : 0;
        shared->next[at] = (uint16_t)(at + (taken ? length : 1));
    }
}

/* Stores the exits of the segment. For each of the first MATCH_EXITS positions, at which the first
 * token may begin, follows the tokens to the end of the last one. The exit is how far this token
 * extends past the segment. */
__device__ void store_exits(const uint16_t *next, uint16_t *exits)
{
    uint32_t at = threadIdx.x;
    if (at >= MATCH_EXITS)
        return;
    while (at < SEGMENT)
        at = next[at];
    exits[threadIdx.x] = (uint16_t)(at - SEGMENT);
}

__device__ void choose_segment(const MatchJob &job, const MatchUnit &unit, uint32_t number,
                               Shared *shared)
{
    Segment segment;
    segment.unit = unit;
    segment.rows = job.rows;
    segment.from = number * SEGMENT;
    segment.left = unit.size - segment.from;
    const size_t place = unit.first_segment + number;
    segment.back = job.back + place * SEGMENT;
    segment.row_cost = img_match_distance_cost(job.rows.stride, job.rows.pixel);
    compare(segment, shared);
    sum_costs(segment, shared);
    choose_all(segment, shared);
    take_all(shared, job.matches + place * SEGMENT);
    match_join::join_part(shared->next);
    __syncthreads();
    store_exits(shared->next, job.exits + place * MATCH_EXITS);
    __syncthreads();
}

/* Chooses the matches of all segments. Each thread block handles several segments, so that skipped
 * units (size 0) cost few thread blocks. */
template <typename Jobs> __global__ void __launch_bounds__(THREADS, BLOCKS) choose_kernel(Jobs jobs)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(Shared, shared, [1]);
    const MatchJob &job = jobs.get();
    if (blockIdx.y >= job.count)
        return;
    const MatchUnit unit = job.units[blockIdx.y];
    const uint32_t segments = match_segments(unit.size);
    if (blockIdx.x >= segments)
        return;
    make_costs(job.literals + 256 * blockIdx.y, shared);
    for (uint32_t number = blockIdx.x; number < segments; number += gridDim.x)
        choose_segment(job, unit, number, shared);
}

} // namespace

void img_match_choose(const MatchBatch *batch, void *stream)
{
    const dim3 grid((match_segments(batch->most) + AT_MOST - 1) / AT_MOST, batch->units,
                    batch->count);
    with_jobs(batch->one, batch->many, batch->stride, [&](auto jobs) {
        IMG_LAUNCH_EARLY(choose_kernel<decltype(jobs)>, grid, THREADS, 0, stream, jobs);
    });
}
