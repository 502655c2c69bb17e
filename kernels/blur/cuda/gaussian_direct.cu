/* The Gaussian on CUDA in one pass over memory, with sums in tensor cores.
 *
 * A block computes 64 rows of 128 columns. Blocks are small, so that there are far more of them
 * than a GPU runs at once; this hides the slower blocks at the edges. A warp computes 16 of the
 * rows and half of the columns. It moves across, 16 columns per iteration. It converts vertical
 * sums to bytes in registers, in the order in which horizontal sums read them. Results go through
 * shared memory, so that rows are written in long pieces. Small pictures have smaller blocks. */
#include "kernels/blur/cuda/gaussian_pyramid.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

/* Shape of a block: BANDS bands of BAND rows each. PARTS warps share a band, and each of these
 * computes GROUPS times BAND columns. */
template <int BANDS, int PARTS_, int GROUPS_> struct Shape {
    static constexpr int PARTS = PARTS_, GROUPS = GROUPS_;
    static constexpr int WARPS = BANDS * PARTS, THREADS = 32 * WARPS;
    static constexpr int ROWS = BANDS * BAND, COLUMNS = PARTS * GROUPS * BAND;
};
typedef Shape<4, 2, 4> Large;
typedef Shape<2, 2, 1> Small;

template <bool FIRST, typename A, typename B> struct Select {
    typedef A Type;
};
template <typename A, typename B> struct Select<false, A, B> {
    typedef B Type;
};

template <typename Sample, int CHANNELS, int CHUNKS, typename Shape> struct Strip {
    static constexpr int HALO = Reach<CHUNKS>::HALO, SIZE = (int)sizeof(Sample);
    typedef
        typename Select<Shape::GROUPS == 1, Rows<Sample, CHANNELS, 1>, Rows<Sample, CHANNELS>>::Type
            Out;
    static_assert(Shape::GROUPS % Out::GROUPS == 0, "all are written");
    typedef Tile<Sample, CHANNELS, Shape::ROWS + 2 * HALO,
                 (Shape::PARTS * Shape::GROUPS + CHUNKS - 1) * SIZE>
        Source;
    /* If the HALO is 8 bytes wide, results begin 8 bytes after a multiple of 16 bytes. They are
     * then written in pieces of 8 bytes instead of 16. */
    typedef typename Select<HALO * SIZE % WIDE_BYTES == 0, uint4, uint2>::Type Piece;
    static constexpr int BYTES = Source::BYTES + Shape::WARPS * BAND * Out::PITCH;
};

/* Replaces the blurred `results` by sharpened ones. `own` points to the samples of the picture at
 * the same position. If ALL is true, the mask has no threshold. */
template <typename S, typename Sample, int CHANNELS, bool ALL>
__device__ void sharpen(const ImgUnsharp &mask, const uint8_t *own, Results<CHANNELS> &results)
{
    const int lane = (int)threadIdx.x % 32, g = lane / 4, q = lane % 4;
#pragma unroll
    for (int i = 0; i < CHANNELS * 2; i++) {
        const int c = i / 2, row = i % 2;
        const uint32_t *from = reinterpret_cast<const uint32_t *>(
            own + c * S::Source::PLANE + (g + 8 * row) * S::Source::PITCH + 4 * q * S::SIZE);
#pragma unroll
        for (int x = 0; x < 4; x++) {
            const int bit = x * S::SIZE * 8;
            const uint32_t sample = from[bit / 32] >> bit % 32 & (1 << S::SIZE * 8) - 1;
            uint32_t &sum = results.at(c, row, x);
            sum = ALL ? sharpened_all<Sample>(mask, sum, sample)
                      : sharpened<Sample>(mask, sum, sample);
        }
    }
}

/* Computes all results of a warp, from row y on. `own` is the part of the tile in shared memory
 * that the warp reads. This part begins at column `left` of the picture. */
template <typename Sample, int CHANNELS, int CHUNKS, bool SHARPENS, typename Shape>
__device__ void blur_rows(const DirectTask &task, const Bands<CHUNKS> &bands, const uint8_t *own,
                          uint8_t *out, int64_t left, int64_t y)
{
    typedef Strip<Sample, CHANNELS, CHUNKS, Shape> S;
    constexpr int GROUP = BAND * S::SIZE;
    const Start none = {0, 0, 0, 0};
    Weighed window[CHANNELS][CHUNKS];
#pragma unroll
    for (int k = 0; k < CHUNKS - 1; k++)
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            weigh_down<CHUNKS>(bands, own + c * S::Source::PLANE + k * GROUP, S::Source::PITCH,
                               Sample(), window[c][k + 1]);
#pragma unroll 1
    for (int group = 0; group < Shape::GROUPS; group++) {
        Results<CHANNELS> results;
#pragma unroll
        for (int c = 0; c < CHANNELS; c++) {
#pragma unroll
            for (int i = 0; i + 1 < CHUNKS; i++)
                window[c][i] = window[c][i + 1];
            weigh_down<CHUNKS>(bands, own + c * S::Source::PLANE + (group + CHUNKS - 1) * GROUP,
                               S::Source::PITCH, Sample(), window[c][CHUNKS - 1]);
            weigh_across<CHUNKS>(bands.across, window[c], S::SIZE == 2 ? bands.half : none,
                                 results.sum[c]);
        }
        const uint8_t *picture = own + S::HALO * (S::Source::PITCH + S::SIZE) + group * GROUP;
        if (SHARPENS && task.mask.threshold == 0)
            sharpen<S, Sample, CHANNELS, true>(task.mask, picture, results);
        else if (SHARPENS)
            sharpen<S, Sample, CHANNELS, false>(task.mask, picture, results);
        const int place = group % S::Out::GROUPS;
        uint8_t *to = out + S::Out::place(place);
        put_row<Sample, CHANNELS>(results, 0, to);
        put_row<Sample, CHANNELS>(results, 1, to + 8 * S::Out::PITCH);
        if (place == S::Out::GROUPS - 1) {
            __syncwarp();
            write_out<typename S::Out, typename S::Piece>(
                task.dst, out, y, (left + S::HALO + (group - place) * BAND) * S::Out::PIXEL);
            __syncwarp();
        }
    }
}

template <typename Sample, int CHANNELS, int CHUNKS, bool SHARPENS, typename Shape>
__global__ void __launch_bounds__(Shape::THREADS, CHUNKS == 2 ? 3 : 2)
    direct_kernel(DirectTask task)
{
    typedef Strip<Sample, CHANNELS, CHUNKS, Shape> S;
    IMG_SHARED_DYNAMIC(uint4, memory);
    IMG_SHARED(WeightTable<4 * CHUNK>, table, [1]);
    uint8_t *tile = reinterpret_cast<uint8_t *>(memory);
    const int warp = (int)threadIdx.x / 32, band = warp / Shape::PARTS * BAND;
    const int column = warp % Shape::PARTS * Shape::GROUPS * BAND;
    uint8_t *out = tile + S::Source::BYTES + warp * BAND * S::Out::PITCH;
    const uint8_t *own = tile + band * S::Source::PITCH + column * S::SIZE;
    const int64_t left = (int64_t)(blockIdx.x % task.strips) * Shape::COLUMNS - BAND;
    const int64_t y = (int64_t)(blockIdx.x / task.strips) * Shape::ROWS;
    make_table(table[0], [&](int i) {
        const int tap = i - (BAND - 1) - S::HALO + task.radius;
        return tap >= 0 && tap <= 2 * task.radius ? (uint32_t)task.weights[tap] : 0;
    });
    IMG_AWAIT_PREVIOUS();
    S::Source::template fill<Shape::THREADS>(task.src, tile, {left, y - S::HALO}, task.radius);
    __syncthreads();
    Bands<CHUNKS> bands;
    load_bands<Sample, CHUNKS, 1, 0>(table[0], SHARPENS, bands);
    if (y + band < task.src.height && left + S::HALO + column < task.src.width)
        blur_rows<Sample, CHANNELS, CHUNKS, SHARPENS, Shape>(task, bands, own, out, left + column,
                                                             y + band);
}

template <typename Sample, int CHANNELS, int CHUNKS, bool SHARPENS, typename Shape>
ImgStatus launch(DirectTask &task, void *stream, ImgError *err)
{
    typedef Strip<Sample, CHANNELS, CHUNKS, Shape> S;
    /* number of columns of the first strip that lie to the left of the picture: the tile of a strip
     * begins HALO columns before its results, at a multiple of BAND columns */
    constexpr int LEFT = BAND - S::HALO;
    task.strips = (uint32_t)((task.src.width + LEFT - 1) / Shape::COLUMNS + 1);
    const uint32_t blocks = task.strips * (uint32_t)((task.src.height - 1) / Shape::ROWS + 1);
    auto *kernel = direct_kernel<Sample, CHANNELS, CHUNKS, SHARPENS, Shape>;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::BYTES),
             err);
    IMG_LAUNCH_EARLY(kernel, blocks, Shape::THREADS, S::BYTES, stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

template <typename Sample, int CHANNELS, int CHUNKS>
ImgStatus launch_for(DirectTask &task, void *stream, ImgError *err)
{
    /* With fewer pixels than this, blocks of the shape Large would leave some multiprocessors idle.
     */
    constexpr uint64_t LARGE_PIXELS = 1 << 20;
    if (task.sharpens)
        return launch<Sample, CHANNELS, CHUNKS, true, Large>(task, stream, err);
    if (sizeof(Sample) == 2 && (uint64_t)task.src.width * task.src.height < LARGE_PIXELS)
        return launch<uint16_t, CHANNELS, CHUNKS, false, Small>(task, stream, err);
    return launch<Sample, CHANNELS, CHUNKS, false, Large>(task, stream, err);
}

template <typename Sample, int CHANNELS>
ImgStatus launch_for(DirectTask &task, void *stream, ImgError *err)
{
    return task.radius <= Reach<2>::HALO ? launch_for<Sample, CHANNELS, 2>(task, stream, err)
                                         : launch_for<Sample, CHANNELS, 3>(task, stream, err);
}

} // namespace

ImgStatus gaussian_direct(DirectTask task, int bytes_per_sample, int channels, void *stream,
                          ImgError *err)
{
    if (bytes_per_sample == 2)
        return channels == 3 ? launch_for<uint16_t, 3>(task, stream, err)
                             : launch_for<uint16_t, 1>(task, stream, err);
    return channels == 3 ? launch_for<uint8_t, 3>(task, stream, err)
                         : launch_for<uint8_t, 1>(task, stream, err);
}
