/* canny on CUDA, fast version. One kernel performs all stages up to the low threshold. It stores
 * one bit per pixel, set for ridges above the low threshold, and labels of the runs of set bits
 * (canny_forest.cuh). */
#include "kernels/edge/cuda/canny_tile.cuh"

namespace
{

using namespace canny;

/* --- Gradients -------------------------------------------------------------------------------- */

/* Contribution of one row to the gradient at a pixel of the row above, of the row itself or of the
 * row below. `difference` is the right neighbour minus the left one; `sum` is left + 2 * middle +
 * right. */
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

/* Size of the picture, and position of the tile in it, in pixels. */
struct Picture {
    int32_t left, top, width, height;
    __device__ bool has(int x, int y) const
    {
        return left + x >= 0 && left + x < width && top + y >= 0 && top + y < height;
    }
};

/* Computes the squared magnitudes of the gradients just outside the tile. The outer pixels of the
 * tile are compared with them. Beyond the edges of the picture, magnitudes are 0. */
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

/* --- Runs ------------------------------------------------------------------------------------- */

/* The pixels of a tile as bits, and the labels of its runs. Both use the shared memory in which the
 * smoothed gray was stored before. */
struct TileRuns {
    uint32_t bits[WORDS], strong[WORDS], parents[WORDS * CANNY_NODES];
};

/* Makes each run of a word a component of its own, with the run as its root (canny_forest.cuh). */
__device__ void make_nodes(TileRuns &runs, uint32_t word)
{
    for (uint32_t left = runs.bits[word]; left != 0;) {
        const CannyRun run(left);
        const uint32_t node = canny_node(word, run.start);
        runs.parents[node] = canny_label(node, (runs.strong[word] & (uint32_t)run.bits) != 0);
        left = run.rest;
    }
}

__device__ void join_nodes(TileRuns &runs, uint32_t word)
{
    const CannySharedForest forest = {runs.parents};
    const uint32_t own = runs.bits[word], column = word % CANNY_TILE_WORDS;
    if (own == 0)
        return;
    if (column > 0)
        canny_join_beside(forest, own, word, runs.bits[word - 1]);
    if (word < CANNY_TILE_WORDS)
        return;
    const uint32_t *above = runs.bits + word - CANNY_TILE_WORDS;
    const CannyAbove around = {column > 0 ? above[-1] : 0, above[0],
                               column + 1 < CANNY_TILE_WORDS ? above[1] : 0};
    canny_join_above(forest, own, word, CANNY_TILE_WORDS, around);
}

/* Converts the labels of a word's runs from labels in the forest of the tile to labels in the
 * forest of the picture, and stores them in global memory. */
__device__ void store_nodes(const TileRuns &own, uint32_t word, const CannyRuns &runs,
                            int32_t column, int32_t top)
{
    const CannySharedForest forest = {const_cast<uint32_t *>(own.parents)};
    const uint32_t across = (uint32_t)runs.across;
    const uint32_t corner = (uint32_t)top * across + (uint32_t)column;
    const int32_t y = top + (int32_t)(word / CANNY_TILE_WORDS);
    if (y >= runs.height || column + (int32_t)(word % CANNY_TILE_WORDS) >= runs.across)
        return;
    const uint32_t place = corner + word / CANNY_TILE_WORDS * across + word % CANNY_TILE_WORDS;
    runs.words[place] = own.bits[word];
    for (uint32_t left = own.bits[word]; left != 0;) {
        const CannyRun run(left);
        const uint32_t root = canny_root(forest, forest.parent(canny_node(word, run.start)));
        const uint32_t node = canny_node_of(root), of = node / CANNY_NODES;
        const uint32_t root_place = corner + of / CANNY_TILE_WORDS * across + of % CANNY_TILE_WORDS;
        runs.forest.parents[canny_node(place, run.start)] =
            canny_label(root_place * CANNY_NODES + node % CANNY_NODES, canny_is_strong(root));
        left = run.rest;
    }
}

/* --- Suppression ------------------------------------------------------------------------------ */

/* The THREAD_ROWS pixels of a column that a thread processes. */
struct Pixels {
    int x, top;
    int32_t across[THREAD_ROWS], down[THREAD_ROWS], magnitude[THREAD_ROWS];
};

template <int RADIUS>
__device__ void measure(const Smooth<RADIUS> &smooth, const Picture &picture, int32_t *magnitudes,
                        Pixels &own)
{
    const int32_t rows =
        own.x < picture.width - picture.left ? picture.height - picture.top - own.top : 0;
    Line above(smooth, own.x, own.top - 1), here(smooth, own.x, own.top);
#pragma unroll
    for (int k = 0; k < THREAD_ROWS; k++) {
        const Line below(smooth, own.x, own.top + k + 1);
        const Gradient gradient(above, here, below);
        own.across[k] = gradient.across;
        own.down[k] = gradient.down;
        own.magnitude[k] = k < rows ? img_canny_magnitude(gradient.across, gradient.down) : 0;
        magnitudes[(own.top + k) * Tile<RADIUS>::MAGNITUDE_PITCH + own.x] = own.magnitude[k];
        above = here;
        here = below;
    }
}

/* Stores one bit per pixel of the tile, set if the pixel is a ridge above the low threshold. In
 * each of its rows, a warp computes one word, which is 32 pixels. */
template <int RADIUS>
__device__ void suppress(const ImgCanny &canny, const Pixels &own, const int32_t *magnitudes,
                         TileRuns &runs)
{
    constexpr int PITCH = Tile<RADIUS>::MAGNITUDE_PITCH;
#pragma unroll
    for (int k = 0; k < THREAD_ROWS; k++) {
        const int32_t magnitude = own.magnitude[k];
        bool stays = magnitude > canny.low;
        uint32_t bits = __ballot_sync(UINT32_MAX, stays), strong = 0;
        if (bits != 0) {
            const int32_t *at = magnitudes + (own.top + k) * PITCH + own.x;
            const int32_t towards = img_canny_step(own.down[k], own.across[k]) * PITCH +
                                    img_canny_step(own.across[k], own.down[k]);
            stays = stays && img_canny_is_ridge(magnitude, at[towards], at[-towards]);
            bits = __ballot_sync(UINT32_MAX, stays);
            strong = __ballot_sync(UINT32_MAX, stays && magnitude > canny.high);
        }
        if (threadIdx.x % LANES == 0) {
            const int word = (own.top + k) * CANNY_TILE_WORDS + own.x / LANES;
            runs.bits[word] = bits;
            runs.strong[word] = strong;
        }
    }
}

/* Processes one tile per block. The share of a thread differs from stage to stage: four pixels of a
 * row, sums of two columns, sums of a row, THREAD_ROWS pixels of a column, and finally a word of
 * bits. The kernel is limited by the number of instructions, most of which compute gradients and
 * suppress pixels. */
template <int RADIUS>
__global__ void __launch_bounds__(THREADS)
    canny_tile_kernel(ImgCanny canny, ImgView src, CannyRuns runs, uint32_t tiles_across)
{
    using T = Tile<RADIUS>;
    static_assert(sizeof(TileRuns) <= T::FIRST, "runs fit in place of smoothed gray");
    IMG_SHARED_DYNAMIC(uint2, memory);
    int16_t *first = reinterpret_cast<int16_t *>(memory), *second = first + T::FIRST / 2;
    const uint32_t tile_column = blockIdx.x % tiles_across;
    const Picture picture = {(int32_t)tile_column * COLUMNS,
                             (int32_t)(blockIdx.x / tiles_across) * ROWS, src.width, src.height};
    fill<RADIUS>(canny, src, picture.left, picture.top, first);
    __syncthreads();
    const Smooth<RADIUS> smooth(first, second, canny);
    int32_t *magnitudes = reinterpret_cast<int32_t *>(second) + T::MAGNITUDE_PITCH + 1;
    Pixels own;
    own.x = (int)threadIdx.x % COLUMNS;
    own.top = (int)threadIdx.x / COLUMNS * THREAD_ROWS;
    measure(smooth, picture, magnitudes, own);
    measure_frame(smooth, picture, magnitudes);
    __syncthreads();
    TileRuns &tile = *reinterpret_cast<TileRuns *>(first);
    suppress<RADIUS>(canny, own, magnitudes, tile);
    __syncthreads();
    const bool has_word = threadIdx.x < WORDS;
    if (has_word)
        make_nodes(tile, threadIdx.x);
    __syncthreads();
    if (has_word)
        join_nodes(tile, threadIdx.x);
    __syncthreads();
    if (has_word)
        store_nodes(tile, threadIdx.x, runs, (int32_t)tile_column * CANNY_TILE_WORDS, picture.top);
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
    runs.forest.parents = runs.words + words_of(shape);
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
