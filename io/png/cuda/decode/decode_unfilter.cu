/* Reverses the filters of rows (PNG specification, third edition, section 9) as a wavefront. A
 * thread block processes a band of rows, a warp one channel of the band, a lane one row. The work
 * on each row lags two pixels behind the row above. Other warps of the thread block move the bytes
 * to and from shared memory.
 *
 * A band passes its last row to the next band as carry words in device memory. The writer marks
 * each 16-bit half of a word, so that the reader needs no fence. A band whose first row does not
 * refer to the row above does not wait. Rows are divided so that many bands start with such a row.
 *
 * Thread blocks claim bands in order from a counter, so that a thread block waits only for bands
 * that already run. */
#include "io/png/cuda/decode/decode_jobs.cuh"
#include "io/png/cuda/decode/unfilter_walk.cuh"

using namespace unfilter;

namespace
{

/* --- Bands ------------------------------------------------------------------------------------ */

/* Number of rows that are examined at a time when rows are divided into bands. */
constexpr uint32_t LOOKED_AT = 4096;
constexpr uint32_t CUT_THREADS = 1024;

/* Returns true if the filter of row `row` uses the row above. Returns false for unknown filter
 * types. */
__device__ bool refers_up(const DecodeJob &job, uint32_t row)
{
    uint32_t filter = job.bytes[place_of_row(job, row) - 1];
    return filter > IMG_FILTER_SUB && filter < IMG_FILTERS;
}

/* Returns the number of rows of the band that starts at the row of bit `first`; `left` rows of the
 * picture remain. Bit i of `free_rows` is set if row i does not refer to the row above. If any of
 * the DECODE_BAND_ROWS rows after row `first` does not refer to the row above, the band ends before
 * the last such row: the next band then need not wait. */
__device__ uint32_t rows_of_band(const uint32_t *free_rows, uint32_t first, uint32_t left)
{
    if (left <= DECODE_BAND_ROWS)
        return left;
    uint32_t next = first + 1;
    uint32_t ahead = __funnelshift_r(free_rows[next / 32], free_rows[next / 32 + 1], next % 32);
    return ahead == 0 ? DECODE_BAND_ROWS : 32 - (uint32_t)__clz((int)ahead);
}
static_assert(DECODE_BAND_ROWS == 32, "a word has a bit for each row");

/* Divides the rows into bands. Runs in one thread block. First computes for each row the number of
 * rows of a band that starts there, then steps from band to band. */
template <typename Jobs> __global__ void __launch_bounds__(CUT_THREADS) bands_kernel(Jobs jobs)
{
    const DecodeJob job = jobs.get();
    IMG_SHARED(uint32_t, free_rows, [LOOKED_AT / 32 + 2]);
    IMG_SHARED(uint8_t, rows, [LOOKED_AT]);
    IMG_SHARED(uint32_t, reached, [1]);
    uint32_t bands = 0, start = 0;
    if (decode_has_failed(job))
        return;
    while (start < job.height) {
        uint32_t left = job.height - start;
        for (uint32_t i = threadIdx.x; i / 32 < LOOKED_AT / 32 + 2; i += CUT_THREADS) {
            uint32_t word = __ballot_sync(ALL, i < left && !refers_up(job, start + i));
            if (i % 32 == 0)
                free_rows[i / 32] = word;
        }
        __syncthreads();
        for (uint32_t i = threadIdx.x; i < LOOKED_AT; i += CUT_THREADS)
            rows[i] = i < left ? (uint8_t)rows_of_band(free_rows, i, left - i) : 0;
        __syncthreads();
        if (threadIdx.x == 0) {
            uint32_t at = 0;
            for (uint32_t size; at < LOOKED_AT && at < left; at += size) {
                size = rows[at];
                bool free_after =
                    at + size == left || free_rows[(at + size) / 32] >> (at + size) % 32 & 1;
                bool free_here = start + at == 0 || free_rows[at / 32] >> at % 32 & 1;
                job.bands[bands++] = {start + at, (uint16_t)size, !free_here, !free_after};
            }
            reached[0] = start + at;
        }
        __syncthreads();
        start = reached[0];
    }
    if (threadIdx.x == 0)
        job.counters->bands = bands;
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* Returns where the bytes of unfiltered rows go. Samples of fewer than 8 bits are still packed at
 * this stage. They are stored in the memory of the cells, which are no longer needed, and
 * expand_kernel moves them to the picture. */
__device__ Target target_of(const DecodeJob &job)
{
    if (job.bits < 8)
        return {(uint8_t *)job.cells, job.row_bytes, 0};
    return {job.pixels, job.stride, job.bits == 16 ? 1u : 0u};
}

/* Unfilters bands of rows. While one tile is unfiltered, the next tile is loaded and the previous
 * tile is stored. */
template <int PIXEL, typename Jobs>
__global__ void __launch_bounds__(32 * (PIXEL + Mover<PIXEL>::WARPS),
                                  16 / (PIXEL + Mover<PIXEL>::WARPS)) unfilter_kernel(Jobs jobs)
{
    const DecodeJob job = jobs.get();
    const Target target = target_of(job);
    typedef Tile<PIXEL> Rows;
    IMG_SHARED(Rows, source, [2]);
    IMG_SHARED(Rows, result, [2]);
    IMG_SHARED(uint32_t, ticket, [1]);
    /* Only one thread reads the failure flag, because another thread block may set it meanwhile. */
    if (threadIdx.x == 0)
        ticket[0] = decode_has_failed(job) ? DECODE_NOWHERE : atomicAdd(&job.counters->band, 1u);
    __syncthreads();
    uint32_t place = __shfl_sync(ALL, ticket[0], 0);
    if (place >= __shfl_sync(ALL, job.counters->bands, 0))
        return;
    Band band = job.bands[place];
    /* The shuffle shows the compiler that all lanes have the same value. */
    uint32_t warp = __shfl_sync(ALL, threadIdx.x / 32, 0);
    bool walks = warp < PIXEL;
    uint32_t steps = decode_carry_pixels(job.row_bytes, PIXEL) + BEHIND * (band.rows - 1u);
    uint32_t tiles = __shfl_sync(ALL, (steps - 1) / Rows::STEPS + 1, 0),
             thread = threadIdx.x - 32 * PIXEL;
    Walker<PIXEL> walker;
    Mover<PIXEL> mover;
    if (walks) {
        walker.start(job, band, target, warp);
    } else {
        mover.place(thread);
        mover.load(job, band, 0);
        mover.put(job, band, 0, source[0]);
        mover.load(job, band, 1);
    }
    __syncthreads();
    for (uint32_t i = 0; i <= tiles; i++) {
        if (walks && i < tiles)
            walker.walk(job, i, source[i % 2], result[i % 2]);
        if (!walks) {
            mover.put(job, band, i + 1, source[(i + 1) % 2]);
            mover.load(job, band, i + 2);
        }
        if (!walks && i > 0) {
            mover.give(job, band, target, i - 1, result[(i - 1) % 2]);
            if (thread < band.rows)
                mover.give_ends(job, band, target, i - 1, result[(i - 1) % 2], thread);
        }
        __syncthreads();
    }
}

constexpr int EXPAND_THREADS = 256;

/* Expands samples of fewer than 8 bits to one byte each. Each thread processes one column of
 * samples. */
template <typename Jobs> __global__ void __launch_bounds__(EXPAND_THREADS) expand_kernel(Jobs jobs)
{
    const DecodeJob job = jobs.get();
    const Target packed = target_of(job);
    uint32_t x = blockIdx.x * EXPAND_THREADS + threadIdx.x, in_byte = 8 / job.bits;
    if (job.bits >= 8 || x >= job.samples || decode_has_failed(job))
        return;
    uint32_t shift = 8 - job.bits * (x % in_byte + 1), mask = (1u << job.bits) - 1;
    for (uint32_t y = blockIdx.z; y < job.height; y += gridDim.z)
        job.pixels[y * job.stride + x] =
            (uint8_t)(packed.rows[y * packed.stride + x / in_byte] >> shift & mask);
}

/* Launches unfilter_kernel for `count` files, each of which gets one row of the grid. `bands` is
 * the largest number of bands of a file. */
template <int PIXEL, typename Jobs>
void launch_unfilter(const Jobs &jobs, uint32_t bands, uint32_t count, void *stream)
{
    Jobs copy = jobs;
    IMG_LAUNCH((unfilter_kernel<PIXEL, Jobs>), dim3(bands, count),
               32 * (PIXEL + Mover<PIXEL>::WARPS), 0, stream, copy);
}

/* Launches unfilter_kernel for `count` files whose pixels have `pixel` bytes (DecodeJob.pixel). */
template <typename Jobs>
void unfilter_all(const Jobs &jobs, uint32_t pixel, uint32_t bands, uint32_t count, void *stream)
{
    switch (pixel) {
    case 1:
        return launch_unfilter<1>(jobs, bands, count, stream);
    case 2:
        return launch_unfilter<2>(jobs, bands, count, stream);
    case 3:
        return launch_unfilter<3>(jobs, bands, count, stream);
    case 4:
        return launch_unfilter<4>(jobs, bands, count, stream);
    case 6:
        return launch_unfilter<6>(jobs, bands, count, stream);
    default:
        return launch_unfilter<8>(jobs, bands, count, stream);
    }
}

/* Launches expand_kernel for `count` files with up to `height` rows of up to `samples` samples. */
template <typename Jobs>
void expand_all(const Jobs &jobs, uint32_t samples, uint32_t height, uint32_t count, void *stream)
{
    Jobs copy = jobs;
    dim3 grid((samples + EXPAND_THREADS - 1) / EXPAND_THREADS, count,
              height < 1024 ? height : 1024);
    IMG_LAUNCH(expand_kernel<Jobs>, grid, EXPAND_THREADS, 0, stream, copy);
}

} // namespace

void img_decode_unfilter(const DecodeJob *job, void *stream)
{
    OneJob one = {*job};
    IMG_LAUNCH(bands_kernel<OneJob>, 1, CUT_THREADS, 0, stream, one);
    unfilter_all(one, job->pixel, job->band_places, 1, stream);
    if (job->bits < 8)
        expand_all(one, job->samples, job->height, 1, stream);
}

void img_decode_unfilter_many(const DecodeBatch *batch, void *stream)
{
    IMG_LAUNCH(bands_kernel<ManyJobs>, dim3(1, batch->count), CUT_THREADS, 0, stream,
               ManyJobs{batch->jobs});
    uint32_t first = 0;
    for (uint32_t pixel = 1; pixel <= DECODE_PIXEL_MOST; pixel++) {
        uint32_t count = batch->of_pixel[pixel];
        if (count > 0)
            unfilter_all(ManyJobs{batch->jobs + first}, pixel, batch->bands, count, stream);
        first += count;
    }
    /* The files to expand are among those with pixels of one byte, which come first in the batch.
     * The kernel skips the others. */
    if (batch->packed_samples > 0)
        expand_all(ManyJobs{batch->jobs}, batch->packed_samples, batch->packed_rows,
                   batch->of_pixel[1], stream);
}
