/* Filters samples (groups of rows) of the strips that LZ77 may make smaller, as
 * img_strip_filter_sample (io/png/encode/strip.c) does; each thread block filters one row. Then
 * measures the size of these samples with run-length encoding. Also filters the windows of strips,
 * from which their sizes are estimated, and measures pieces of small strips. */
#include "io/png/cuda/encode/encode_block.cuh"
#include "io/png/cuda/encode/encode_decide.cuh"
#include "io/png/cuda/encode/encode_launch.cuh"
#include "io/png/cuda/encode/filter_row.cuh"

using Team = filter_row::BlockTeam;

/* --- A row of a window ------------------------------------------------------------------------ */

/* One thread block filters a row of a window, as img_strip_filter_window does. */
template <int PIXEL>
__device__ inline void write_window_row(filter_row::Part<Team> *part, const ImgWindow &window,
                                        const uint8_t *row, const uint8_t *above, unsigned filter,
                                        uint8_t *out)
{
    uint64_t not_used[2] = {0, 0};
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(part->filtered);
    if (threadIdx.x == 0)
        out[0] = (uint8_t)filter;
    for (size_t from = 0; from < window.bytes; from += Team::SEGMENT) {
        const int count = filter_row::bytes_of_segment<Team>(from, window.bytes);
        filter_row::filter_segment<PIXEL>(window.bytes, part, row, above, false, from, filter,
                                          not_used, not_used + 1);
        for (int i = (int)threadIdx.x; i < count; i += filter_row::THREADS)
            out[1 + from + (size_t)i] = bytes[i];
    }
}

/* Filters row blockIdx.y of the window, if the window has this row. The thread block of the first
 * row also clears the bytes after the window. */
template <int PIXEL>
__device__ inline void filter_window_row(const EncodeJob &job, filter_row::Part<Team> *part,
                                         uint32_t strip, const ImgWindow &window, unsigned filters,
                                         uint8_t *out)
{
    const int32_t number = (int32_t)blockIdx.y, y = window.from + number;
    if (number >= window.rows)
        return;
    const uint8_t *row = job.rows + (size_t)y * job.stride + window.offset;
    const uint8_t *above = y == encode_first_row(&job, strip) ? nullptr : row - job.stride;
    const unsigned filter = filter_row::choose<PIXEL>(window.bytes, part, row, above, filters);
    write_window_row<PIXEL>(part, window, row, above, filter,
                            out + (size_t)number * (1 + window.bytes));
    if (number == 0 && threadIdx.x < ENCODE_WINDOW_ROOM - IMG_WINDOW_MOST)
        out[encode_window_size(&window) + threadIdx.x] = 0;
}

/* --- Samples ---------------------------------------------------------------------------------- */

namespace
{

/* Prepares sample `number` of a strip (some of its rows, see encode_job.h) as a unit, an input of
 * the match finder. Called by all threads of a block. */
__device__ void begin_unit(const EncodeJob &job, uint32_t strip, uint32_t number, uint32_t size)
{
    const uint32_t place = strip * ENCODE_SAMPLES_FOR_MATCHES + number;
    for (uint32_t i = threadIdx.x; i < 256; i += blockDim.x)
        job.sampled.literals[256 * place + i] = 0;
    if (threadIdx.x > 0)
        return;
    MatchUnit unit = encode_unit(&job, strip);
    unit.data = encode_sample_data(&job, strip, number);
    unit.size = size;
    unit.first_segment += number * ENCODE_SAMPLE_SEGMENTS;
    unit.first_block += number * ENCODE_SAMPLE_BLOCKS;
    job.sampled.units[place] = unit;
}

/* Filters row blockIdx.y of sample blockIdx.x; the samples of all strips are counted. */
template <int PIXEL, typename Jobs>
__global__ void __launch_bounds__(filter_row::THREADS) samples_kernel(Jobs jobs)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(filter_row::Part<Team>, part, [1]);
    const EncodeJob &job = jobs.get();
    const uint32_t samples = encode_samples(&job);
    const uint32_t strip = blockIdx.x / samples, number = blockIdx.x % samples;
    if (job.matches.count == 0 || strip >= job.strips.count)
        return;
    const EncodeAdvice advice = job.advice[strip];
    const uint32_t filters = decide::sample_filters(job, advice, number);
    const ImgWindow window = encode_sample(&job, strip);
    const bool wanted = advice.matches != 0 && filters != 0;
    if (blockIdx.y == 0 && number < ENCODE_SAMPLES_FOR_MATCHES)
        begin_unit(job, strip, number, wanted ? encode_window_size(&window) : 0);
    if (wanted)
        filter_window_row<PIXEL>(job, part, strip, window, filters,
                                 encode_sample_data(&job, strip, number));
}

using Runs = BlockScratch<IMG_SAMPLE_OF_VALUES / 32>;

template <typename Jobs> __global__ void __launch_bounds__(THREADS) runs_kernel(Jobs jobs)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(Runs, work, [1]);
    const EncodeJob &job = jobs.get();
    const uint32_t strip = blockIdx.x;
    if (strip >= job.strips.count || job.advice[strip].matches == 0)
        return;
    const ImgWindow window = encode_sample(&job, strip);
    const uint8_t *data = encode_sample_data(&job, strip, encode_sample_of_runs(&job));
    const uint32_t runs = measure_runs(data, encode_window_size(&window), job.sample_step, work);
    if (threadIdx.x == 0)
        job.sample_runs[strip] = runs;
}

} // namespace

void img_encode_samples(const EncodeBatch *batch, void *stream)
{
    const dim3 strips(batch->strips, 1, batch->count);
    with_pixels(batch, [&](auto pixel, auto jobs, uint32_t count) {
        const dim3 grid(batch->samples, batch->sample_rows, count);
        IMG_LAUNCH((samples_kernel<decltype(pixel)::value, decltype(jobs)>), grid,
                   filter_row::THREADS, 0, stream, jobs);
    });
    with_jobs(batch, [&](auto jobs) {
        IMG_LAUNCH_EARLY(runs_kernel<decltype(jobs)>, strips, THREADS, 0, stream, jobs);
    });
}

/* --- Pieces of small strips ------------------------------------------------------------------- */

namespace
{

using Probed = BlockScratch<IMG_SMALL_PIECE_MOST / 32>;

/* Prepares the piece of a small strip as a unit of the match finder, and measures it by runs. The
 * piece lies in the filtered rows. Each thread block processes one strip. */
template <typename Jobs> __global__ void __launch_bounds__(THREADS) probe_kernel(Jobs jobs)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(Probed, work, [1]);
    const EncodeJob &job = jobs.get();
    const uint32_t strip = blockIdx.x;
    if (strip >= job.probes.count)
        return;
    const bool is_small = encode_is_small(&job, strip);
    const MatchUnit unit = encode_probe(&job, strip);
    for (uint32_t i = threadIdx.x; i < 256; i += THREADS)
        job.probes.literals[256 * strip + i] = 0;
    if (threadIdx.x == 0)
        job.probes.units[strip] = unit;
    if (!is_small)
        return;
    const uint32_t runs = measure_runs(unit.data, unit.size, job.sample_step, work);
    if (threadIdx.x == 0)
        job.probe_runs[strip] = runs;
}

} // namespace

void img_encode_probe(const EncodeBatch *batch, void *stream)
{
    const dim3 grid(batch->probes.units, 1, batch->count);
    with_jobs(batch, [&](auto jobs) {
        IMG_LAUNCH(probe_kernel<decltype(jobs)>, grid, THREADS, 0, stream, jobs);
    });
}

/* --- Windows ---------------------------------------------------------------------------------- */

/* Filters the windows of a strip (io/png/encode/estimate_rule.h), as img_strip_filter_window in
 * io/png/encode/strip.c does. Each thread block filters one row in one of job->filterings ways:
 * with Paeth, or with the filters of the level. */
namespace
{

template <int PIXEL, typename Jobs>
__global__ void __launch_bounds__(filter_row::THREADS) windows_kernel(Jobs jobs)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(filter_row::Part<Team>, part, [1]);
    const EncodeJob &job = jobs.get();
    if (blockIdx.x >= encode_filtered_windows(&job))
        return;
    const uint32_t number = blockIdx.x / job.filterings, filtering = blockIdx.x % job.filterings;
    const uint32_t strip = number / IMG_WINDOWS;
    const ImgWindow window = encode_window(&job, strip, number % IMG_WINDOWS);
    if (encode_strip_bytes(&job, strip) <= job.probed)
        return;
    const unsigned filters = filtering > 0 ? job.filters : 1u << IMG_FILTER_PAETH;
    filter_window_row<PIXEL>(job, part, strip, window, filters,
                             encode_window_data(&job, number, filtering));
}

} // namespace

void img_encode_windows(const EncodeBatch *batch, void *stream)
{
    with_pixels(batch, [&](auto pixel, auto jobs, uint32_t count) {
        const dim3 grid(batch->windows, batch->window_rows, count);
        IMG_LAUNCH_EARLY((windows_kernel<decltype(pixel)::value, decltype(jobs)>), grid,
                         filter_row::THREADS, 0, stream, jobs);
    });
}
