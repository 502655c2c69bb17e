/* What becomes of each strip, and its rows filtered: the filter of each by the least sum of
 * absolute values, as img_png_filter_best chooses it (PNG specification, third edition, 12.7). A
 * block per row; rows go by in segments, twice: for the sums, if there is a choice, then for the
 * bytes. */
#include "io/png/cuda/encode/encode_kernels.h"
#include "io/png/cuda/encode/filter_row.cuh"

namespace
{

using namespace filter_row;

constexpr uint32_t ADLER_MODULUS = 65521;
/* Blocks that a multiprocessor has room for: of registers there are a few less for each thread than
 * nvcc would take. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int BLOCKS = 1024 / THREADS;
#else
constexpr int BLOCKS = 1536 / THREADS;
#endif
constexpr uint32_t PAETH = 1u << IMG_FILTER_PAETH;

struct Shared {
    Part part;
    uint64_t adler[2];
};

/* --- Deciding --------------------------------------------------------------------------------- */

/* As img_strip_estimate in io/png/encode/strip_estimate.c: the filters to choose from, 0 if matches
 * may pay. */
__device__ uint32_t filters_by_estimate(const EncodeJob &job, uint32_t strip)
{
    const ImgWindow window = encode_window(&job, strip, 0);
    const uint32_t bytes = IMG_WINDOWS * encode_window_size(&window);
    uint32_t runs = 0, by_paeth = 0, saved = 0;
    for (uint32_t i = 0; i < IMG_WINDOWS; i++) {
        const EncodeEstimate &estimate = job.estimates[strip * IMG_WINDOWS + i];
        by_paeth += estimate.runs[0];
        runs += estimate.runs[job.ways - 1];
        saved += estimate.saved;
    }
    if (img_estimate_pays(saved, by_paeth, bytes))
        return 0;
    return job.ways > 1 && !img_estimate_is_for_paeth(by_paeth, runs) ? job.filters : PAETH;
}

__device__ uint32_t filters_of(const EncodeJob &job, uint32_t strip)
{
    if (encode_strip_bytes(&job, strip) <= job.small)
        return 0;
    return job.ways > 0 ? filters_by_estimate(job, strip) : job.filters;
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

/* Sums of the row go to shared->adler. */
template <int PIXEL>
__device__ void write(const EncodeJob &job, Shared *shared, const uint8_t *row,
                      const uint8_t *above, unsigned filter, uint8_t *out)
{
    uint64_t bytes = 0, weighted = 0;
    if (threadIdx.x < 2)
        shared->adler[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        out[0] = (uint8_t)filter;
        bytes = filter;
        weighted = filter * (uint64_t)(1 + job.row_bytes);
    }
    for (size_t from = 0; from < job.row_bytes; from += SEGMENT) {
        filter_segment<PIXEL>(job.row_bytes, &shared->part, row, above, from, filter, &bytes,
                              &weighted);
        store(shared->part.filtered, bytes_of_segment(from, job.row_bytes), out + 1 + from);
    }
    bytes = warp_sum(bytes);
    weighted = warp_sum(weighted);
    if (threadIdx.x % 32 == 0) {
        atomicAdd((unsigned long long *)shared->adler, (unsigned long long)bytes);
        atomicAdd((unsigned long long *)shared->adler + 1, (unsigned long long)weighted);
    }
    __syncthreads();
}

/* --- Kernel ----------------------------------------------------------------------------------- */

/* What is read behind a strip, and not used, lies in the next one or behind the last row. */
__device__ void write_tails(const EncodeJob &job, bool is_first, bool is_handed, int32_t y,
                            uint8_t *out)
{
    if (threadIdx.x >= ENCODE_TAIL)
        return;
    if (is_first && is_handed)
        out[threadIdx.x] = 0;
    if (y + 1 == job.height)
        out[1 + job.row_bytes + threadIdx.x] = 0;
}

template <int PIXEL> __global__ void __launch_bounds__(THREADS, BLOCKS) filter_kernel(EncodeJob job)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(Shared, shared, [1]);
    const int32_t y = (int32_t)blockIdx.x;
    const uint32_t strip = encode_strip_of_row(&job, y), filters = filters_of(job, strip);
    const bool is_first = y == encode_first_row(&job, strip);
    const uint8_t *row = job.rows + (size_t)y * job.stride;
    const uint8_t *above = is_first ? nullptr : row - job.stride;
    uint8_t *out = job.filtered + (size_t)y * (1 + job.row_bytes);
    if (is_first && threadIdx.x == 0)
        job.strip_filters[strip] = filters;
    write_tails(job, is_first, filters == 0, y, out);
    if (filters == 0)
        return;
    unsigned filter = choose<PIXEL>(job.row_bytes, &shared->part, row, above, filters);
    write<PIXEL>(job, shared, row, above, filter, out);
    if (threadIdx.x == 0)
        job.row_sums[y] = {(uint32_t)(shared->adler[0] % ADLER_MODULUS),
                           (uint32_t)(shared->adler[1] % ADLER_MODULUS)};
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
    IMG_LAUNCH_EARLY(kernel, (unsigned)job->height, THREADS, 0, stream, *job);
}
