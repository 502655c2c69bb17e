/* Private to encode_filter and encode_samples: a team of threads filters a row, in segments. A team
 * is a thread block or, for many short rows, a warp. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_FILTER_ROW_CUH
#define IMGTOOL_IO_PNG_CUDA_ENCODE_FILTER_ROW_CUH

#include <stdint.h>

#include "io/png/cuda/cooperation.cuh"
#include "io/png/cuda/encode/encode_job.h"
#include "io/png/filter/filter_type.h"
#include "kernels/core/cuda/cuda_launch.cuh"

/* --- Filters of a word ------------------------------------------------------------------------ */

/* The PNG filters, applied to the four bytes of a word at once. filter.h defines the same filters
 * for one byte. */

namespace filter_words
{

constexpr uint32_t HIGH_BITS = 0x80808080, ONES = 0x01010101;

/* Four bytes, and their neighbours: on the left, above, and above left. */
struct Around {
    uint32_t here, left, above, corner;
};

static __device__ inline uint32_t subtract(uint32_t a, uint32_t b)
{
    return ((a | HIGH_BITS) - (b & ~HIGH_BITS)) ^ ((a ^ ~b) & HIGH_BITS);
}

/* Returns the averages of the four bytes of `a` and `b`, each rounded down. */
static __device__ inline uint32_t average(uint32_t a, uint32_t b)
{
    return (a & b) + (((a ^ b) & 0xFEFEFEFE) >> 1);
}

/* Returns the Paeth predictors of the two bytes in the halves of a word. Let low and high be the
 * smaller and the larger of left and above, and p = left + above - corner. p is as far from low as
 * the corner is from high, and as far from high as the corner is from low. So Paeth selects high if
 * twice the corner's distance to low is at most its distance to high. The mirrored condition
 * selects low. */
static __device__ inline uint32_t paeth_of_halves(uint32_t left, uint32_t above, uint32_t corner)
{
    constexpr uint32_t SIGNS = 0x80008000;
    uint32_t low = __vminu2(left, above), high = __vmaxu2(left, above);
    uint32_t down = __vmaxu2(corner, low) - low, up = high - __vminu2(corner, high);
    uint32_t is_high = (up + SIGNS - 2 * down) & SIGNS, is_low = (down + SIGNS - 2 * up) & SIGNS;
    is_high -= is_high >> 15; /* gives a mask of 15 bits; only the low 8 matter */
    is_low -= is_low >> 15;
    return (is_high & high) | (~is_high & ((is_low & low) | (~is_low & corner)));
}

static __device__ inline uint32_t paeth(uint32_t left, uint32_t above, uint32_t corner)
{
    constexpr uint32_t EVEN = 0x00FF00FF;
    uint32_t even = paeth_of_halves(left & EVEN, above & EVEN, corner & EVEN);
    uint32_t odd = paeth_of_halves(left >> 8 & EVEN, above >> 8 & EVEN, corner >> 8 & EVEN);
    return even | odd << 8;
}

static __device__ inline uint32_t apply(unsigned filter, const Around &a)
{
    switch (filter) {
    case IMG_FILTER_SUB:
        return subtract(a.here, a.left);
    case IMG_FILTER_UP:
        return subtract(a.here, a.above);
    case IMG_FILTER_AVERAGE:
        return subtract(a.here, average(a.left, a.above));
    case IMG_FILTER_PAETH:
        return subtract(a.here, paeth(a.left, a.above, a.corner));
    default:
        return a.here;
    }
}

/* Adds the absolute values of the four bytes to `sum`. The bytes are taken as signed. */
static __device__ inline uint32_t add_absolute(uint32_t bytes, uint32_t sum)
{
    return __dp4a(__vabsdiffu4(bytes ^ HIGH_BITS, HIGH_BITS), ONES, sum);
}

} // namespace filter_words

/* --- A row ------------------------------------------------------------------------------------ */

namespace filter_row
{

using namespace filter_words;

constexpr int THREADS = 256; /* threads of a thread block */

/* A thread block that filters a row in segments of SEGMENT bytes. */
struct BlockTeam {
    static constexpr int LANES = THREADS, SEGMENT = 4096, WORDS = SEGMENT / 4;

    /* Returns the number of the team in its thread block. */
    static __device__ int number()
    {
        return 0;
    }

    static __device__ int lane()
    {
        return (int)threadIdx.x;
    }

    static __device__ void sync()
    {
        __syncthreads();
    }
};

/* A warp that filters a row. */
struct WarpTeam {
    static constexpr int LANES = 32, SEGMENT = 1024, WORDS = SEGMENT / 4;

    static __device__ int number()
    {
        return (int)threadIdx.x / LANES;
    }

    static __device__ int lane()
    {
        return (int)threadIdx.x % LANES;
    }

    static __device__ void sync()
    {
        __syncwarp();
    }
};

/* Number of words to the left of a segment. They hold at least one pixel, which has at most 8
 * bytes. */
constexpr int HALO = 2;
constexpr unsigned LEFT_ONLY = 1u << IMG_FILTER_NONE | 1u << IMG_FILTER_SUB;

/* A segment of a row and of the row above it. Each has HALO words to its left. */
template <typename Team> struct Part {
    uint32_t here[HALO + Team::WORDS], above[HALO + Team::WORDS];
    uint32_t filtered[Team::WORDS + 1];
    uint32_t sums[IMG_FILTERS];
};

/* --- Loading ---------------------------------------------------------------------------------- */

/* Returns the bytes `at` to `at` + 3 of a row; bytes outside the row are returned as zeros. Uses
 * aligned loads if they lie within the row. */
__device__ inline uint32_t load_word(const uint8_t *row, int64_t at, int64_t bytes)
{
    unsigned shift = (unsigned)((uintptr_t)(row + at) & 3);
    if (at >= shift && at + 8 <= bytes) {
        const uint32_t *words = reinterpret_cast<const uint32_t *>(row + at - shift);
        return shift == 0 ? words[0] : __funnelshift_r(words[0], words[1], 8 * shift);
    }
    uint32_t word = 0;
    for (int i = 0; i < 4; i++)
        if (at + i >= 0 && at + i < bytes)
            word |= (uint32_t)row[at + i] << 8 * i;
    return word;
}

/* Loads `words` words of a row. The first word starts HALO words before byte `from`. */
template <typename Team>
__device__ inline void load_row(const uint8_t *row, size_t from, size_t bytes, int words,
                                uint32_t *to)
{
    const int64_t start = (int64_t)from - 4 * HALO;
    const unsigned shift = (unsigned)((uintptr_t)(row + start) & 3);
    const uint32_t *aligned = reinterpret_cast<const uint32_t *>(row + start - shift);
    /* Words from `first` to `end` (exclusive) are made from two aligned loads that both lie within
     * the row. */
    const int first = from == 0 ? HALO + (shift > 0) : 0;
    const int64_t whole = ((int64_t)bytes - start) / 4 - 1;
    const int end = max(first, whole < words ? (int)whole : words);
    const int lane = Team::lane();
    for (int i = first + lane; i < end; i += Team::LANES)
        to[i] = __funnelshift_r(aligned[i], aligned[i + 1], 8 * shift);
    if (lane < first)
        to[lane] = load_word(row, start + 4 * (int64_t)lane, (int64_t)bytes);
    if (end + lane < words)
        to[end + lane] = load_word(row, start + 4 * (int64_t)(end + lane), (int64_t)bytes);
}

/* Loads a segment of a row and of the row above. For the first row of a strip `above` is NULL, and
 * the row above counts as zeros. */
template <typename Team>
__device__ inline void load(Part<Team> *part, const uint8_t *row, const uint8_t *above, size_t from,
                            size_t bytes)
{
    const size_t left = bytes - from;
    const int words = HALO + (left < Team::SEGMENT ? (int)((left + 3) / 4) : Team::WORDS);
    load_row<Team>(row, from, bytes, words, part->here);
    if (above != nullptr)
        load_row<Team>(above, from, bytes, words, part->above);
    else
        for (int i = Team::lane(); i < words; i += Team::LANES)
            part->above[i] = 0;
}

template <int PIXEL> __device__ uint32_t left_of(const uint32_t *words, int i)
{
    constexpr int BACK = (PIXEL + 3) / 4, SHIFT = 8 * (4 * BACK - PIXEL);
    uint32_t first = words[HALO + i - BACK];
    return SHIFT == 0 ? first : __funnelshift_r(first, words[HALO + i - BACK + 1], SHIFT);
}

template <int PIXEL, typename Team> __device__ Around around(const Part<Team> &part, int i)
{
    return {part.here[HALO + i], left_of<PIXEL>(part.here, i), part.above[HALO + i],
            left_of<PIXEL>(part.above, i)};
}

/* Returns a mask of the bytes in word `i` that belong to the first `count` bytes of the segment. */
__device__ inline uint32_t mask_of(int i, int count)
{
    return 4 * i + 4 <= count ? 0xFFFFFFFF : (1u << 8 * (count - 4 * i)) - 1;
}

template <typename Team> __device__ inline int bytes_of_segment(size_t from, size_t bytes)
{
    return bytes - from < Team::SEGMENT ? (int)(bytes - from) : Team::SEGMENT;
}

/* --- Choosing --------------------------------------------------------------------------------- */

template <int PIXEL, typename Team>
__device__ inline void sum_segment(const Part<Team> &part, int count, uint32_t (&sums)[IMG_FILTERS])
{
    for (int i = Team::lane(); 4 * i < count; i += Team::LANES) {
        Around a = around<PIXEL>(part, i);
        uint32_t mask = mask_of(i, count);
#pragma unroll
        for (unsigned filter = 0; filter < IMG_FILTERS; filter++)
            sums[filter] = add_absolute(apply(filter, a) & mask, sums[filter]);
    }
}

__device__ inline unsigned best_of(unsigned allowed, const uint32_t *sums)
{
    unsigned best = 0;
    uint32_t least = UINT32_MAX;
    for (unsigned filter = 0; filter < IMG_FILTERS; filter++)
        if ((allowed >> filter & 1) != 0 && sums[filter] < least) {
            least = sums[filter];
            best = filter;
        }
    return best;
}

template <int PIXEL, typename Team>
__device__ inline unsigned choose_best(size_t row_bytes, Part<Team> *part, const uint8_t *row,
                                       const uint8_t *above, unsigned allowed)
{
    uint32_t sums[IMG_FILTERS] = {0, 0, 0, 0, 0};
    if (Team::lane() < IMG_FILTERS)
        part->sums[Team::lane()] = 0;
    for (size_t from = 0; from < row_bytes; from += Team::SEGMENT) {
        Team::sync();
        load(part, row, above, from, row_bytes);
        Team::sync();
        sum_segment<PIXEL>(*part, bytes_of_segment<Team>(from, row_bytes), sums);
    }
#pragma unroll
    for (int filter = 0; filter < IMG_FILTERS; filter++) {
        uint32_t sum = warp_sum(sums[filter]);
        if (threadIdx.x % 32 == 0)
            atomicAdd(part->sums + filter, sum);
    }
    Team::sync();
    return best_of(allowed, part->sums);
}

/* Returns the candidate filters of a row. The first row of a strip may use only filters that do not
 * refer to the row above. */
__device__ inline unsigned allowed_of(unsigned filters, bool is_first)
{
    if (!is_first)
        return filters;
    return (filters & LEFT_ONLY) != 0 ? filters & LEFT_ONLY : 1u << IMG_FILTER_SUB;
}

/* Returns the filter with the smallest sum for a row. All threads get the result. If there is only
 * one candidate, no sums are computed. */
template <int PIXEL, typename Team>
__device__ inline unsigned choose(size_t row_bytes, Part<Team> *part, const uint8_t *row,
                                  const uint8_t *above, unsigned filters)
{
    const unsigned allowed = allowed_of(filters, above == nullptr);
    if ((allowed & (allowed - 1)) == 0)
        return (unsigned)__ffs((int)allowed) - 1;
    return choose_best<PIXEL>(row_bytes, part, row, above, allowed);
}

/* --- Filtering -------------------------------------------------------------------------------- */

/* Returns true if `choose` has loaded the whole row: there is more than one candidate, and the row
 * is not longer than a segment. */
template <typename Team>
__device__ inline bool is_loaded(size_t row_bytes, unsigned filters, const uint8_t *above)
{
    const unsigned allowed = allowed_of(filters, above == nullptr);
    /* A thread block loads its row again, because the distinction takes registers. */
    return Team::LANES == 32 && (allowed & (allowed - 1)) != 0 && row_bytes <= Team::SEGMENT;
}

/* Filters a segment, after loading it if it is not loaded. Adds the segment's sums for the Adler-32
 * to `bytes` and `weighted`; weights count from the row's end (1 for the last byte). Within a
 * segment these sums fit 32 bits. Called by all threads. Afterwards they may read the filtered
 * bytes and one word after them. */
template <int PIXEL, typename Team>
__device__ inline void filter_segment(size_t row_bytes, Part<Team> *part, const uint8_t *row,
                                      const uint8_t *above, bool loaded, size_t from,
                                      unsigned filter, uint64_t *bytes, uint64_t *weighted)
{
    const int count = bytes_of_segment<Team>(from, row_bytes);
    uint32_t all = 0, falling = 0;
    Team::sync();
    if (!loaded)
        load(part, row, above, from, row_bytes);
    if (Team::lane() == 0)
        /* This word is read later, but the loop below does not write it. */
        part->filtered[(count + 3) / 4] = 0;
    Team::sync();
    for (int i = Team::lane(); 4 * i < count; i += Team::LANES) {
        uint32_t word = apply(filter, around<PIXEL>(*part, i)) & mask_of(i, count);
        uint32_t sum = __dp4a(word, ONES, 0u);
        all += sum;
        falling += __dp4a(word, 0x03020100u, 4 * (uint32_t)i * sum);
        part->filtered[i] = word;
    }
    *bytes += all;
    *weighted += (uint64_t)all * (row_bytes - from) - falling;
    Team::sync();
}

} // namespace filter_row

#endif
