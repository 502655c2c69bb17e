/* Decides the strategies (run-length encoding, LZ77) of each strip of a group, and filters its rows
 * for each strategy. A row gets the filter with the smallest sum of absolute values, as in
 * img_png_filter_best (PNG specification, third edition, 12.7).
 *
 * Each team of threads (filter_row.cuh) filters one row for one strategy, in segments. If there are
 * several candidate filters, it reads the row twice: first for the sums, then for the filtered
 * bytes. */
#include "io/png/cuda/encode/encode_decide.cuh"
#include "io/png/cuda/encode/encode_launch.cuh"
#include "io/png/cuda/encode/filter_row.cuh"

namespace
{

using namespace filter_row;

constexpr uint32_t ADLER_MODULUS = 65521;
/* Least number of thread blocks per multiprocessor. nvcc limits the registers per thread so that
 * this many fit. Without this limit it would use slightly more registers, and fewer thread blocks
 * would run at the same time. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int BLOCKS = 1024 / THREADS;
#else
constexpr int BLOCKS = 1536 / THREADS;
#endif
template <typename Team> struct Shared {
    Part<Team> part;
    uint64_t adler[2];
};

/* --- Writing ---------------------------------------------------------------------------------- */

/* Stores the first `count` bytes of `words` at `to`, the start of a row. Stores whole aligned words
 * where possible. */
template <typename Team> __device__ void store(const uint32_t *words, int count, uint8_t *to)
{
    const int lane = Team::lane();
    const int before = (int)(-(uintptr_t)to & 3), whole = count > before ? (count - before) / 4 : 0;
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(words);
    for (int i = lane; i < whole; i += Team::LANES)
        reinterpret_cast<uint32_t *>(to + before)[i] =
            before == 0 ? words[i] : __funnelshift_r(words[i], words[i + 1], 8 * (unsigned)before);
    const int behind = before + 4 * whole;
    if (lane < before && lane < count)
        to[lane] = bytes[lane];
    if (lane < count - behind)
        to[behind + lane] = bytes[behind + lane];
}

/* Filters the row and writes it to `out`. Stores its sums for the Adler-32 in shared->adler. */
template <int PIXEL, typename Team>
__device__ void write(const EncodeJob &job, Shared<Team> *shared, const uint8_t *row,
                      const uint8_t *above, bool loaded, unsigned filter, uint8_t *out)
{
    uint64_t bytes = 0, weighted = 0;
    if (Team::lane() < 2)
        shared->adler[Team::lane()] = 0;
    if (Team::lane() == 0) {
        out[0] = (uint8_t)filter;
        bytes = filter;
        weighted = filter * (uint64_t)(1 + job.row_bytes);
    }
    for (size_t from = 0; from < job.row_bytes; from += Team::SEGMENT) {
        filter_segment<PIXEL>(job.row_bytes, &shared->part, row, above, loaded, from, filter,
                              &bytes, &weighted);
        store<Team>(shared->part.filtered, bytes_of_segment<Team>(from, job.row_bytes),
                    out + 1 + from);
    }
    bytes = warp_sum(bytes);
    weighted = warp_sum(weighted);
    if (threadIdx.x % 32 == 0) {
        atomicAdd((unsigned long long *)shared->adler, (unsigned long long)bytes);
        atomicAdd((unsigned long long *)shared->adler + 1, (unsigned long long)weighted);
    }
    Team::sync();
}

/* --- Kernel ----------------------------------------------------------------------------------- */

/* Clears bytes that later stages of the strip may load but do not use: ENCODE_HEAD bytes before its
 * first row, ENCODE_TAIL bytes after its last row. */
template <typename Team>
__device__ void write_edges(const EncodeJob &job, uint32_t strip, int32_t y, uint8_t *out)
{
    const int lane = Team::lane();
    const int32_t first = encode_first_row(&job, strip);
    const int32_t last = first + (int32_t)encode_strip_rows(&job, strip) - 1;
    if (y == first && lane < ENCODE_HEAD)
        *(out - 1 - lane) = 0;
#pragma unroll
    for (int i = 0; i < ENCODE_TAIL; i += Team::LANES)
        if (y == last && i + lane < ENCODE_TAIL)
            out[1 + job.row_bytes + i + lane] = 0;
}

/* Stores the candidate filters of a strip, which later stages need. For LZ77 also prepares the
 * strip as a unit (input) of the match finder. */
template <typename Team>
__device__ void record_filters(const EncodeJob &job, uint32_t strip, uint32_t strategy,
                               uint32_t filters)
{
    uint32_t *noted = encode_strip_filters(&job, strip);
    const int lane = Team::lane();
    if (lane == 0)
        noted[strategy] = filters;
    if (lane == 0 && job.matches.count == 0)
        noted[ENCODE_MATCHES] = 0;
    if (strategy != ENCODE_MATCHES)
        return;
#pragma unroll
    for (int i = 0; i < 256; i += Team::LANES)
        job.matches.literals[256 * strip + (uint32_t)(i + lane)] = 0;
    if (lane > 0)
        return;
    MatchUnit unit = encode_unit(&job, strip);
    unit.size = filters != 0 ? unit.size : 0;
    job.matches.units[strip] = unit;
}

/* Filters a row for strategy blockIdx.y, if its strip is in the group. Each team of the thread
 * block filters one row. Only the launch for
 * the group ENCODE_SAMPLED has LZ77 as a second strategy. For LZ77 it also covers the strips of the
 * group ENCODE_DIRECT, and records that LZ77 is not tried for them. */
template <int PIXEL, typename Team, typename Jobs>
__global__ void __launch_bounds__(THREADS, BLOCKS) filter_kernel(Jobs jobs, EncodeGroup group)
{
    constexpr int TEAMS = THREADS / Team::LANES;
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(Shared<Team>, all, [TEAMS]);
    Shared<Team> *shared = all + Team::number();
    const EncodeJob &job = jobs.get();
    const int32_t y = (int32_t)blockIdx.x * TEAMS + Team::number();
    const uint32_t strategy = blockIdx.y;
    if (y >= job.height || (strategy == ENCODE_MATCHES && job.matches.count == 0))
        return;
    const uint32_t strip = encode_strip_of_row(&job, y);
    const EncodeAdvice advice = job.advice[strip];
    if (strategy == ENCODE_RUNS && encode_group(&advice) != group)
        return;
    const uint32_t filters = decide::filters_of(job, advice, strip, strategy);
    const bool is_first = y == encode_first_row(&job, strip);
    const uint8_t *row = job.rows + (size_t)y * job.stride;
    const uint8_t *above = is_first ? nullptr : row - job.stride;
    if (is_first)
        record_filters<Team>(job, strip, strategy, filters);
    if (filters == 0)
        return;
    uint8_t *out = job.filtered[strategy] + encode_strip_start(&job, strip) +
                   (size_t)(y - encode_first_row(&job, strip)) * (1 + job.row_bytes);
    write_edges<Team>(job, strip, y, out);
    unsigned filter = choose<PIXEL>(job.row_bytes, &shared->part, row, above, filters);
    write<PIXEL>(job, shared, row, above, is_loaded<Team>(job.row_bytes, filters, above), filter,
                 out);
    if (Team::lane() == 0)
        job.row_sums[strategy][y] = {(uint32_t)(shared->adler[0] % ADLER_MODULUS),
                                     (uint32_t)(shared->adler[1] % ADLER_MODULUS)};
}

/* Warps filter the rows of a batch, and short rows of a single picture, if there are MANY_ROWS of
 * them. Otherwise a thread block filters each row: fewer warps would leave most of a GPU idle, and
 * would take longer for a single picture of 12 megapixels. */
constexpr uint64_t MANY_ROWS = 1 << 11;
constexpr size_t SHORT_ROW = 1 << 11; /* largest size of a short row in bytes */

bool is_for_warps(const EncodeBatch *batch)
{
    return batch->rows >= MANY_ROWS &&
           (batch->one == nullptr || batch->one->row_bytes <= SHORT_ROW);
}

template <typename Team>
void launch_filters(const EncodeBatch *batch, EncodeGroup group, void *stream)
{
    constexpr unsigned TEAMS = THREADS / Team::LANES;
    const unsigned strategies = group == ENCODE_SAMPLED ? ENCODE_STRATEGIES : 1;
    with_pixels(batch, [&](auto pixel, auto jobs, uint32_t count) {
        const dim3 grid((batch->height + TEAMS - 1) / TEAMS, strategies, count);
        IMG_LAUNCH_EARLY((filter_kernel<decltype(pixel)::value, Team, decltype(jobs)>), grid,
                         THREADS, 0, stream, jobs, group);
    });
}

} // namespace

void img_encode_filter(const EncodeBatch *batch, EncodeGroup group, void *stream)
{
    if (is_for_warps(batch))
        launch_filters<WarpTeam>(batch, group, stream);
    else
        launch_filters<BlockTeam>(batch, group, stream);
}
