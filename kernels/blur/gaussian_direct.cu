/* The Gaussian on CUDA in one pass over memory, its sums in tensor cores.
 *
 * A block goes down a strip of 128 columns, 64 rows per step; the rows that windows of the next
 * step need too stay in shared memory. A warp has 16 of the rows and goes across, 16 columns at a
 * time: sums downwards become bytes in registers, and are where the sums across want them. Results
 * go through shared memory, so that rows are written in long pieces. */
#include "kernels/blur/gaussian_direct.cuh"

#include "kernels/blur/gaussian_bands.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

constexpr int WARPS = 4, THREADS = 32 * WARPS, STEP = WARPS * BAND;
constexpr int GROUPS = 8, COLUMNS = GROUPS * BAND; /* of results in a row */
constexpr int TOGETHER = 4;                        /* groups whose results are written together */
constexpr unsigned BLOCKS_WANTED = 528, STEPS_MOST = 16;

template <bool FIRST, typename A, typename B> struct Select {
    typedef A Type;
};
template <typename A, typename B> struct Select<false, A, B> {
    typedef B Type;
};

template <typename Sample, int CHANNELS, int CHUNKS> struct Strip {
    static constexpr int HALO = Reach<CHUNKS>::HALO, SIZE = (int)sizeof(Sample);
    static constexpr int PIXEL = SIZE * CHANNELS;
    typedef Tile<Sample, CHANNELS, STEP + 2 * HALO, (GROUPS + CHUNKS - 1) * SIZE> Source;
    /* Where HALO is half a group, results begin in the middle of 16 bytes. */
    typedef typename Select<HALO * SIZE % WIDE_BYTES == 0, uint4, uint2>::Type Piece;
    static constexpr int OUT_BYTES = TOGETHER * BAND * PIXEL; /* of a row */
    static constexpr int OUT_PITCH = OUT_BYTES + WIDE_BYTES;
    static constexpr int BYTES = Source::BYTES + WARPS * BAND * OUT_PITCH;
    static constexpr int WORDS = PIXEL; /* of four pixels */
};

/* What rounds the sums across, and the bit of them where a result's sample begins. A mask needs the
 * blurred sample before it is lowered. */
template <typename Sample, bool SHARPENS> struct Rounding {
    static constexpr bool BYTES = sizeof(Sample) == 1;
    static constexpr int32_t HALF = !BYTES ? 1 << 15 : SHARPENS ? 1 << 17 : (1 << 17) + (1 << 23);
};

/* Of sums that are 8 or 2 times those of weights; the sample comes to lie in the uppermost bits. */
template <typename Sample>
__device__ uint32_t sharpened(const ImgUnsharp &mask, uint32_t sum, uint32_t own)
{
    if (sizeof(Sample) == 2) {
        const int32_t lifted = (int32_t)own - IMG_LIFT_ZERO;
        const int32_t blurred = (int32_t)(sum >> 16) - IMG_LIFT_ZERO;
        return (uint32_t)(img_unsharp(&mask, lifted, blurred) + IMG_LIFT_ZERO) << 16;
    }
    const int32_t result =
        img_unsharp(&mask, (int32_t)own << IMG_LIFT_PLACES, (int32_t)(sum >> 18));
    return img_lower_plain(result, 8) << 24;
}

/* Sums of four pixels, by channel; which of a lane's sums is pixel `x` of its row `row`. */
template <int CHANNELS> struct Results {
    uint32_t sum[CHANNELS][2][4];
    __device__ uint32_t &at(int channel, int row, int x)
    {
        return sum[channel][x / 2][2 * row + x % 2];
    }
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

/* Four pixels of a row as they are in memory. */
template <typename S, typename Sample, int CHANNELS>
__device__ void put_row(Results<CHANNELS> &results, int row, uint8_t *out)
{
    uint32_t *to = reinterpret_cast<uint32_t *>(out);
#pragma unroll
    for (int k = 0; k < S::WORDS; k++) {
        uint32_t word;
        if (sizeof(Sample) == 2) {
            const int a = 2 * k, b = 2 * k + 1;
            word = __byte_perm(results.at(a % CHANNELS, row, a / CHANNELS),
                               results.at(b % CHANNELS, row, b / CHANNELS % 4), 0x7632);
        } else {
            const int a = 4 * k;
            const uint32_t first =
                __byte_perm(results.at(a % CHANNELS, row, a / CHANNELS % 4),
                            results.at((a + 1) % CHANNELS, row, (a + 1) / CHANNELS % 4), 0x0073);
            const uint32_t second =
                __byte_perm(results.at((a + 2) % CHANNELS, row, (a + 2) / CHANNELS % 4),
                            results.at((a + 3) % CHANNELS, row, (a + 3) / CHANNELS % 4), 0x0073);
            word = __byte_perm(first, second, 0x5410);
        }
        to[k] = word;
    }
}

__device__ void store_piece(uint8_t *to, uint2 v)
{
    *reinterpret_cast<uint2 *>(to) = v;
}

__device__ void store_piece(uint8_t *to, uint4 v)
{
    *reinterpret_cast<uint4 *>(to) = v;
}

/* A warp's rows from `out` to the picture, from byte `offset` of row y on. */
template <typename S, int CHANNELS>
__device__ void write_out(const DirectTask &task, const uint8_t *out, int64_t y, int64_t offset)
{
    typedef typename S::Piece Piece;
    constexpr int SIZE = (int)sizeof(Piece), PIECES = S::OUT_BYTES / SIZE;
    const int64_t row_bytes = (int64_t)task.src.width * S::PIXEL;
#pragma unroll 2
    for (int i = (int)threadIdx.x % 32; i < BAND * PIECES; i += 32) {
        const int row = i / PIECES, at = i % PIECES * SIZE;
        const uint8_t *from = out + row * S::OUT_PITCH + at;
        uint8_t *to = task.dst + (size_t)(y + row) * task.dst_stride + offset + at;
        if (y + row >= task.src.height || offset + at < 0)
            continue;
        if (offset + at + SIZE <= row_bytes)
            store_piece(to, *reinterpret_cast<const Piece *>(from));
        else
            for (int k = 0; k < row_bytes - offset - at; k++)
                to[k] = from[k];
    }
}

/* A warp's rows of a step; `own` is its part of the tile, `left` the picture's column there. */
template <typename Sample, int CHANNELS, int CHUNKS, bool SHARPENS>
__device__ void blur_rows(const DirectTask &task, const Bands<CHUNKS> &bands, const uint8_t *own,
                          uint8_t *out, int64_t left, int64_t y)
{
    typedef Strip<Sample, CHANNELS, CHUNKS> S;
    constexpr int GROUP = BAND * S::SIZE;
    const int lane = (int)threadIdx.x % 32;
    Weighed window[CHANNELS][CHUNKS];
#pragma unroll
    for (int k = 0; k < CHUNKS - 1; k++)
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            weigh_down<CHUNKS>(bands, own + c * S::Source::PLANE + k * GROUP, S::Source::PITCH,
                               Sample(), window[c][k + 1]);
#pragma unroll 1
    for (int part = 0; part < GROUPS / TOGETHER; part++) {
#pragma unroll 1
        for (int k = 0; k < TOGETHER; k++) {
            const int group = part * TOGETHER + k;
            Results<CHANNELS> results;
#pragma unroll
            for (int c = 0; c < CHANNELS; c++) {
#pragma unroll
                for (int i = 0; i + 1 < CHUNKS; i++)
                    window[c][i] = window[c][i + 1];
                weigh_down<CHUNKS>(bands, own + c * S::Source::PLANE + (group + CHUNKS - 1) * GROUP,
                                   S::Source::PITCH, Sample(), window[c][CHUNKS - 1]);
                weigh_across<CHUNKS>(bands, window[c], Rounding<Sample, SHARPENS>::HALF,
                                     results.sum[c]);
            }
            if (SHARPENS)
                sharpen<S, Sample>(
                    task.mask, own + S::HALO * S::Source::PITCH + group * GROUP + S::HALO * S::SIZE,
                    results);
            uint8_t *to = out + lane / 4 * S::OUT_PITCH + (k * BAND + lane % 4 * 4) * S::PIXEL;
            put_row<S, Sample>(results, 0, to);
            put_row<S, Sample>(results, 1, to + 8 * S::OUT_PITCH);
        }
        __syncwarp();
        write_out<S, CHANNELS>(task, out, y, (left + S::HALO + part * TOGETHER * BAND) * S::PIXEL);
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
    uint8_t *out = tile + S::Source::BYTES + warp * BAND * S::OUT_PITCH;
    const int64_t left = (int64_t)(blockIdx.x % task.strips) * COLUMNS - BAND;
    int64_t y = (int64_t)(blockIdx.x / task.strips) * task.steps * STEP;
    make_band<CHUNKS>(task.weights, task.radius, bytes[0]);
    S::Source::template fill<THREADS>(task.src, tile, left, y - S::HALO, 0);
    __syncthreads();
    Bands<CHUNKS> bands;
    load_bands<Sample, CHUNKS>(bytes[0], bands);
    for (uint32_t step = 0; step < task.steps; step++, y += STEP) {
        if (step > 0) {
            __syncthreads();
            S::Source::template keep_last<THREADS>(tile, 2 * S::HALO);
            __syncthreads();
            S::Source::template fill<THREADS>(task.src, tile, left, y - S::HALO, 2 * S::HALO);
            __syncthreads();
        }
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
