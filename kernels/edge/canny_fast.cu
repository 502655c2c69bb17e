/* canny on CUDA in one pass up to the low threshold: what is left of a picture then is a bit for
 * each pixel, and labels of runs of them. */
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/edge/canny_cuda.cuh"

namespace
{

/* A block has a tile of the picture, with all around it that its sums and neighbours need, and
 * takes it through all stages in shared memory. Radii of weights are known when this is compiled:
 * a smaller one is filled up with zeros. */
constexpr int COLUMNS = 64, ROWS = 32, THREADS = 256, LANES = 32;
constexpr int RUN_DOWN = 6, RUN_ACROSS = 12;          /* sums that a thread makes together */
constexpr int THREAD_ROWS = ROWS * COLUMNS / THREADS; /* pixels of a column that a thread has */

template <int RADIUS> struct Tile {
    /* Gray: a halo of the radius, one for Sobel's operator and one for the suppression; in columns
     * whole groups of four. */
    static constexpr int HALO = RADIUS + 2, SIDE = (HALO + 3) / 4 * 4;
    static constexpr int GRAY_COLUMNS = COLUMNS + 2 * SIDE, GRAY_ROWS = ROWS + 2 * HALO;
    /* Sums down: an odd number of words to a row, as neighbouring threads have rows then. */
    static constexpr int LOWER_PITCH = GRAY_COLUMNS / 2 % 2 != 0 ? GRAY_COLUMNS : GRAY_COLUMNS + 2;
    static constexpr int LOWER_ROWS = ROWS + 4;
    /* Smoothed, with two more on all sides. */
    static constexpr int SMOOTH_COLUMNS = (COLUMNS + 4 + RUN_ACROSS - 1) / RUN_ACROSS * RUN_ACROSS;
    static constexpr int SMOOTH_PITCH = SMOOTH_COLUMNS + 2, SMOOTH_ROWS = LOWER_ROWS;
    /* Squared magnitudes, with one more on all sides. */
    static constexpr int MAGNITUDE_PITCH = COLUMNS + 3, MAGNITUDE_ROWS = ROWS + 2;

    /* Shared memory in bytes: gray, and smoothed in its place; sums, and magnitudes in theirs. */
    static constexpr int max_of(int a, int b)
    {
        return a > b ? a : b;
    }
    static constexpr int FIRST = 2 * max_of(GRAY_COLUMNS * GRAY_ROWS, SMOOTH_PITCH *SMOOTH_ROWS);
    static constexpr int BYTES =
        FIRST + max_of(2 * LOWER_PITCH * LOWER_ROWS, 4 * MAGNITUDE_PITCH * MAGNITUDE_ROWS);
    static_assert(LOWER_PITCH / 2 % 2 == 1 && SMOOTH_PITCH / 2 % 2 == 1, "rows in turn of banks");
    static_assert(LOWER_ROWS % RUN_DOWN == 0, "sums down come in whole runs");
};

/* --- Gray ------------------------------------------------------------------------------------- */

template <typename Sample, int CHANNELS>
__device__ void four_grays(const ImgCanny &canny, const uint8_t *row, int32_t x, int32_t (&gray)[4])
{
    constexpr int WORDS = CHANNELS * (int)sizeof(Sample), EACH = 4 / (int)sizeof(Sample);
    const uint32_t *from = reinterpret_cast<const uint32_t *>(row) + (size_t)x / 4 * WORDS;
    uint32_t words[WORDS], sample[4 * CHANNELS];
#pragma unroll
    for (int i = 0; i < WORDS; i++)
        words[i] = __ldg(from + i);
#pragma unroll
    for (int i = 0; i < 4 * CHANNELS; i++)
        sample[i] = words[i / EACH] >> i % EACH * 8 * (int)sizeof(Sample) & (Sample)-1;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const uint32_t *own = sample + i * CHANNELS;
        uint32_t luma = own[0];
        if constexpr (CHANNELS > 2)
            luma = img_luma(canny.luma, own[0], own[1], own[2]);
        gray[i] = CHANNELS % 2 != 0 ? img_canny_gray_opaque(&canny, luma)
                                    : img_canny_gray_alpha(&canny, luma, own[CHANNELS - 1]);
    }
}

__device__ void load_four(const ImgCanny &canny, const ImgView &src, const uint8_t *row, int32_t x,
                          int32_t (&gray)[4])
{
    if (src.format.bits == 16) {
        switch (canny.channels) {
        case 1:
            return four_grays<uint16_t, 1>(canny, row, x, gray);
        case 2:
            return four_grays<uint16_t, 2>(canny, row, x, gray);
        case 3:
            return four_grays<uint16_t, 3>(canny, row, x, gray);
        default:
            return four_grays<uint16_t, 4>(canny, row, x, gray);
        }
    }
    switch (canny.channels) {
    case 1:
        return four_grays<uint8_t, 1>(canny, row, x, gray);
    case 2:
        return four_grays<uint8_t, 2>(canny, row, x, gray);
    case 3:
        return four_grays<uint8_t, 3>(canny, row, x, gray);
    default:
        return four_grays<uint8_t, 4>(canny, row, x, gray);
    }
}

/* Four pixels to a thread at a time. */
template <int RADIUS>
__device__ void fill(const ImgCanny &canny, const ImgView &src, int32_t left, int32_t top,
                     int16_t *gray)
{
    using T = Tile<RADIUS>;
    constexpr int GROUPS = T::GRAY_COLUMNS / 4;
    for (int i = (int)threadIdx.x; i < GROUPS * T::GRAY_ROWS; i += THREADS) {
        const int32_t x = left - T::SIDE + i % GROUPS * 4, y = top - T::HALO + i / GROUPS;
        const int32_t line = img_border_place(y, src.height, canny.border);
        int32_t own[4];
        if (x >= 0 && x + 4 <= src.width && line >= 0)
            load_four(canny, src, src.data + (size_t)line * src.stride, x, own);
        else
            for (int k = 0; k < 4; k++)
                own[k] = canny_gray_at(canny, src, (int64_t)x + k, y);
        reinterpret_cast<uint2 *>(gray)[i] = make_uint2((uint32_t)own[0] | (uint32_t)own[1] << 16,
                                                        (uint32_t)own[2] | (uint32_t)own[3] << 16);
    }
}

/* --- Smoothing -------------------------------------------------------------------------------- */

/* What `value` adds to sums of which it is number `number` of their values: of the first. */
template <int RADIUS, int SUMS>
__device__ void add(const ImgCanny &canny, int number, int32_t value, int32_t (&sums)[SUMS])
{
#pragma unroll
    for (int j = 0; j < SUMS; j++)
        if (number - j >= 0 && number - j <= 2 * RADIUS)
            sums[j] += canny.weights[number - j] * value;
}

template <int SUMS> __device__ void start(int32_t (&sums)[SUMS])
{
#pragma unroll
    for (int j = 0; j < SUMS; j++)
        sums[j] = 1 << (IMG_CANNY_PLACES - 1);
}

/* Two sums, as they follow each other in shared memory. */
__device__ uint32_t rounded(int32_t first, int32_t second)
{
    return (uint32_t)(first >> IMG_CANNY_PLACES) | (uint32_t)(second >> IMG_CANNY_PLACES) << 16;
}

/* A thread has two columns and RUN_DOWN rows. */
template <int RADIUS>
__device__ void smooth_down(const ImgCanny &canny, const int16_t *gray, int16_t *lower)
{
    using T = Tile<RADIUS>;
    constexpr int PAIRS = T::GRAY_COLUMNS / 2;
    const uint32_t *from = reinterpret_cast<const uint32_t *>(gray);
    uint32_t *to = reinterpret_cast<uint32_t *>(lower);
    for (int i = (int)threadIdx.x; i < PAIRS * (T::LOWER_ROWS / RUN_DOWN); i += THREADS) {
        const int pair = i % PAIRS, first = i / PAIRS * RUN_DOWN;
        int32_t even[RUN_DOWN], odd[RUN_DOWN];
        start(even);
        start(odd);
#pragma unroll
        for (int k = 0; k < RUN_DOWN + 2 * RADIUS; k++) {
            const uint32_t word = from[(first + k) * PAIRS + pair];
            add<RADIUS>(canny, k, (int32_t)(word & 0xffff), even);
            add<RADIUS>(canny, k, (int32_t)(word >> 16), odd);
        }
#pragma unroll
        for (int j = 0; j < RUN_DOWN; j++)
            to[(first + j) * (T::LOWER_PITCH / 2) + pair] = rounded(even[j], odd[j]);
    }
}

/* A thread has RUN_ACROSS pixels of a row. */
template <int RADIUS>
__device__ void smooth_across(const ImgCanny &canny, const int16_t *lower, int16_t *smooth)
{
    using T = Tile<RADIUS>;
    /* The first value of the first sum stands OFFSET after the beginning of a row. */
    constexpr int OFFSET = T::SIDE - T::HALO, RUNS = T::SMOOTH_COLUMNS / RUN_ACROSS;
    for (int i = (int)threadIdx.x; i < RUNS * T::SMOOTH_ROWS; i += THREADS) {
        const int line = i % T::SMOOTH_ROWS, first = i / T::SMOOTH_ROWS * RUN_ACROSS;
        const uint32_t *from =
            reinterpret_cast<const uint32_t *>(lower) + (line * T::LOWER_PITCH + first) / 2;
        uint32_t *to = reinterpret_cast<uint32_t *>(smooth) + (line * T::SMOOTH_PITCH + first) / 2;
        int32_t sums[RUN_ACROSS];
        start(sums);
#pragma unroll
        for (int k = OFFSET / 2; 2 * k < OFFSET + RUN_ACROSS + 2 * RADIUS; k++) {
            const uint32_t word = 2 * k + first < T::GRAY_COLUMNS ? from[k] : 0;
            add<RADIUS>(canny, 2 * k - OFFSET, (int32_t)(word & 0xffff), sums);
            add<RADIUS>(canny, 2 * k + 1 - OFFSET, (int32_t)(word >> 16), sums);
        }
#pragma unroll
        for (int j = 0; j < RUN_ACROSS; j += 2)
            to[j / 2] = rounded(sums[j], sums[j + 1]);
    }
}

/* Smoothed gray, from which pixel (x, y) of the tile, or beside it, can be asked for. */
template <int RADIUS> struct Smooth {
    const int16_t *values;
    int pitch;

    __device__ Smooth(int16_t *first, int16_t *second, const ImgCanny &canny)
        : values(first + 2 * Tile<RADIUS>::SMOOTH_PITCH + 2), pitch(Tile<RADIUS>::SMOOTH_PITCH)
    {
        if (RADIUS == 0) { /* gray as it is */
            values = first + 2 * Tile<RADIUS>::GRAY_COLUMNS + Tile<RADIUS>::SIDE;
            pitch = Tile<RADIUS>::GRAY_COLUMNS;
            return;
        }
        smooth_down<RADIUS>(canny, first, second);
        __syncthreads();
        smooth_across<RADIUS>(canny, second, first);
        __syncthreads();
    }
    __device__ int32_t at(int x, int y) const
    {
        return values[y * pitch + x];
    }
};

/* --- Gradients -------------------------------------------------------------------------------- */

/* What a row has part in: differences of left and right, and sums. */
struct Line {
    int32_t difference, sum;
    template <int RADIUS>
    __device__ Line(const Smooth<RADIUS> &smooth, int x, int y) : difference(0), sum(0)
    {
        const int32_t left = smooth.at(x - 1, y), right = smooth.at(x + 1, y);
        difference = right - left;
        sum = left + 2 * smooth.at(x, y) + right;
    }
};

struct Gradient {
    int32_t across, down;
    __device__ Gradient(const Line &above, const Line &here, const Line &below)
        : across(above.difference + 2 * here.difference + below.difference),
          down(below.sum - above.sum)
    {
    }
};

/* A thread's own pixels, and in `magnitudes` theirs and those of the frame around the tile; 0
 * beyond the edges. */
struct Picture {
    int32_t left, top, width, height;
    __device__ bool has(int x, int y) const
    {
        return left + x >= 0 && left + x < width && top + y >= 0 && top + y < height;
    }
};

template <int RADIUS>
__device__ void measure_frame(const Smooth<RADIUS> &smooth, const Picture &picture,
                              int32_t *magnitudes)
{
    constexpr int PITCH = Tile<RADIUS>::MAGNITUDE_PITCH, LONG = COLUMNS + 2;
    for (int i = (int)threadIdx.x; i < 2 * LONG + 2 * ROWS; i += THREADS) {
        const bool is_row = i < 2 * LONG;
        const int x = is_row ? i % LONG - 1 : (i - 2 * LONG) % 2 * (COLUMNS + 1) - 1;
        const int y = is_row ? i / LONG * (ROWS + 1) - 1 : (i - 2 * LONG) / 2;
        const Gradient gradient(Line(smooth, x, y - 1), Line(smooth, x, y), Line(smooth, x, y + 1));
        magnitudes[y * PITCH + x] =
            picture.has(x, y) ? img_canny_magnitude(gradient.across, gradient.down) : 0;
    }
}

/* --- Suppression ------------------------------------------------------------------------------ */

/* A row of a warp, as bits. */
__device__ void store_runs(const CannyRuns &runs, uint32_t bits, uint32_t strong, int32_t column,
                           int32_t y)
{
    const int lane = (int)threadIdx.x % LANES;
    const uint32_t word = (uint32_t)y * (uint32_t)runs.across + (uint32_t)column;
    if (column >= runs.across || y >= runs.height)
        return;
    if (lane == 0)
        runs.words[word] = bits;
    const uint32_t begins = bits & ~(bits << 1);
    if ((begins >> lane & 1) == 0)
        return;
    const uint32_t run = bits & ~(bits + (1u << lane)); /* which carries to the run's end */
    const uint32_t node = canny_node(word, lane);
    runs.parents[node] = canny_label(node, (strong & run) != 0);
}

template <int RADIUS>
__global__ void __launch_bounds__(THREADS)
    canny_tile_kernel(ImgCanny canny, ImgView src, CannyRuns runs, uint32_t tiles_across)
{
    using T = Tile<RADIUS>;
    IMG_SHARED_DYNAMIC(uint2, memory);
    int16_t *first = reinterpret_cast<int16_t *>(memory), *second = first + T::FIRST / 2;
    Picture picture;
    picture.left = (int32_t)(blockIdx.x % tiles_across) * COLUMNS;
    picture.top = (int32_t)(blockIdx.x / tiles_across) * ROWS;
    picture.width = src.width;
    picture.height = src.height;
    fill<RADIUS>(canny, src, picture.left, picture.top, first);
    __syncthreads();
    const Smooth<RADIUS> smooth(first, second, canny);
    int32_t *magnitudes = reinterpret_cast<int32_t *>(second) + T::MAGNITUDE_PITCH + 1;
    const int x = (int)threadIdx.x % COLUMNS, top = (int)threadIdx.x / COLUMNS * THREAD_ROWS;
    int32_t across[THREAD_ROWS], down[THREAD_ROWS];
    Line above(smooth, x, top - 1), here(smooth, x, top);
#pragma unroll
    for (int k = 0; k < THREAD_ROWS; k++) {
        const Line below(smooth, x, top + k + 1);
        const Gradient gradient(above, here, below);
        across[k] = gradient.across;
        down[k] = gradient.down;
        magnitudes[(top + k) * T::MAGNITUDE_PITCH + x] =
            picture.has(x, top + k) ? img_canny_magnitude(across[k], down[k]) : 0;
        above = here;
        here = below;
    }
    measure_frame(smooth, picture, magnitudes);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < THREAD_ROWS; k++) {
        const int32_t *own = magnitudes + (top + k) * T::MAGNITUDE_PITCH + x;
        bool stays = *own > canny.low;
        uint32_t bits = __ballot_sync(UINT32_MAX, stays), strong = 0;
        if (bits != 0) {
            const int32_t towards = img_canny_step(down[k], across[k]) * T::MAGNITUDE_PITCH +
                                    img_canny_step(across[k], down[k]);
            stays = stays && img_canny_is_ridge(*own, own[towards], own[-towards]);
            bits = __ballot_sync(UINT32_MAX, stays);
            strong = __ballot_sync(UINT32_MAX, stays && *own > canny.high);
        }
        store_runs(runs, bits, strong, picture.left / CANNY_WORD + x / LANES,
                   picture.top + top + k);
    }
}

/* --- Launch ----------------------------------------------------------------------------------- */

int32_t words_across(ImgShape shape)
{
    return (shape.width - 1) / CANNY_WORD + 1;
}

size_t words_of(ImgShape shape)
{
    return (size_t)words_across(shape) * (size_t)shape.height;
}

template <int RADIUS> void launch(const ImgCall *call, const CannyRuns &runs)
{
    const uint32_t tiles_across = (uint32_t)(call->src.width - 1) / COLUMNS + 1;
    const uint32_t tiles_down = (uint32_t)(call->src.height - 1) / ROWS + 1;
    const ImgCanny &own = canny_of(call);
    ImgCanny canny = own;
    for (int32_t k = 0; k <= 2 * RADIUS; k++) {
        const int32_t from = k - (RADIUS - own.radius);
        canny.weights[k] = from >= 0 && from <= 2 * own.radius ? own.weights[from] : (int16_t)0;
    }
    IMG_LAUNCH(canny_tile_kernel<RADIUS>, tiles_across * tiles_down, THREADS, Tile<RADIUS>::BYTES,
               call->stream, canny, call->src, runs, tiles_across);
}

} // namespace

size_t img_canny_cuda_fast_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    (void)op;
    (void)params;
    return words_of(src) * (1 + CANNY_NODES) * sizeof(uint32_t);
}

ImgStatus img_canny_cuda_fast(const ImgCall *call, ImgError *err)
{
    const ImgShape shape = img_view_shape(&call->src);
    const int32_t radius = canny_of(call).radius;
    CannyRuns runs;
    runs.words = static_cast<uint32_t *>(call->workspace);
    runs.parents = runs.words + words_of(shape);
    runs.across = words_across(shape);
    runs.height = shape.height;
    if (radius == 0)
        launch<0>(call, runs);
    else if (radius <= 4)
        launch<4>(call, runs);
    else if (radius <= 7)
        launch<7>(call, runs);
    else if (radius <= 14)
        launch<14>(call, runs);
    else
        launch<IMG_CANNY_RADIUS>(call, runs);
    return canny_follow_runs(call, runs, err);
}
