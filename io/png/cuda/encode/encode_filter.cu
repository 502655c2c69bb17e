/* The filter of each row by the least sum of absolute values, as img_png_filter_best chooses it
 * (PNG specification, third edition, 12.7), and the row filtered. A block per row; rows go by in
 * segments, twice: for the sums, then for the bytes. */
#include "io/png/cuda/cooperation.cuh"
#include "io/png/cuda/encode/encode_kernels.h"
#include "io/png/cuda/encode/filter_words.cuh"

namespace
{

using namespace filter_words;

constexpr int THREADS = 256;
constexpr int SEGMENT = 4096, WORDS = SEGMENT / 4;
constexpr int HALO = 2; /* words: a pixel has 8 bytes at the most */
constexpr uint32_t ADLER_MODULUS = 65521;
constexpr unsigned LEFT_ONLY = 1u << IMG_FILTER_NONE | 1u << IMG_FILTER_SUB;

/* Part of a row and of the one above it, with the bytes to their left. */
struct Window {
    uint32_t here[HALO + WORDS], above[HALO + WORDS];
    uint32_t filtered[WORDS + 1];
    uint32_t sums[IMG_FILTERS];
    uint64_t adler[2];
};

/* --- Loading ---------------------------------------------------------------------------------- */

/* Bytes `at` to `at` + 3 of a row, zeros outside of it. Words are read where they are aligned, if
 * nothing but the row is read. */
__device__ uint32_t load_word(const uint8_t *row, int64_t at, int64_t bytes)
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

/* Of a row, `words` words from HALO before byte `from` on. */
__device__ void load_row(const uint8_t *row, size_t from, size_t bytes, int words, uint32_t *to)
{
    const int64_t start = (int64_t)from - 4 * HALO;
    const unsigned shift = (unsigned)((uintptr_t)(row + start) & 3);
    const uint32_t *aligned = reinterpret_cast<const uint32_t *>(row + start - shift);
    /* Words `first` to `end` are read from where both halves are of the row. */
    const int first = from == 0 ? HALO + (shift > 0) : 0;
    const int64_t whole = ((int64_t)bytes - start) / 4 - 1;
    const int end = whole < words ? (int)whole : words;
    for (int i = (int)threadIdx.x; i < words; i += THREADS)
        to[i] = i >= first && i < end ? __funnelshift_r(aligned[i], aligned[i + 1], 8 * shift)
                                      : load_word(row, start + 4 * (int64_t)i, (int64_t)bytes);
}

/* Above the first row of a strip are zeros. */
__device__ void load(Window *window, const uint8_t *row, const uint8_t *above, size_t from,
                     size_t bytes)
{
    const int words = HALO + (int)(bytes - from < SEGMENT ? (bytes - from + 3) / 4 : WORDS);
    load_row(row, from, bytes, words, window->here);
    if (above != nullptr)
        load_row(above, from, bytes, words, window->above);
    else
        for (int i = (int)threadIdx.x; i < words; i += THREADS)
            window->above[i] = 0;
}

template <int PIXEL> __device__ uint32_t left_of(const uint32_t *words, int i)
{
    constexpr int BACK = (PIXEL + 3) / 4, SHIFT = 8 * (4 * BACK - PIXEL);
    uint32_t first = words[HALO + i - BACK];
    return SHIFT == 0 ? first : __funnelshift_r(first, words[HALO + i - BACK + 1], SHIFT);
}

template <int PIXEL> __device__ Around around(const Window &window, int i)
{
    return {window.here[HALO + i], left_of<PIXEL>(window.here, i), window.above[HALO + i],
            left_of<PIXEL>(window.above, i)};
}

/* Of word `i` the bytes that belong to the row. */
__device__ uint32_t mask_of(int i, int count)
{
    return 4 * i + 4 <= count ? 0xFFFFFFFF : (1u << 8 * (count - 4 * i)) - 1;
}

__device__ int bytes_of_segment(size_t from, size_t bytes)
{
    return (int)(bytes - from < SEGMENT ? bytes - from : SEGMENT);
}

/* --- Choosing --------------------------------------------------------------------------------- */

template <int PIXEL>
__device__ void sum_segment(const Window &window, int count, uint32_t (&sums)[IMG_FILTERS])
{
    for (int i = (int)threadIdx.x; 4 * i < count; i += THREADS) {
        Around a = around<PIXEL>(window, i);
        uint32_t mask = mask_of(i, count);
#pragma unroll
        for (unsigned filter = 0; filter < IMG_FILTERS; filter++)
            sums[filter] = add_absolute(apply(filter, a) & mask, sums[filter]);
    }
}

__device__ unsigned best_of(unsigned allowed, const uint32_t *sums)
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

template <int PIXEL>
__device__ unsigned choose(const EncodeJob &job, Window *window, const uint8_t *row,
                           const uint8_t *above, unsigned allowed)
{
    uint32_t sums[IMG_FILTERS] = {0, 0, 0, 0, 0};
    if (threadIdx.x < IMG_FILTERS)
        window->sums[threadIdx.x] = 0;
    for (size_t from = 0; from < job.row_bytes; from += SEGMENT) {
        __syncthreads();
        load(window, row, above, from, job.row_bytes);
        __syncthreads();
        sum_segment<PIXEL>(*window, bytes_of_segment(from, job.row_bytes), sums);
    }
#pragma unroll
    for (int filter = 0; filter < IMG_FILTERS; filter++) {
        uint32_t sum = warp_sum(sums[filter]);
        if (threadIdx.x % 32 == 0)
            atomicAdd(window->sums + filter, sum);
    }
    __syncthreads();
    return best_of(allowed, window->sums);
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* `count` bytes to wherever a row begins: words where they are aligned. */
__device__ void store(const uint32_t *words, int count, uint8_t *to)
{
    const int before = (int)(-(uintptr_t)to & 3), whole = count > before ? (count - before) / 4 : 0;
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(words);
    for (int i = (int)threadIdx.x; i < whole; i += THREADS)
        reinterpret_cast<uint32_t *>(to + before)[i] =
            before == 0 ? words[i] : __funnelshift_r(words[i], words[i + 1], 8 * (unsigned)before);
    const int behind = before + 4 * whole;
    if ((int)threadIdx.x < before && (int)threadIdx.x < count)
        to[threadIdx.x] = bytes[threadIdx.x];
    if ((int)threadIdx.x < count - behind)
        to[behind + (int)threadIdx.x] = bytes[behind + (int)threadIdx.x];
}

/* Adler-32 counts bytes from the row's end, the last once: within a segment in 32 bits. */
template <int PIXEL>
__device__ void filter_segment(Window *window, int count, unsigned filter, size_t from_end,
                               uint64_t *bytes, uint64_t *weighted)
{
    uint32_t all = 0, falling = 0;
    for (int i = (int)threadIdx.x; 4 * i < count; i += THREADS) {
        uint32_t word = apply(filter, around<PIXEL>(*window, i)) & mask_of(i, count);
        uint32_t sum = __dp4a(word, ONES, 0u);
        all += sum;
        falling += __dp4a(word, 0x03020100u, 4 * (uint32_t)i * sum);
        window->filtered[i] = word;
    }
    *bytes += all;
    *weighted += (uint64_t)all * from_end - falling;
}

template <int PIXEL>
__device__ void write(const EncodeJob &job, Window *window, const uint8_t *row,
                      const uint8_t *above, unsigned filter, uint8_t *out)
{
    uint64_t bytes = 0, weighted = 0;
    if (threadIdx.x < 2)
        window->adler[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        out[0] = (uint8_t)filter;
        bytes = filter;
        weighted = filter * (uint64_t)(1 + job.row_bytes);
    }
    for (size_t from = 0; from < job.row_bytes; from += SEGMENT) {
        const int count = bytes_of_segment(from, job.row_bytes);
        __syncthreads();
        load(window, row, above, from, job.row_bytes);
        if (threadIdx.x == 0)
            window->filtered[(count + 3) / 4] = 0; /* is read, but not written */
        __syncthreads();
        filter_segment<PIXEL>(window, count, filter, job.row_bytes - from, &bytes, &weighted);
        __syncthreads();
        store(window->filtered, count, out + 1 + from);
    }
    bytes = warp_sum(bytes);
    weighted = warp_sum(weighted);
    if (threadIdx.x % 32 == 0) {
        atomicAdd((unsigned long long *)window->adler, (unsigned long long)bytes);
        atomicAdd((unsigned long long *)window->adler + 1, (unsigned long long)weighted);
    }
    __syncthreads();
}

/* --- Kernel ----------------------------------------------------------------------------------- */

__device__ bool begins_strip(const EncodeJob &job, int32_t y)
{
    int32_t behind = y - job.strips.first_rows;
    return y == 0 || (behind >= 0 && behind % job.strips.rows == 0);
}

template <int PIXEL> __global__ void __launch_bounds__(THREADS) filter_kernel(EncodeJob job)
{
    IMG_SHARED(Window, windows, [1]);
    Window *window = windows;
    const int32_t y = (int32_t)blockIdx.x;
    const uint8_t *row = job.rows + (size_t)y * job.stride, *above = row - job.stride;
    unsigned allowed = job.filters;
    if (begins_strip(job, y)) {
        above = nullptr;
        allowed = (allowed & LEFT_ONLY) != 0 ? allowed & LEFT_ONLY : 1u << IMG_FILTER_SUB;
    }
    unsigned filter = (unsigned)__ffs((int)allowed) - 1;
    if ((allowed & (allowed - 1)) != 0)
        filter = choose<PIXEL>(job, window, row, above, allowed);
    uint8_t *out = job.filtered + (size_t)y * (1 + job.row_bytes);
    write<PIXEL>(job, window, row, above, filter, out);
    if (y + 1 == job.height && threadIdx.x < ENCODE_TAIL)
        out[1 + job.row_bytes + threadIdx.x] = 0;
    if (threadIdx.x == 0)
        job.row_sums[y] = {(uint32_t)(window->adler[0] % ADLER_MODULUS),
                           (uint32_t)(window->adler[1] % ADLER_MODULUS)};
}

} // namespace

void img_encode_filter(const EncodeJob *job, void *stream)
{
    auto *kernel = job->pixel == 1   ? filter_kernel<1>
                   : job->pixel == 2 ? filter_kernel<2>
                   : job->pixel == 3 ? filter_kernel<3>
                   : job->pixel == 4 ? filter_kernel<4>
                   : job->pixel == 6 ? filter_kernel<6>
                                     : filter_kernel<8>;
    IMG_LAUNCH(kernel, (unsigned)job->height, THREADS, 0, stream, *job);
}
