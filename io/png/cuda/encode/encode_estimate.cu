/* Estimates how large a strip becomes, from its windows (io/png/encode/estimate_rule.h). For each
 * filtering (choice of candidate filters) estimates the size with run-length encoding, as
 * img_estimate_runs in io/png/encode/estimate.c does. For the first filtering also estimates the
 * bits that LZ77 saves. Each thread block processes one window with one filtering. */
#include "io/png/cuda/cooperation.cuh"
#include "io/png/cuda/encode/encode_block.cuh"
#include "io/png/cuda/encode/encode_decide.cuh"
#include "io/png/cuda/encode/encode_job.h"
#include "io/png/cuda/encode/encode_launch.cuh"
#include "io/png/cuda/encode/tokens.cuh"

/* --- Matches ---------------------------------------------------------------------------------- */

/* The same estimate as img_estimate_matches of
 * io/png/encode/estimate.c, computed by one thread block.
 *
 * The window is processed in steps of 512 positions. Each thread looks up one position of a step in
 * a table of the positions before the step. The bytes at both positions are compared afterwards.
 *
 * Which matches are chosen depends on the end of the previous match. So each step is evaluated for
 * every possible end of the previous match; one thread then combines the steps. */
namespace matches
{

constexpr uint32_t THREADS = IMG_ESTIMATE_STEP, WORDS = IMG_WINDOW_MOST / 32;
constexpr uint32_t STEPS = IMG_WINDOW_MOST / IMG_ESTIMATE_STEP;
constexpr uint32_t EVERY = IMG_ESTIMATE_EVERY;
/* Number of possible starts in a step: every EVERY-th position at which a match of the previous
 * step may end. */
constexpr uint32_t STARTS = IMG_ESTIMATE_LENGTH_MOST / EVERY;
constexpr uint32_t NO_SLOT = IMG_ESTIMATE_SLOTS, NO_MATCH = 0;
/* Value for positions that are in a run or have fewer than eight bytes left. */
constexpr uint16_t NOT_LOOKED_UP = 0xFFFF;
/* The bits of a match. The low LENGTH_BITS bits are the match length less IMG_ESTIMATE_WORD, the
 * shortest length. The bits above them are the number of bits that the match saves. */
constexpr uint32_t LENGTH_BITS = 6, LENGTH_MASK = (1 << LENGTH_BITS) - 1;
static_assert(THREADS == WORDS, "a thread sums the costs of 32 bytes");
static_assert(IMG_ESTIMATE_LENGTH_MOST - IMG_ESTIMATE_WORD <= LENGTH_MASK, "lengths fit");
static_assert(IMG_ESTIMATE_LENGTH_MOST * 14 - IMG_ESTIMATE_MATCH_BITS < 1 << (16 - LENGTH_BITS),
              "what is saved fits: a window's literals cost at most 14 bits");

struct Scratch {
    uint32_t costs[256], run_cost;
    union {
        /* [slot]: the last position of the window that was entered in this slot of the table. Must
         * start as zeros. */
        uint32_t places[IMG_ESTIMATE_SLOTS];
        /* [step][start]: two numbers in one word, saved * STARTS + next. `saved` is the number of
         * bits that the matches of the step save, `next` is the start of the next step. A start is
         * the position in the step at which the previous match ends, divided by EVERY. */
        uint32_t taken[STEPS][STARTS];
    };
    uint32_t begins[ENCODE_WINDOW_LOOKUPS / 32]; /* bit i: a match was found at lookup i */
    uint32_t scratch[THREADS / 32], positions;
};

/* A window: its data, which is aligned and has readable bytes after it, and a mask of the bytes
 * that belong to runs. */
struct Source {
    const uint32_t *words, *runs;
    uint32_t size, stride, literals;
    uint32_t positions; /* number of positions that are looked up */
};

__device__ inline bool is_in_run(const Source &source, uint32_t at)
{
    return (source.runs[at / 32] >> at % 32 & 1) != 0;
}

/* --- Lookup ----------------------------------------------------------------------------------- */

/* Returns the four bytes at position `at`, which need not be aligned. */
__device__ inline uint32_t load(const Source &source, uint32_t at)
{
    return __funnelshift_r(source.words[at / 4], source.words[at / 4 + 1], 8 * (at % 4));
}

__device__ inline uint64_t word_at(const Source &source, uint32_t at)
{
    return (uint64_t)load(source, at + 4) << 32 | load(source, at);
}

__device__ inline uint32_t slot_of(const Source &source, uint32_t at)
{
    return at < source.positions && !is_in_run(source, at) ? img_estimate_slot(word_at(source, at))
                                                           : NO_SLOT;
}

/* Stores in `places`, for every EVERY-th position of the window, the earlier position that the
 * table holds in its slot. Stores NOT_LOOKED_UP for a position that has no slot in the table. */
__device__ inline void look_up(const Source &source, Scratch *work, uint16_t *places)
{
    for (uint32_t i = threadIdx.x; i < IMG_ESTIMATE_SLOTS; i += THREADS)
        work->places[i] = 0;
    __syncthreads();
    uint32_t slot = slot_of(source, threadIdx.x);
    for (uint32_t at = threadIdx.x; at < IMG_WINDOW_MOST; at += THREADS) {
        if (at % EVERY == 0)
            places[at / EVERY] = slot == NO_SLOT ? NOT_LOOKED_UP : (uint16_t)work->places[slot];
        __syncthreads();
        if (slot != NO_SLOT)
            atomicMax(work->places + slot, at);
        slot = slot_of(source, at + THREADS);
        __syncthreads();
    }
}

__device__ inline bool is_repeated(const Source &source, uint32_t at, uint32_t from)
{
    return word_at(source, at) == word_at(source, from);
}

/* --- Costs ------------------------------------------------------------------------------------ */

/* Computes for each position the total cost of all bytes before it, modulo 2^16. A run costs as
 * much as a match; this cost is assigned to its first byte. */
__device__ inline void sum_costs(const Source &source, Scratch *work, uint16_t *sums)
{
    const uint32_t group = threadIdx.x, base = 32 * group;
    const uint32_t bytes = base < source.size ? min(source.size - base, 32u) : 0;
    const uint32_t runs = bytes > 0 ? source.runs[group] : 0;
    const uint32_t before = bytes > 0 && group > 0 ? source.runs[group - 1] >> 31 : 0;
    const uint32_t starts = runs & ~(runs << 1 | before);
    uint32_t sum = 0, all;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < bytes; i++) {
            const uint32_t at = base + i;
            if (pass > 0)
                sums[at] = (uint16_t)sum;
            if ((runs >> i & 1) == 0)
                sum += work->costs[source.words[at / 4] >> 8 * (at % 4) & 255];
            else if ((starts >> i & 1) != 0)
                sum += work->run_cost;
        }
        if (pass == 0)
            sum = block_scan<(int)THREADS>(sum, work->scratch, &all);
    }
    __syncthreads();
}

/* --- Comparison ------------------------------------------------------------------------------- */

__device__ inline uint32_t length_of(const Source &source, uint32_t at, uint32_t from)
{
    const uint32_t most = min(source.size - at, (uint32_t)IMG_ESTIMATE_LENGTH_MOST);
    uint32_t length = 0, alike = 4;
    while (alike == 4 && length < most) {
        const uint32_t unlike = load(source, at + length) ^ load(source, from + length);
        alike = unlike == 0 ? 4 : ((uint32_t)__ffs((int)unlike) - 1) / 8;
        length += alike;
    }
    return min(length, most);
}

/* Returns the total cost of the bytes from `from` to before `to`. If `to` is the window's end, adds
 * the cost of the last byte, because `sums` ends before it. */
__device__ inline uint32_t cost_between(const Source &source, const Scratch *work,
                                        const uint16_t *sums, uint32_t from, uint32_t to)
{
    if (to < source.size)
        return (uint16_t)(sums[to] - sums[from]);
    const uint32_t last = source.size - 1;
    const bool is_literal = !is_in_run(source, last);
    const uint32_t own =
        is_literal ? work->costs[source.words[last / 4] >> 8 * (last % 4) & 255] : 0;
    return (uint16_t)(sums[last] - sums[from]) + own;
}

/* Each entry of `found` is an earlier position in the window. Replaces it by the match with the
 * data at that position, or by NO_MATCH. */
__device__ inline void compare(const Source &source, Scratch *work, const uint16_t *sums,
                               uint16_t *found)
{
    for (uint32_t i = threadIdx.x; i < ENCODE_WINDOW_LOOKUPS; i += THREADS) {
        const uint32_t place = found[i], at = EVERY * i;
        uint32_t match = NO_MATCH, from = at;
        if (place != NOT_LOOKED_UP && at >= source.stride &&
            is_repeated(source, at, at - source.stride))
            from = at - source.stride;
        else if (place != NOT_LOOKED_UP && is_repeated(source, at, place))
            from = place;
        if (from < at) {
            const uint32_t length = length_of(source, at, from);
            const uint32_t cost = cost_between(source, work, sums, at, at + length);
            const uint32_t saved = img_estimate_saved(cost);
            match = saved > 0 ? saved << LENGTH_BITS | (length - IMG_ESTIMATE_WORD) : NO_MATCH;
        }
        found[i] = (uint16_t)match;
        const uint32_t begins = __ballot_sync(0xFFFFFFFF, match != NO_MATCH);
        if (i % 32 == 0)
            work->begins[i / 32] = begins;
    }
    __syncthreads();
}

/* --- Choice ----------------------------------------------------------------------------------- */

/* Evaluates a step from `at`, the end of the previous match: follows the matches of the step up to
 * `end`. Returns an entry of Scratch.taken. */
__device__ inline uint32_t take(const Scratch *work, const uint16_t *found, uint32_t at,
                                uint32_t end)
{
    uint32_t saved = 0;
    for (;;) {
        const uint32_t next = tokens::find_bit(work->begins, at / EVERY, end / EVERY, true);
        if (next == end / EVERY)
            break;
        saved += found[next] >> LENGTH_BITS;
        at = EVERY * next + (found[next] & LENGTH_MASK) + IMG_ESTIMATE_WORD;
        at = (at + EVERY - 1) / EVERY * EVERY;
    }
    return saved * STARTS | (at > end ? (at - end) / EVERY : 0);
}

/* Returns the total number of bits that matches save. Only thread 0 gets the result. */
__device__ inline uint32_t take_all(Scratch *work, const uint16_t *found)
{
    for (uint32_t i = threadIdx.x; i < STEPS * STARTS; i += THREADS) {
        const uint32_t step = i / STARTS, start = i % STARTS;
        work->taken[step][start] = take(work, found, step * IMG_ESTIMATE_STEP + EVERY * start,
                                        (step + 1) * IMG_ESTIMATE_STEP);
    }
    __syncthreads();
    uint32_t saved = 0, start = 0;
    for (uint32_t step = 0; threadIdx.x == 0 && step < STEPS; step++) {
        const uint32_t taken = work->taken[step][start];
        saved += taken / STARTS;
        start = taken % STARTS;
    }
    return saved;
}

/* Returns the number of positions to look up. All threads get the result. */
__device__ inline uint32_t positions_of(const Source &source, Scratch *work)
{
    const uint32_t words =
        source.size < IMG_ESTIMATE_WORD ? 0 : source.size - IMG_ESTIMATE_WORD + 1;
    const uint32_t base = IMG_ESTIMATE_GROUP * threadIdx.x;
    const uint32_t bytes =
        base < source.size ? min(source.size - base, (uint32_t)IMG_ESTIMATE_GROUP) : 0;
    const uint32_t mask = bytes < IMG_ESTIMATE_GROUP ? (1u << bytes) - 1 : 0xFFFFFFFF;
    const uint32_t own = bytes > 0 ? (uint32_t)__popc((int)(~source.runs[threadIdx.x] & mask)) : 0;
    uint32_t all;
    const uint32_t before = block_scan<(int)THREADS>(own, work->scratch, &all);
    if (threadIdx.x == 0)
        work->positions = words;
    __syncthreads();
    if (before < IMG_ESTIMATE_LITERALS && before + own >= IMG_ESTIMATE_LITERALS)
        work->positions = min(words, base + IMG_ESTIMATE_GROUP);
    __syncthreads();
    return work->positions;
}

/* Returns the number of bits that matches save in a window. Called by all threads; only thread 0
 * gets the result. `sums` has one entry per byte of the window, `found` one per lookup. */
__device__ inline uint32_t save(Source source, Scratch *work, uint16_t *sums, uint16_t *found)
{
    source.positions = positions_of(source, work);
    look_up(source, work, found);
    sum_costs(source, work, sums);
    compare(source, work, sums, found);
    return img_estimate_of_all(take_all(work, found), source.literals);
}

} // namespace matches

/* --- The kernel ------------------------------------------------------------------------------- */

namespace
{

using Runs = BlockScratch<matches::WORDS>;

struct Shared {
    Runs runs;
    matches::Scratch saving;
    uint32_t bits, matches_of_runs;
};

/* Returns the count of the symbol of this thread; each literal and each length code has a
 * thread. */
__device__ uint32_t count_of(const Counts &counts)
{
    const uint32_t i = threadIdx.x;
    uint32_t count = 0;
    for (int part = 0; part < PARTS; part++)
        if (i < LITERALS)
            count += IMG_ESTIMATE_COUNTED * counts.literals[part][SAMPLED][i];
        else if (i < LITERALS + tokens::LENGTH_CODES)
            count += counts.lengths[part][i - LITERALS];
    return count;
}

/* Stores the costs of literals and runs in shared->saving. Sets `*outside` to the number of
 * literals, for all threads. Returns the estimated size with run-length encoding in sixteenths of a
 * bit; only thread 0 gets it. */
__device__ uint32_t estimate_runs(const uint8_t *data, uint32_t size, Shared *shared,
                                  uint32_t *outside)
{
    const EncodeRange range = range_of(data, size);
    if (threadIdx.x == 0)
        shared->bits = shared->matches_of_runs = 0;
    const uint32_t literals = find_tokens(range, IMG_ESTIMATE_COUNTED, &shared->runs),
                   i = threadIdx.x;
    const uint32_t count = count_of(shared->runs.counts);
    if (i >= LITERALS && count > 0)
        atomicAdd(&shared->matches_of_runs, count);
    *outside = literals;
    __syncthreads();
    const uint32_t found = shared->matches_of_runs, all = literals + found;
    if (i < LITERALS) {
        const uint32_t cost =
            max(img_estimate_cost(all, count), (uint32_t)IMG_ESTIMATE_LITERAL_LEAST);
        shared->saving.costs[i] = cost;
        const uint32_t sum = warp_sum(count * cost);
        if (i % 32 == 0)
            atomicAdd(&shared->bits, sum);
    }
    __syncthreads();
    const uint32_t run_cost = img_estimate_cost(all, found) + IMG_ESTIMATE_DISTANCE;
    if (i == 0)
        shared->saving.run_cost = run_cost;
    return shared->bits + found * run_cost;
}

template <typename Jobs> __global__ void __launch_bounds__(THREADS) estimate_kernel(Jobs jobs)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(Shared, shared, [1]);
    const EncodeJob &job = jobs.get();
    if (blockIdx.x >= encode_filtered_windows(&job))
        return;
    const uint32_t number = blockIdx.x / job.filterings, filtering = blockIdx.x % job.filterings;
    const uint32_t strip = number / IMG_WINDOWS;
    if (encode_strip_bytes(&job, strip) <= job.probed)
        return;
    const ImgWindow window = encode_window(&job, strip, number % IMG_WINDOWS);
    const uint32_t size = encode_window_size(&window);
    const uint8_t *data = encode_window_data(&job, number, filtering);
    uint32_t literals;
    const uint32_t bits = estimate_runs(data, size, shared, &literals);
    if (threadIdx.x == 0)
        job.estimates[number].runs[filtering] = bits;
    if (filtering > 0)
        return;
    const matches::Source source = {reinterpret_cast<const uint32_t *>(data),
                                    shared->runs.runs,
                                    size,
                                    1 + window.bytes,
                                    literals,
                                    0};
    const uint32_t saved =
        matches::save(source, &shared->saving, job.window_sums + (size_t)number * IMG_WINDOW_MOST,
                      job.matches_found + (size_t)number * ENCODE_WINDOW_LOOKUPS);
    if (threadIdx.x == 0)
        job.estimates[number].saved = saved;
}

/* Computes the advice for each strip once, one thread per strip. The thread blocks that later
 * process the rows of the strip only load this advice. */
template <typename Jobs> __global__ void advise_kernel(Jobs jobs)
{
    IMG_AWAIT_PREVIOUS();
    const EncodeJob &job = jobs.get();
    const uint32_t strip = blockIdx.x * blockDim.x + threadIdx.x;
    if (strip < job.strips.count)
        job.advice[strip] = decide::make_advice(job, strip);
}

} // namespace

void img_encode_estimate(const EncodeBatch *batch, void *stream)
{
    const dim3 windows(batch->windows, 1, batch->count);
    const dim3 strips((batch->strips + 31) / 32, 1, batch->count);
    with_jobs(batch, [&](auto jobs) {
        if (batch->windows > 0)
            IMG_LAUNCH_EARLY(estimate_kernel<decltype(jobs)>, windows, THREADS, 0, stream, jobs);
        IMG_LAUNCH_EARLY(advise_kernel<decltype(jobs)>, strips, 32, 0, stream, jobs);
    });
}
