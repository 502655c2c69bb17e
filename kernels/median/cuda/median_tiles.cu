/* median on CUDA for windows of 5 x 5 to 9 x 9, with sorting networks. Each thread computes two
 * tiles of 4 x 4 pixels of one channel; the second tile is further down. A word in shared memory
 * holds a sample of the first tile in its lower half and a sample of the second in its upper
 * half. */
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/median/cuda/median_cuda.cuh"
#include "kernels/median/cuda/median_tile.cuh"

/* --- Quads ------------------------------------------------------------------------------------ */

/* A quad is four neighbouring samples of a row. Words combine the samples of a quad with the
 * samples of another quad, in a row further down. */

constexpr int QUAD = 4;

template <typename Sample> struct MedianQuad {
    static constexpr int EACH = 4 / (int)sizeof(Sample);
    uint32_t word[sizeof(Sample)];

    __device__ void load_inside(const uint8_t *at)
    {
#pragma unroll
        for (int i = 0; i < (int)sizeof(Sample); i++)
            word[i] = __ldg(reinterpret_cast<const uint32_t *>(at) + i);
    }
    /* Loads the four samples from number `sample` of a row on. `row` must be a result of
     * img_border_place. */
    template <int CHANNELS>
    __device__ void load(const MedianTask &task, int64_t sample, int32_t row)
    {
        const int64_t samples = (int64_t)task.width * CHANNELS;
        if (sample >= 0 && sample + QUAD <= samples && row >= 0) {
            load_inside(task.src + (size_t)row * task.src_stride + (size_t)sample * sizeof(Sample));
            return;
        }
#pragma unroll
        for (int i = 0; i < QUAD; i++) {
            const int64_t shifted = sample + i + (int64_t)CHANNELS * IMG_MEDIAN_SIDE_MAX;
            const int32_t column =
                img_border_place(shifted / CHANNELS - IMG_MEDIAN_SIDE_MAX, task.width, task.border);
            const uint32_t value = task.sample<Sample>(column, row, (int32_t)(shifted % CHANNELS));
            word[i / EACH] =
                (i % EACH != 0 ? word[i / EACH] : 0) | value << i % EACH * 8 * (int)sizeof(Sample);
        }
    }
    /* Returns a word with sample number `i` of this quad in its lower half and sample number `i` of
     * `upper` in its upper half. 8-bit samples are stored twice in their half. */
    __device__ uint32_t paired(const MedianQuad &upper, int i) const
    {
        const unsigned bytes = (unsigned)(i % EACH) * 0x1111 + 0x4400;
        const unsigned halves = i % EACH != 0 ? 0x7632 : 0x5410;
        return __byte_perm(word[i / EACH], upper.word[i / EACH],
                           sizeof(Sample) == 1 ? bytes : halves);
    }
    /* Sets the four samples of this quad. Sample i is the upper half of `result[i]` if `upper`,
     * otherwise the lower half. */
    __device__ void take(const uint32_t (&result)[QUAD], bool upper)
    {
        if constexpr (sizeof(Sample) == 1) {
            const unsigned selector = upper ? 0x0062 : 0x0040;
            word[0] = __byte_perm(__byte_perm(result[0], result[1], selector),
                                  __byte_perm(result[2], result[3], selector), 0x5410);
        } else {
            const unsigned selector = upper ? 0x7632 : 0x5410;
            word[0] = __byte_perm(result[0], result[1], selector);
            word[1] = __byte_perm(result[2], result[3], selector);
        }
    }
    __device__ void store(const MedianTask &task, int64_t sample, int64_t samples, int64_t y) const
    {
        Sample *at = reinterpret_cast<Sample *>(task.dst + (size_t)y * task.dst_stride) + sample;
        if (sample + QUAD <= samples) {
#pragma unroll
            for (int i = 0; i < (int)sizeof(Sample); i++)
                reinterpret_cast<uint32_t *>(at)[i] = word[i];
            return;
        }
#pragma unroll
        for (int i = 0; i < QUAD; i++)
            if (sample + i < samples)
                at[i] = (Sample)(word[i / EACH] >> i % EACH * 8 * (int)sizeof(Sample));
    }
};

namespace
{

/* number of tiles per block along each axis */
constexpr int ACROSS = 48, DOWN = 4, THREADS = ACROSS * DOWN;
/* number of samples per row of a block, and number of rows that the first tiles of its threads
 * cover; the second tiles cover as many rows below them */
constexpr int SAMPLES = ACROSS * TILE, ROWS = DOWN * TILE;

/* Layout of a block's words in shared memory. A row has the columns of pixels 0, 4, 8 ... first,
 * then 1, 5, 9 ... and so on. Neighbouring threads have neighbouring tiles, or channels of one
 * tile, so there are no bank conflicts. */
template <int CHANNELS, int RADIUS> struct Layout {
    /* width of the halo at the left in columns, rounded up to whole tiles */
    static constexpr int BEFORE = (RADIUS + TILE - 1) / TILE * TILE;
    static constexpr int TILES = ACROSS / CHANNELS + (RADIUS + TILE - 1 + BEFORE) / TILE;
    static constexpr int PLANE = TILES * CHANNELS | 1, PITCH = TILE * PLANE;
    static constexpr int LINES = ROWS + 2 * RADIUS;
    /* number of quads of the halo on each side */
    static constexpr int HALO = (RADIUS * CHANNELS + QUAD - 1) / QUAD,
                         QUADS = SAMPLES / QUAD + 2 * HALO, LANES = THREADS / QUADS;

    /* Returns the position of sample number `sample` in a row of shared memory. Negative numbers
     * are samples in the halo at the left. */
    static __device__ int place(int sample)
    {
        const int shifted = sample + BEFORE * CHANNELS, column = shifted / CHANNELS;
        return column % TILE * PLANE + column / TILE * CHANNELS + shifted % CHANNELS;
    }
    /* Returns the offset, in words, of column `x` of thread 0's tile in a row of shared memory.
     * Every other thread adds a constant to it. */
    static __device__ constexpr int of_column(int x)
    {
        return (x + BEFORE) % TILE * PLANE + (x + BEFORE) / TILE * CHANNELS;
    }
};

/* Loads quads to shared memory. A thread loads one quad in every LANES-th line. */
template <int CHANNELS, int RADIUS> struct Filler {
    using L = Layout<CHANNELS, RADIUS>;
    static constexpr int ROUNDS = (L::LINES + L::LANES - 1) / L::LANES;
    int32_t lane, place[QUAD];
    /* position of the thread's first quad in the picture: number of its first sample, and row */
    int64_t sample, top;

    __device__ Filler(int64_t left, int64_t block_top)
        : lane((int32_t)threadIdx.x / L::QUADS), top(block_top - RADIUS)
    {
        const int first = ((int)threadIdx.x % L::QUADS - L::HALO) * QUAD;
        sample = left + first;
#pragma unroll
        for (int i = 0; i < QUAD; i++)
            place[i] = L::place(first + i);
    }
    template <typename Sample>
    __device__ void put(uint32_t *words, int line, const MedianQuad<Sample> &lower,
                        const MedianQuad<Sample> &upper) const
    {
#pragma unroll
        for (int i = 0; i < QUAD; i++)
            words[line * L::PITCH + place[i]] = lower.paired(upper, i);
    }
    /* Loads all words of the block. All samples that the block needs must be inside the picture.
     * All loads of a thread run at the same time. */
    template <typename Sample>
    __device__ void fill_inside(const MedianTask &task, uint32_t *words) const
    {
        MedianQuad<Sample> lower[ROUNDS], upper[ROUNDS];
        const uint8_t *at =
            task.src + (size_t)(top + lane) * task.src_stride + (size_t)sample * sizeof(Sample);
#pragma unroll
        for (int i = 0; i < ROUNDS; i++) {
            if (lane + i * L::LANES < L::LINES) {
                lower[i].load_inside(at + (size_t)i * L::LANES * task.src_stride);
                upper[i].load_inside(at + (size_t)(i * L::LANES + ROWS) * task.src_stride);
            }
        }
#pragma unroll
        for (int i = 0; i < ROUNDS; i++)
            if (lane + i * L::LANES < L::LINES)
                put(words, lane + i * L::LANES, lower[i], upper[i]);
    }
    template <typename Sample>
    __device__ void fill_edge(const MedianTask &task, uint32_t *words) const
    {
        if (sample >= ((int64_t)task.width + TILE + RADIUS) * CHANNELS)
            return;
#pragma unroll 1
        for (int line = lane; line < L::LINES; line += L::LANES) {
            MedianQuad<Sample> lower, upper;
            lower.template load<CHANNELS>(task, sample,
                                          img_border_place(top + line, task.height, task.border));
            upper.template load<CHANNELS>(
                task, sample, img_border_place(top + line + ROWS, task.height, task.border));
            put(words, line, lower, upper);
        }
    }
};

template <typename Sample, int CHANNELS, int RADIUS>
__device__ void fill(const MedianTask &task, uint32_t *words, int64_t left, int64_t top)
{
    using L = Layout<CHANNELS, RADIUS>;
    const Filler<CHANNELS, RADIUS> filler(left, top);
    const bool inside = left >= L::HALO * QUAD && top >= RADIUS &&
                        left + SAMPLES + L::HALO * QUAD <= (int64_t)task.width * CHANNELS &&
                        top + 2 * ROWS + RADIUS <= task.height;
    if (filler.lane >= L::LANES)
        return;
    if (inside)
        filler.template fill_inside<Sample>(task, words);
    else
        filler.template fill_edge<Sample>(task, words);
}

/* Stores the results of a block in the picture. In shared memory they are rows without a halo, in
 * the order of samples. */
template <typename Sample, int CHANNELS, int RADIUS>
__device__ void give(const MedianTask &task, const uint32_t *results, int64_t left, int64_t top)
{
    using L = Layout<CHANNELS, RADIUS>;
    const int64_t samples = (int64_t)task.width * CHANNELS;
    const int first = (int)threadIdx.x % ACROSS * QUAD;
    if (left + first >= samples)
        return;
    for (int line = (int)threadIdx.x / ACROSS; line < ROWS; line += DOWN) {
        uint32_t result[QUAD];
#pragma unroll
        for (int i = 0; i < QUAD; i++)
            result[i] = results[line * L::PITCH + L::place(first + i - L::BEFORE * CHANNELS)];
        MedianQuad<Sample> quad;
#pragma unroll
        for (int upper = 0; upper < 2; upper++) {
            const int64_t y = top + line + upper * ROWS;
            quad.take(result, upper != 0);
            if (y < task.height)
                quad.store(task, left + first, samples, y);
        }
    }
}

/* Computes the two tiles of a thread. `corner` points to their first word. The right half of a tile
 * is processed as the mirror image of the left one, so that both halves use the same code. */
template <int CHANNELS, int RADIUS>
__device__ void filter_tiles(const uint32_t *corner, uint32_t *results)
{
    using L = Layout<CHANNELS, RADIUS>;
    using Tile = MedianTile<RADIUS>;
    const auto common =
        Tile::common([&](int x, int y) { return corner[L::of_column(x) + y * L::PITCH]; });
#pragma unroll 1
    for (int side = 0; side < 2; side++) {
        const int step = side == 0 ? 1 : -1;
        const uint32_t *from =
            side == 0 ? corner : corner + L::of_column(0) + L::of_column(TILE - 1);
        Tile::half(
            common, [&](int x, int y) { return (from + step * L::of_column(x))[y * L::PITCH]; },
            [&](int x, int y, uint32_t median) {
                results[y * L::PITCH + (side == 0 ? x : TILE - 1 - x) * L::PLANE] = median;
            });
    }
}

/* Computes the medians of one block of tiles. The kernel is limited by comparisons of samples. */
template <typename Sample, int CHANNELS, int RADIUS>
__global__ void __launch_bounds__(THREADS, RADIUS == 3 ? 3 : 2)
    median_tiles_kernel(MedianTask task, uint32_t across)
{
    using L = Layout<CHANNELS, RADIUS>;
    IMG_SHARED(uint32_t, words, [L::LINES * L::PITCH]);
    IMG_SHARED(uint32_t, results, [ROWS * L::PITCH]);
    const int64_t left = (int64_t)(blockIdx.x % across) * SAMPLES;
    const int64_t top = (int64_t)(blockIdx.x / across) * 2 * ROWS;
    fill<Sample, CHANNELS, RADIUS>(task, words, left, top);
    __syncthreads();
    const int own = (int)threadIdx.x % ACROSS, row = (int)threadIdx.x / ACROSS * TILE;
    if (left + (int64_t)(own / CHANNELS) * TILE * CHANNELS < (int64_t)task.width * CHANNELS)
        filter_tiles<CHANNELS, RADIUS>(words + own + (row + RADIUS) * L::PITCH,
                                       results + own + row * L::PITCH);
    __syncthreads();
    give<Sample, CHANNELS, RADIUS>(task, results, left, top);
}

template <typename Sample, int CHANNELS, int RADIUS>
ImgStatus launch(const MedianTask &task, void *stream, ImgError *err)
{
    const int64_t samples = (int64_t)task.width * CHANNELS;
    const uint32_t across = (uint32_t)((samples - 1) / SAMPLES + 1);
    const uint32_t down = (uint32_t)((task.height - 1) / (2 * ROWS) + 1);
    IMG_LAUNCH((median_tiles_kernel<Sample, CHANNELS, RADIUS>), across * down, THREADS, 0, stream,
               task, across);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus img_median_cuda_tiles(const ImgCall *call, ImgError *err)
{
    const MedianTask task = median_task(call);
    return with_samples(call->src.format, [&](auto type, auto channels) {
        using Sample = decltype(type);
        constexpr int CHANNELS = decltype(channels)::VALUE;
        return task.radius == 2   ? launch<Sample, CHANNELS, 2>(task, call->stream, err)
               : task.radius == 3 ? launch<Sample, CHANNELS, 3>(task, call->stream, err)
                                  : launch<Sample, CHANNELS, 4>(task, call->stream, err);
    });
}
