/* The filter of each row by the least sum of absolute values, as img_png_filter_best chooses it
 * (PNG specification, third edition, 12.7), and the row filtered. A block per row; long rows go by
 * in segments, twice: for the sums, then for the bytes. */
#include "io/png/cuda/encode/cooperation.cuh"
#include "io/png/cuda/encode/encode_kernels.h"
#include "io/png/filter/filter_type.h"

namespace
{

constexpr int THREADS = 256;
constexpr int SEGMENT = 4096, HALO = 8; /* a pixel has 8 bytes at the most */
constexpr uint32_t ADLER_MODULUS = 65521;
constexpr unsigned LEFT_ONLY = 1u << IMG_FILTER_NONE | 1u << IMG_FILTER_SUB;

/* A byte and those around it. */
struct Around {
    int here, left, above, corner;
};

/* Part of a row and of the one above it, with the bytes to their left. */
struct Window {
    uint8_t *here, *above; /* HALO + SEGMENT */
};

__device__ Around around(const Window &window, int i, int pixel)
{
    return {window.here[HALO + i], window.here[HALO + i - pixel], window.above[HALO + i],
            window.above[HALO + i - pixel]};
}

__device__ int paeth(const Around &a)
{
    int from_left = abs(a.above - a.corner), from_above = abs(a.left - a.corner);
    int from_corner = abs(a.left + a.above - 2 * a.corner);
    if (from_left <= from_above && from_left <= from_corner)
        return a.left;
    return from_above <= from_corner ? a.above : a.corner;
}

__device__ uint8_t filtered(unsigned filter, const Around &a)
{
    int guess = filter == IMG_FILTER_SUB       ? a.left
                : filter == IMG_FILTER_UP      ? a.above
                : filter == IMG_FILTER_AVERAGE ? (a.left + a.above) >> 1
                : filter == IMG_FILTER_PAETH   ? paeth(a)
                                               : 0;
    return (uint8_t)(a.here - guess);
}

__device__ uint32_t absolute(uint8_t byte)
{
    return byte < 128 ? byte : 256u - byte;
}

/* Bytes `from` - HALO to `from` + SEGMENT of the row; zeros to the left of it, and above the first
 * row of a strip. */
__device__ void load(const Window &window, const uint8_t *row, const uint8_t *above, size_t from,
                     size_t bytes)
{
    for (int i = (int)threadIdx.x; i < HALO + SEGMENT; i += THREADS) {
        bool outside = from + (size_t)i < HALO || from + (size_t)i - HALO >= bytes;
        size_t at = from + (size_t)i - HALO;
        window.here[i] = outside ? 0 : row[at];
        window.above[i] = outside || above == nullptr ? 0 : above[at];
    }
}

__device__ void sum_segment(const Window &window, int count, int pixel, uint32_t (&sums)[5])
{
    for (int i = (int)threadIdx.x; i < count; i += THREADS) {
        Around a = around(window, i, pixel);
        sums[IMG_FILTER_NONE] += absolute((uint8_t)a.here);
        sums[IMG_FILTER_SUB] += absolute((uint8_t)(a.here - a.left));
        sums[IMG_FILTER_UP] += absolute((uint8_t)(a.here - a.above));
        sums[IMG_FILTER_AVERAGE] += absolute((uint8_t)(a.here - ((a.left + a.above) >> 1)));
        sums[IMG_FILTER_PAETH] += absolute((uint8_t)(a.here - paeth(a)));
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

__device__ int segment_bytes(size_t from, size_t bytes)
{
    return (int)(bytes - from < SEGMENT ? bytes - from : SEGMENT);
}

__device__ unsigned choose(const EncodeJob &job, const Window &window, const uint8_t *row,
                           const uint8_t *above, unsigned allowed, uint32_t *all)
{
    uint32_t sums[IMG_FILTERS] = {0, 0, 0, 0, 0};
    if (threadIdx.x < IMG_FILTERS)
        all[threadIdx.x] = 0;
    for (size_t from = 0; from < job.row_bytes; from += SEGMENT) {
        __syncthreads();
        load(window, row, above, from, job.row_bytes);
        __syncthreads();
        sum_segment(window, segment_bytes(from, job.row_bytes), (int)job.pixel, sums);
    }
    for (int filter = 0; filter < IMG_FILTERS; filter++) {
        uint32_t sum = warp_sum(sums[filter]);
        if (threadIdx.x % 32 == 0)
            atomicAdd(all + filter, sum);
    }
    __syncthreads();
    return best_of(allowed, all);
}

/* Bytes are counted from the row's end: the last counts once. */
__device__ void add_byte(EncodeRowSums *sums, uint64_t *weighted, uint8_t byte, size_t from_end)
{
    sums->bytes += byte;
    *weighted += byte * (uint64_t)from_end;
}

__device__ void write(const EncodeJob &job, const Window &window, const uint8_t *row,
                      const uint8_t *above, unsigned filter, uint8_t *out, uint64_t *all)
{
    EncodeRowSums sums = {0, 0};
    uint64_t weighted = 0;
    if (threadIdx.x < 2)
        all[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        out[0] = (uint8_t)filter;
        add_byte(&sums, &weighted, (uint8_t)filter, 1 + job.row_bytes);
    }
    for (size_t from = 0; from < job.row_bytes; from += SEGMENT) {
        __syncthreads();
        load(window, row, above, from, job.row_bytes);
        __syncthreads();
        int count = segment_bytes(from, job.row_bytes);
        for (int i = (int)threadIdx.x; i < count; i += THREADS) {
            uint8_t byte = filtered(filter, around(window, i, (int)job.pixel));
            out[1 + from + (size_t)i] = byte;
            add_byte(&sums, &weighted, byte, job.row_bytes - from - (size_t)i);
        }
    }
    uint64_t bytes = warp_sum((uint64_t)sums.bytes);
    weighted = warp_sum(weighted);
    if (threadIdx.x % 32 == 0) {
        atomicAdd((unsigned long long *)all, (unsigned long long)bytes);
        atomicAdd((unsigned long long *)all + 1, (unsigned long long)weighted);
    }
    __syncthreads();
}

__device__ bool begins_strip(const EncodeJob &job, int32_t y)
{
    return y == 0 ||
           (y >= job.strips.first_rows && (y - job.strips.first_rows) % job.strips.rows == 0);
}

__global__ void __launch_bounds__(THREADS) filter_kernel(EncodeJob job)
{
    IMG_SHARED(uint8_t, here, [HALO + SEGMENT]);
    IMG_SHARED(uint8_t, over, [HALO + SEGMENT]);
    IMG_SHARED(uint32_t, sums, [IMG_FILTERS]);
    IMG_SHARED(uint64_t, adler, [2]);
    const Window window = {here, over};
    int32_t y = (int32_t)blockIdx.x;
    const uint8_t *row = job.rows + (size_t)y * job.stride, *above = row - job.stride;
    unsigned allowed = job.filters;
    if (begins_strip(job, y)) {
        above = nullptr;
        allowed = (allowed & LEFT_ONLY) != 0 ? allowed & LEFT_ONLY : 1u << IMG_FILTER_SUB;
    }
    unsigned filter = (allowed & (allowed - 1)) == 0
                          ? (unsigned)__ffs((int)allowed) - 1
                          : choose(job, window, row, above, allowed, sums);
    write(job, window, row, above, filter, job.filtered + (size_t)y * (1 + job.row_bytes), adler);
    if (threadIdx.x == 0)
        job.row_sums[y] = {(uint32_t)(adler[0] % ADLER_MODULUS),
                           (uint32_t)(adler[1] % ADLER_MODULUS)};
}

} // namespace

void img_encode_filter(const EncodeJob *job, void *stream)
{
    IMG_LAUNCH(filter_kernel, (unsigned)job->height, THREADS, 0, stream, *job);
}
