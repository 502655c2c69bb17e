/* The loop of point operations over a picture. Rows are divided into units of one or a few pieces
 * of 16 bytes; neighbouring lanes take neighbouring units. A warp takes AHEAD units per lane at
 * once, all in one row: a run. It loads the next run before it processes the current one. The
 * `Change` of a kernel defines the work on a unit:
 *
 *     In                           registers that contain a unit of the source
 *     FROM_BYTES, TO_BYTES         bytes of a unit in the source and in the result
 *     AHEAD                        number of units that a lane processes at once
 *     load(at, unit, left) -> In   loads a unit inside the row, of which `left` bytes remain
 *     fill()                       fills tables in shared memory; all threads of a block call it
 *     store(in, unit, at, left)    processes and stores a unit, or nothing if left <= 0; all lanes
 *                                  of a warp call it
 *
 * Tables are filled while the first loads run. */
#ifndef IMGTOOL_KERNELS_POINT_CUDA_POINT_STREAM_CUH
#define IMGTOOL_KERNELS_POINT_CUDA_POINT_STREAM_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/shared_memory.cuh"
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/core/op.h"

constexpr int POINT_LANES = 32, POINT_THREADS = 1024; /* lanes per warp, and threads per block */

struct PointStream {
    const uint8_t *src;
    uint8_t *dst;
    size_t src_stride, dst_stride;
    int64_t src_bytes, dst_bytes; /* bytes per row */
    /* number of rows, and number of runs in each row; a run is the data that a warp processes at
     * once */
    uint32_t height, runs;
    /* a warp's next run is `step_run` runs and `step_y` rows after its current one */
    uint32_t step_run, step_y;
    /* number of runs that each warp processes, one after another; some may lie past the last row */
    uint32_t rounds;
};

/* Position of a run. Past the last run, `y` is at least the height of the picture. */
struct PointPlace {
    uint32_t run, y;

    __device__ void advance(const PointStream &stream)
    {
        run += stream.step_run;
        y += stream.step_y;
        if (run >= stream.runs) {
            run -= stream.runs;
            y++;
        }
    }
};

/* Returns the number of bytes from the start of unit `unit` to the end of the row, at most MOST, so
 * that it fits an int. It is 0 or less if the row ends before the unit. It is 0 if `is_there` is
 * false, which means that the row is past the last one. */
template <int BYTES> __device__ int point_left(int64_t row_bytes, uint32_t unit, bool is_there)
{
    constexpr int64_t MOST = 1 << 30;
    const int64_t left = row_bytes - (int64_t)unit * BYTES;
    return is_there ? (int)min(left, MOST) : 0;
}

template <typename Change> using PointUnits = typename Change::In[Change::AHEAD];

template <typename Change>
__device__ void point_load(const PointStream &stream, const Change &change, const PointPlace &place,
                           PointUnits<Change> &in)
{
    constexpr int STEP = POINT_LANES * Change::FROM_BYTES;
    const uint32_t unit = place.run * (Change::AHEAD * POINT_LANES) + threadIdx.x % POINT_LANES;
    const int left =
        point_left<Change::FROM_BYTES>(stream.src_bytes, unit, place.y < stream.height);
    const uint8_t *at =
        stream.src + place.y * stream.src_stride + (size_t)unit * Change::FROM_BYTES;
#pragma unroll
    for (int k = 0; k < Change::AHEAD; k++)
        if (left > k * STEP)
            in[k] = change.load(at + k * STEP, unit + k * POINT_LANES, left - k * STEP);
}

template <typename Change>
__device__ void point_store(const PointStream &stream, const Change &change,
                            const PointPlace &place, const PointUnits<Change> &in)
{
    constexpr int STEP = POINT_LANES * Change::TO_BYTES;
    const uint32_t unit = place.run * (Change::AHEAD * POINT_LANES) + threadIdx.x % POINT_LANES;
    const int left = point_left<Change::TO_BYTES>(stream.dst_bytes, unit, place.y < stream.height);
    uint8_t *at = stream.dst + place.y * stream.dst_stride + (size_t)unit * Change::TO_BYTES;
#pragma unroll
    for (int k = 0; k < Change::AHEAD; k++)
        change.store(in[k], unit + k * POINT_LANES, at + k * STEP, left - k * STEP);
}

template <typename Change>
__global__ void __launch_bounds__(POINT_THREADS) point_kernel(PointStream stream, Change change)
{
    const uint32_t first = (blockIdx.x * blockDim.x + threadIdx.x) / POINT_LANES;
    PointPlace here = {first % stream.runs, first / stream.runs}, ahead = here;
    PointUnits<Change> next = {}, in;
    point_load<Change>(stream, change, ahead, next);
    change.fill();
    __syncthreads();
    for (uint32_t round = 1; round <= stream.rounds; round++) {
#pragma unroll
        for (int k = 0; k < Change::AHEAD; k++)
            in[k] = next[k];
        ahead.advance(stream);
        if (round < stream.rounds)
            point_load<Change>(stream, change, ahead, next);
        point_store<Change>(stream, change, here, in);
        here = ahead;
    }
}

/* Loads 16 bytes without the prefetch of load_wide. Kernels that read whole rows do not need the
 * prefetch, and were 1 % slower with it. */
__device__ inline uint4 point_get(const uint8_t *at)
{
    return __ldg(reinterpret_cast<const uint4 *>(at));
}

/* Stores the bytes of `v` that are inside the row, of which `left` bytes remain. */
__device__ inline void point_put(uint8_t *at, int left, uint4 v)
{
    if (left >= WIDE_BYTES)
        *reinterpret_cast<uint4 *>(at) = v;
    else if (left > 0)
        store_part(at, v, left);
}

__device__ inline void point_put_half(uint8_t *at, int left, uint2 v)
{
    if (left >= WIDE_BYTES / 2)
        *reinterpret_cast<uint2 *>(at) = v;
    else if (left > 0)
        store_part(at, make_uint4(v.x, v.y, 0, 0), left);
}

/* --- On the host ------------------------------------------------------------------------------ */

/* Divides the source into runs of `run_bytes` bytes, and the runs among `warps` warps. */
inline PointStream point_stream_of(const ImgCall *call, int64_t run_bytes, uint64_t warps)
{
    PointStream stream;
    stream.src = call->src.data;
    stream.dst = call->dst.data;
    stream.src_stride = call->src.stride;
    stream.dst_stride = call->dst.stride;
    stream.src_bytes = (int64_t)call->src.width * (int64_t)img_format_pixel_size(call->src.format);
    stream.dst_bytes = (int64_t)call->dst.width * (int64_t)img_format_pixel_size(call->dst.format);
    stream.height = (uint32_t)call->src.height;
    stream.runs = (uint32_t)((stream.src_bytes + run_bytes - 1) / run_bytes);
    stream.step_run = (uint32_t)(warps % stream.runs);
    stream.step_y = (uint32_t)(warps / stream.runs);
    stream.rounds = (uint32_t)(((uint64_t)stream.runs * stream.height + warps - 1) / warps);
    return stream;
}

/* Launches the kernel with one block per multiprocessor, or with fewer blocks if there are fewer
 * runs. `shared` is the number of bytes of shared memory for tables. */
template <typename Change>
ImgStatus point_launch(const ImgCall *call, const Change &change, size_t shared, ImgError *err)
{
    constexpr uint64_t WARPS = POINT_THREADS / POINT_LANES;
    constexpr int64_t RUN_BYTES = Change::AHEAD * POINT_LANES * Change::FROM_BYTES;
    int device, multiprocessors;
    auto *kernel = point_kernel<Change>;
    CUDA_TRY(cudaGetDevice(&device), err);
    CUDA_TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), err);
    CUDA_TRY(allow_shared_memory(kernel), err);
    /* computed for one warp: only the number of runs is used, which does not depend on the number
     * of warps */
    const PointStream whole = point_stream_of(call, RUN_BYTES, 1);
    const uint64_t needed = ((uint64_t)whole.runs * whole.height + WARPS - 1) / WARPS;
    const uint64_t blocks = needed < (uint64_t)multiprocessors ? needed : (uint64_t)multiprocessors;
    const PointStream stream = point_stream_of(call, RUN_BYTES, blocks * WARPS);
    IMG_LAUNCH(kernel, (unsigned)blocks, POINT_THREADS, shared, call->stream, stream, change);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

#endif
