/* Reduces the picture by a factor of 2 or 4 along both axes at once. Weighted sums are products of
 * matrices of bytes (gaussian_rows.cuh).
 *
 * A block computes ROWS rows of COLUMNS pixels, channel by channel, from a tile of the picture in
 * shared memory. A warp computes BAND of the rows and moves across. It computes the vertical sums
 * of 16 columns at a time. Once it has these for all columns that BAND results need, it computes
 * their horizontal sums. */
#include "kernels/blur/cuda/gaussian_pyramid.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

struct ReduceTask {
    TileSource src;
    const ImgBlurEnd *end;
    uint8_t *small;
    SmallPicture picture;
    uint32_t strips;
};

template <typename Sample_, int CHANNELS_, int FACTOR_> struct Reduce {
    typedef Sample_ Sample;
    static constexpr int CHANNELS = CHANNELS_, FACTOR = FACTOR_, TAPS = IMG_SPLINE_TAPS * FACTOR;
    /* CHUNKS: number of chunks (of CHUNK rows or columns) that BAND results need. LEAD: number of
     * columns of a tile before the first one that is needed, so that tiles begin at aligned
     * addresses. */
    static constexpr int CHUNKS = FACTOR + 1, LEAD = FACTOR == 2 ? 9 : 2;
    /* PARTS warps share a band of rows; each of these warps computes GROUPS times BAND columns. */
    static constexpr int BANDS = 2, PARTS = 2, GROUPS = 4 / FACTOR;
    static constexpr int WARPS = BANDS * PARTS, THREADS = 32 * WARPS;
    static constexpr int ROWS = BANDS * BAND, COLUMNS = PARTS * GROUPS * BAND;
    static constexpr int UNITS = (COLUMNS * FACTOR + CHUNK) * (int)sizeof(Sample) / WIDE_BYTES;
    typedef Tile<Sample, CHANNELS, ROWS * FACTOR + CHUNK, UNITS> Source;
    static constexpr int OUT_ROW = GROUPS * BAND * CHANNELS * 2, OUT_PITCH = OUT_ROW + WIDE_BYTES;
    static constexpr int BYTES = Source::BYTES + WARPS * BAND * OUT_PITCH;
    /* number of zeros before the weights in the table of weights */
    static constexpr int ZEROS = (BAND - 1) * FACTOR + LEAD;
};

/* Stores the results of one channel, BAND rows of BAND columns, in shared memory at `out`. */
template <typename R>
__device__ void put_results(const uint32_t (&sum)[2][4], int group, int channel, uint8_t *out)
{
    const int lane = (int)threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const int row = lane / 4 + i / 4 * 8, x = group * BAND + lane % 4 * 4 + i % 4;
        const uint32_t result = sum[i % 4 / 2][i / 4 * 2 + i % 2];
        reinterpret_cast<uint16_t *>(out + row * R::OUT_PITCH)[x * R::CHANNELS + channel] =
            (uint16_t)(result >> (sizeof(typename R::Sample) == 2 ? 16 : 18));
    }
}

template <typename R>
__device__ void reduce_rows(const Bands<R::CHUNKS> &bands, const uint8_t *plane, int channel,
                            uint8_t *out)
{
    constexpr int SIZE = BAND * (int)sizeof(typename R::Sample);
    const Start none = {0, 0, 0, 0};
    Weighed window[R::CHUNKS];
#pragma unroll
    for (int chunk = 0; chunk < R::CHUNKS; chunk++)
        weigh_down<R::CHUNKS>(bands, plane + chunk * SIZE, R::Source::PITCH, typename R::Sample(),
                              window[chunk]);
#pragma unroll 1
    for (int group = 0;; group++) {
        uint32_t sum[2][4];
        weigh_across<R::CHUNKS>(bands.across, window, SIZE == 2 * BAND ? bands.half : none, sum);
        put_results<R>(sum, group, channel, out);
        if (group + 1 == R::GROUPS)
            break;
        window[0] = window[R::CHUNKS - 1];
#pragma unroll
        for (int chunk = 1; chunk < R::CHUNKS; chunk++)
            weigh_down<R::CHUNKS>(bands, plane + ((group + 1) * R::FACTOR + chunk) * SIZE,
                                  R::Source::PITCH, typename R::Sample(), window[chunk]);
    }
}

/* Copies the rows of a warp from `out` in shared memory to the reduced picture. In the picture they
 * begin at row y, and at byte `at` of each row. */
template <typename R>
__device__ void write_small(const ReduceTask &task, const uint8_t *out, int32_t y, size_t at)
{
    constexpr int PIECES = R::OUT_ROW / WIDE_BYTES;
    for (int i = (int)threadIdx.x % 32; i < BAND * PIECES; i += 32) {
        const int row = i / PIECES;
        const size_t offset = at + i % PIECES * WIDE_BYTES;
        if (y + row < task.picture.rows && offset < task.picture.stride)
            *reinterpret_cast<uint4 *>(task.small + (size_t)(y + row) * task.picture.stride +
                                       offset) =
                *reinterpret_cast<const uint4 *>(out + row * R::OUT_PITCH +
                                                 i % PIECES * WIDE_BYTES);
    }
}

template <typename R>
__global__ void __launch_bounds__(R::THREADS, R::FACTOR == 2 ? 4 : 3) reduce_kernel(ReduceTask task)
{
    IMG_SHARED_DYNAMIC(uint4, memory);
    IMG_SHARED(WeightTable<R::ZEROS + R::CHUNKS * CHUNK>, table, [1]);
    uint8_t *tile = reinterpret_cast<uint8_t *>(memory);
    const int warp = (int)threadIdx.x / 32, band = warp % R::BANDS, part = warp / R::BANDS;
    uint8_t *out = tile + R::Source::BYTES + warp * BAND * R::OUT_PITCH;
    const int32_t x = (int32_t)(blockIdx.x % task.strips) * R::COLUMNS;
    const int32_t y = (int32_t)(blockIdx.x / task.strips) * R::ROWS;
    const int64_t left = (int64_t)(x - task.picture.left) * R::FACTOR - R::FACTOR * 3 / 2 - R::LEAD;
    const int64_t top = (int64_t)(y - task.picture.margin) * R::FACTOR - R::FACTOR * 3 / 2;
    make_table(table[0], [&](int i) {
        const int tap = i - R::ZEROS;
        return tap >= 0 && tap < R::TAPS ? (uint32_t)task.end->gaussian.shrink[tap] : 0;
    });
    R::Source::template fill<R::THREADS>(task.src, tile, {left, top},
                                         (task.picture.margin + 3) * R::FACTOR);
    __syncthreads();
    Bands<R::CHUNKS> bands;
    load_bands<typename R::Sample, R::CHUNKS, R::FACTOR, R::LEAD>(table[0], true, bands);
    const uint8_t *own = tile + band * (BAND * R::FACTOR) * R::Source::PITCH +
                         part * R::GROUPS * (BAND * R::FACTOR) * (int)sizeof(typename R::Sample);
    if (y + band * BAND >= task.picture.rows)
        return;
#pragma unroll 1
    for (int c = 0; c < R::CHANNELS; c++)
        reduce_rows<R>(bands, own + c * R::Source::PLANE, c, out);
    __syncwarp();
    write_small<R>(task, out, y + band * BAND,
                   (size_t)(x + part * R::GROUPS * BAND) * (R::CHANNELS * 2));
}

template <typename R> ImgStatus launch(ReduceTask &task, void *stream, ImgError *err)
{
    task.strips = (uint32_t)((task.picture.columns - 1) / R::COLUMNS + 1);
    const uint32_t rows = (uint32_t)((task.picture.rows - 1) / R::ROWS + 1);
    auto *kernel = reduce_kernel<R>;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, R::BYTES),
             err);
    IMG_LAUNCH(kernel, task.strips * rows, R::THREADS, R::BYTES, stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

template <typename Sample, int CHANNELS>
ImgStatus launch_for(ReduceTask &task, void *stream, ImgError *err)
{
    return task.picture.factor == 2 ? launch<Reduce<Sample, CHANNELS, 2>>(task, stream, err)
                                    : launch<Reduce<Sample, CHANNELS, 4>>(task, stream, err);
}

} // namespace

ImgStatus gaussian_reduce(const TileSource &src, bool wide, const ImgBlurEnd *end,
                          const SmallPicture &picture, uint8_t *small, void *stream, ImgError *err)
{
    ReduceTask task = {src, end, small, picture, 0};
    if (wide)
        return picture.channels == 3 ? launch_for<uint16_t, 3>(task, stream, err)
                                     : launch_for<uint16_t, 1>(task, stream, err);
    return picture.channels == 3 ? launch_for<uint8_t, 3>(task, stream, err)
                                 : launch_for<uint8_t, 1>(task, stream, err);
}
