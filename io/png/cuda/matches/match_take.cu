/* Marks the positions at which tokens begin, and counts the symbols of the tokens. The entry of a
 * segment (the position of its first token) follows from the exits of the segment before it
 * (match_job.h). Warps mark the parts of a segment (match_join.cuh) in parallel. */
#include "io/png/cuda/cooperation.cuh"
#include "io/png/cuda/encode/encode_jobs.cuh"
#include "io/png/cuda/encode/tokens.cuh"
#include "io/png/cuda/matches/match_join.cuh"

namespace
{

constexpr uint32_t LENGTH_MASK = (1 << MATCH_FROM_SHIFT) - 1;

/* --- Entries ---------------------------------------------------------------------------------- */

constexpr uint32_t ENTERED = 256, AT_ONCE = 32, ROOM = AT_ONCE * MATCH_EXITS;

/* Loads the exits (match_job.h) of AT_ONCE segments from segment `first` onwards. The first warp
 * does not help, because one of its threads meanwhile follows the exits that are already loaded. */
__device__ void load_exits(const uint16_t *all, uint32_t first, uint32_t segments, uint16_t *exits)
{
    const uint32_t end = first < segments ? min(segments - first, AT_ONCE) * MATCH_EXITS : 0;
    for (uint32_t i = threadIdx.x - 32; threadIdx.x >= 32 && i < end; i += ENTERED - 32)
        exits[i] = all[(size_t)first * MATCH_EXITS + i];
}

/* Finds the entry (position of the first token) of each segment. Each thread block processes one
 * unit. One thread follows the exits from segment to segment, while the threads of the other warps
 * load the exits of the next segments. */
template <typename Jobs> __global__ void __launch_bounds__(ENTERED) enter_kernel(Jobs jobs)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(uint16_t, exits, [2][ROOM]);
    const MatchJob &job = jobs.get();
    if (blockIdx.x >= job.count)
        return;
    const MatchUnit unit = job.units[blockIdx.x];
    const uint32_t segments = match_segments(unit.size);
    const uint16_t *all = job.exits + (size_t)unit.first_segment * MATCH_EXITS;
    uint32_t entry = 0, side = 0;
    load_exits(all, 0, segments, exits[0]);
    for (uint32_t first = 0; first < segments; first += AT_ONCE, side ^= 1) {
        __syncthreads();
        load_exits(all, first + AT_ONCE, segments, exits[side ^ 1]);
        for (uint32_t i = 0; threadIdx.x == 0 && i < min(segments - first, AT_ONCE); i++) {
            job.segments[unit.first_segment + first + i].entry = entry;
            entry = exits[side][i * MATCH_EXITS + entry];
        }
    }
}

/* --- Tokens ----------------------------------------------------------------------------------- */

using match_join::EACH;
using match_join::PART;
using match_join::PARTS;
using match_join::position;
using match_join::SEGMENT;
using match_join::THREADS;

constexpr uint16_t NOT_ENTERED = 0xFFFF;

struct Shared {
    uint16_t next[SEGMENT];
    uint8_t lengths[SEGMENT];    /* length of each position's match, less IMG_MATCH_LEAST */
    uint32_t taken[MATCH_MARKS]; /* bit i is set if a token that begins at position i is a match */
    uint32_t marks[MATCH_MARKS]; /* bit i is set if a token begins at position i */
    uint16_t entries[PARTS];
    uint32_t symbols[MATCH_SYMBOLS], extra, tokens;
};

__device__ void load(const Match *matches, Shared *shared, Match (&own)[EACH])
{
#pragma unroll
    for (uint32_t i = 0; i < EACH; i++)
        own[i] = matches[position(i)];
#pragma unroll
    for (uint32_t i = 0; i < EACH; i++) {
        const uint32_t at = position(i), length = own[i] & LENGTH_MASK;
        const uint32_t taken = __ballot_sync(0xFFFFFFFF, length > 0);
        shared->next[at] = (uint16_t)(at + (length > 0 ? length : 1));
        shared->lengths[at] = (uint8_t)(length - IMG_MATCH_LEAST);
        if (threadIdx.x % 32 == 0) {
            shared->taken[at / 32] = taken;
            shared->marks[at / 32] = 0;
        }
    }
    if (threadIdx.x < MATCH_SYMBOLS)
        shared->symbols[threadIdx.x] = 0;
    if (threadIdx.x < PARTS)
        shared->entries[threadIdx.x] = NOT_ENTERED;
    if (threadIdx.x == 0)
        shared->extra = shared->tokens = 0;
}

/* Marks the tokens of one part from position `entry` onwards. Called by one lane of the part's
 * warp. Up to 32 consecutive literals are marked at once. */
__device__ void mark(Shared *shared, uint32_t entry)
{
    const uint32_t end = (threadIdx.x / 32 + 1) * PART;
    for (uint32_t at = entry; at < end;) {
        const uint32_t word = at / 32, bits = 0xFFFFFFFFu << at % 32;
        const uint32_t taken = shared->taken[word] & bits;
        const uint32_t first = taken != 0 ? (uint32_t)__ffs((int)taken) - 1 : 31;
        shared->marks[word] |= bits & (0xFFFFFFFFu >> (31 - first));
        at = 32 * word + first;
        at += taken != 0 ? shared->lengths[at] + (uint32_t)IMG_MATCH_LEAST : 1;
    }
}

/* Marks the tokens of all parts of a segment. `entry` is the position of its first token. Positions
 * from `left` onwards lie past the end of the unit, so their marks are cleared. */
__device__ void mark_all(Shared *shared, uint32_t entry, uint32_t left)
{
    const uint32_t part = threadIdx.x / 32;
    match_join::join_part(shared->next);
    __syncthreads();
    for (uint32_t at = entry; threadIdx.x == 0 && at < SEGMENT; at = shared->next[at])
        shared->entries[at / PART] = (uint16_t)at;
    __syncthreads();
    if (threadIdx.x % 32 == 0 && shared->entries[part] != NOT_ENTERED)
        mark(shared, shared->entries[part]);
    __syncthreads();
    if (threadIdx.x < MATCH_MARKS && 32 * (threadIdx.x + 1) > left)
        shared->marks[threadIdx.x] &=
            32 * threadIdx.x < left ? (1u << (left - 32 * threadIdx.x)) - 1 : 0;
    __syncthreads();
}

__device__ void count(const ImgMatchRows &rows, const uint8_t *data, const uint16_t *back,
                      const Match (&own)[EACH], Shared *shared)
{
    uint32_t extra = 0, tokens = 0;
#pragma unroll
    for (uint32_t i = 0; i < EACH; i++) {
        const uint32_t at = position(i);
        if ((shared->marks[at / 32] >> at % 32 & 1) == 0)
            continue;
        tokens++;
        if (own[i] == 0) {
            atomicAdd(shared->symbols + data[at], 1u);
            continue;
        }
        const tokens::Length length = tokens::length_of(own[i] & LENGTH_MASK);
        const tokens::Distance distance =
            tokens::distance_of(match_distance(&rows, own[i], back[at]));
        atomicAdd(shared->symbols + tokens::FIRST_LENGTH + length.code, 1u);
        atomicAdd(shared->symbols + MATCH_LITERALS + distance.code, 1u);
        extra += length.extra_bits + distance.extra_bits;
    }
    extra = warp_sum(extra);
    tokens = warp_sum(tokens);
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&shared->extra, extra);
        atomicAdd(&shared->tokens, tokens);
    }
    __syncthreads();
}

__device__ void take_tokens(const MatchJob &job, const MatchUnit &unit, uint32_t segment,
                            Shared *shared)
{
    const size_t number = unit.first_segment + segment;
    const uint32_t from = segment * SEGMENT;
    Match own[EACH];
    load(job.matches + number * SEGMENT, shared, own);
    mark_all(shared, job.segments[number].entry, unit.size - from);
    count(job.rows, unit.data + from, job.back + number * SEGMENT, own, shared);
    MatchCounts *counts = job.counts + number;
    if (threadIdx.x < MATCH_SYMBOLS)
        counts->symbols[threadIdx.x] = (uint16_t)shared->symbols[threadIdx.x];
    if (threadIdx.x < MATCH_MARKS)
        job.marks[number * MATCH_MARKS + threadIdx.x] = shared->marks[threadIdx.x];
    if (threadIdx.x == 0) {
        counts->extra = (uint16_t)shared->extra;
        counts->tokens = (uint16_t)shared->tokens;
    }
    __syncthreads();
}

constexpr uint32_t AT_MOST = 4; /* largest number of segments per thread block */

template <typename Jobs> __global__ void __launch_bounds__(THREADS, 4) tokens_kernel(Jobs jobs)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(Shared, shared, [1]);
    const MatchJob &job = jobs.get();
    if (blockIdx.y >= job.count)
        return;
    const MatchUnit unit = job.units[blockIdx.y];
    const uint32_t segments = match_segments(unit.size);
    for (uint32_t segment = blockIdx.x; segment < segments; segment += gridDim.x)
        take_tokens(job, unit, segment, shared);
}

} // namespace

void img_match_take(const MatchBatch *batch, void *stream)
{
    const dim3 units(batch->units, 1, batch->count);
    const dim3 grid((match_segments(batch->most) + AT_MOST - 1) / AT_MOST, batch->units,
                    batch->count);
    with_jobs(batch->one, batch->many, batch->stride, [&](auto jobs) {
        IMG_LAUNCH_EARLY(enter_kernel<decltype(jobs)>, units, ENTERED, 0, stream, jobs);
        IMG_LAUNCH_EARLY(tokens_kernel<decltype(jobs)>, grid, THREADS, 0, stream, jobs);
    });
}
