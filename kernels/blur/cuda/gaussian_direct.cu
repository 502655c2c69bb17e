/* The Gaussian on CUDA in one pass over memory, its sums in tensor cores.
 *
 * A block goes down a strip of 128 columns, 64 rows per step; the rows that windows of the next
 * step need too stay in shared memory. A warp has 16 of the rows and goes across, 16 columns at a
 * time: sums downwards become bytes in registers, and are where the sums across want them. Results
 * go through shared memory, so that rows are written in long pieces. */
#include "kernels/blur/cuda/gaussian_direct.cuh"

#include "kernels/core/cuda/cuda_util.h"

namespace
{

constexpr int WARPS = 4, THREADS = 32 * WARPS, STEP = WARPS * BAND;
constexpr int GROUPS = 8, COLUMNS = GROUPS * BAND; /* of results in a row */
constexpr unsigned BLOCKS_WANTED = 528, STEPS_MOST = 16;

template <bool FIRST, typename A, typename B> struct Select {
    typedef A Type;
};
template <typename A, typename B> struct Select<false, A, B> {
    typedef B Type;
};

template <typename Sample, int CHANNELS, int CHUNKS> struct Strip {
    static constexpr int HALO = Reach<CHUNKS>::HALO, SIZE = (int)sizeof(Sample);
    typedef Rows<Sample, CHANNELS> Out;
    typedef Tile<Sample, CHANNELS, STEP + 2 * HALO, (GROUPS + CHUNKS - 1) * SIZE> Source;
    /* Where HALO is half a group, results begin in the middle of 16 bytes. */
    typedef typename Select<HALO * SIZE % WIDE_BYTES == 0, uint4, uint2>::Type Piece;
    static constexpr int BYTES = Source::BYTES + WARPS * BAND * Out::PITCH;
};

template <typename S, typename Sample, int CHANNELS>
__device__ void sharpen(const ImgUnsharp &mask, const uint8_t *own, Results<CHANNELS> &results)
{
    const int lane = (int)threadIdx.x % 32, g = lane / 4, q = lane % 4;
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
#pragma unroll
        for (int i = 0; i < 8; i++) {
            const int row = i / 4, x = i % 4;
            const uint8_t *from = own + c * S::Source::PLANE + (g + 8 * row) * S::Source::PITCH;
            uint32_t &sum = results.at(c, row, x);
            sum = sharpened<Sample>(mask, sum, reinterpret_cast<const Sample *>(from)[4 * q + x]);
        }
}

/* A warp's rows of a step; `own` is its part of the tile, `left` the picture's column there. */
template <typename Sample, int CHANNELS, int CHUNKS, bool SHARPENS>
__device__ void blur_rows(const DirectTask &task, const Bands<CHUNKS> &bands, const uint8_t *own,
                          uint8_t *out, int64_t left, int64_t y)
{
    typedef Strip<Sample, CHANNELS, CHUNKS> S;
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
    for (int part = 0; part < GROUPS / GROUPS_TOGETHER; part++) {
#pragma unroll 1
        for (int k = 0; k < GROUPS_TOGETHER; k++) {
            const int group = part * GROUPS_TOGETHER + k;
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
            if (SHARPENS)
                sharpen<S, Sample>(
                    task.mask, own + S::HALO * S::Source::PITCH + group * GROUP + S::HALO * S::SIZE,
                    results);
            uint8_t *to = out + S::Out::place(k);
            put_row<Sample, CHANNELS>(results, 0, to);
            put_row<Sample, CHANNELS>(results, 1, to + 8 * S::Out::PITCH);
        }
        __syncwarp();
        write_out<typename S::Out, typename S::Piece>(
            task.dst, out, y, (left + S::HALO + part * GROUPS_TOGETHER * BAND) * S::Out::PIXEL);
        __syncwarp();
    }
}

template <typename Sample, int CHANNELS, int CHUNKS, bool SHARPENS>
__global__ void __launch_bounds__(THREADS, CHUNKS == 2 ? 4 : 3) direct_kernel(DirectTask task)
{
    typedef Strip<Sample, CHANNELS, CHUNKS> S;
    IMG_SHARED_DYNAMIC(uint4, memory);
    IMG_SHARED(BandBytes, bytes, [1]);
    uint8_t *tile = reinterpret_cast<uint8_t *>(memory);
    const int warp = (int)threadIdx.x / 32;
    uint8_t *out = tile + S::Source::BYTES + warp * BAND * S::Out::PITCH;
    const int64_t left = (int64_t)(blockIdx.x % task.strips) * COLUMNS - BAND;
    int64_t y = (int64_t)(blockIdx.x / task.strips) * task.steps * STEP;
    make_band<CHUNKS>(task.weights, task.radius, bytes[0]);
    S::Source::template fill<THREADS>(task.src, tile, {left, y - S::HALO}, 0, task.radius);
    __syncthreads();
    Bands<CHUNKS> bands;
    load_bands<Sample, CHUNKS>(bytes[0], SHARPENS, bands);
    for (uint32_t step = 0; step < task.steps; step++, y += STEP) {
        if (step > 0) {
            __syncthreads();
            S::Source::template keep_last<THREADS>(tile, 2 * S::HALO);
            __syncthreads();
            S::Source::template fill<THREADS>(task.src, tile, {left, y - S::HALO}, 2 * S::HALO,
                                              task.radius);
            __syncthreads();
        }
        if (step + 1 < task.steps)
            S::Source::template announce<THREADS>(task.src, {left, y - S::HALO + STEP},
                                                  2 * S::HALO);
        if (y + warp * BAND < task.src.height)
            blur_rows<Sample, CHANNELS, CHUNKS, SHARPENS>(
                task, bands, tile + warp * BAND * S::Source::PITCH, out, left, y + warp * BAND);
    }
}

template <typename Sample, int CHANNELS, int CHUNKS, bool SHARPENS>
ImgStatus launch(DirectTask &task, void *stream, ImgError *err)
{
    typedef Strip<Sample, CHANNELS, CHUNKS> S;
    constexpr int LEFT = BAND - S::HALO; /* columns of the first strip before the picture */
    const uint32_t rows = (uint32_t)((task.src.height - 1) / STEP + 1);
    task.strips = (uint32_t)((task.src.width + LEFT - 1) / COLUMNS + 1);
    task.steps = task.strips * (uint64_t)rows / BLOCKS_WANTED + 1;
    task.steps = task.steps > STEPS_MOST ? STEPS_MOST : task.steps;
    const uint32_t blocks = task.strips * ((rows - 1) / task.steps + 1);
    auto *kernel = direct_kernel<Sample, CHANNELS, CHUNKS, SHARPENS>;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::BYTES),
             err);
    IMG_LAUNCH(kernel, blocks, THREADS, S::BYTES, stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

template <typename Sample, int CHANNELS>
ImgStatus launch_for(DirectTask &task, void *stream, ImgError *err)
{
    if (task.radius <= Reach<2>::HALO)
        return task.sharpens ? launch<Sample, CHANNELS, 2, true>(task, stream, err)
                             : launch<Sample, CHANNELS, 2, false>(task, stream, err);
    return task.sharpens ? launch<Sample, CHANNELS, 3, true>(task, stream, err)
                         : launch<Sample, CHANNELS, 3, false>(task, stream, err);
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
