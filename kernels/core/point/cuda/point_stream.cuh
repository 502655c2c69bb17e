/* How point operations go through a whole picture: rows are cut into units of one or a few pieces
 * of 16 bytes, and neighbouring threads take neighbouring units. Every thread takes some at a time,
 * and loads the next before it changes those that it has. What a kernel does to a unit is its
 * `Change`:
 *
 *     struct In                                     what one unit is loaded into
 *     FROM_BYTES, TO_BYTES                          of a unit, in source and result
 *     load(row, offset, lane, stream) -> In         of a unit that there is
 *     fill()                                        tables in shared memory, before the first
 *     store(in, unit, row, offset, row_bytes, is_there)  by all threads of a warp together
 *
 * so that tables are filled while the first loads are under way. */
#ifndef IMGTOOL_KERNELS_CORE_POINT_CUDA_POINT_STREAM_CUH
#define IMGTOOL_KERNELS_CORE_POINT_CUDA_POINT_STREAM_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/core/op.h"

constexpr int POINT_LANES = 32;

struct PointStream {
    const uint8_t *src;
    uint8_t *dst;
    size_t src_stride, dst_stride;
    int64_t src_bytes, dst_bytes; /* of a row */
    uint32_t height, units;       /* of a row */
    uint32_t step_unit, step_y;   /* from a thread's unit to its next one */
    uint32_t rounds;              /* in which all threads take AHEAD units each */
};

/* A unit of a picture; past the last one y is the height or more. */
struct PointPlace {
    uint32_t unit, y;

    __device__ void advance(const PointStream &stream)
    {
        unit += stream.step_unit;
        y += stream.step_y;
        if (unit >= stream.units) {
            unit -= stream.units;
            y++;
        }
    }
};

template <typename Change, int AHEAD>
__device__ void point_load(const PointStream &stream, const Change &change, PointPlace &place,
                           typename Change::In (&in)[AHEAD])
{
#pragma unroll
    for (int k = 0; k < AHEAD; k++) {
        if (place.y < stream.height)
            in[k] = change.load(stream.src + place.y * stream.src_stride, place.unit, stream);
        place.advance(stream);
    }
}

template <typename Change, int AHEAD>
__device__ void point_store(const PointStream &stream, const Change &change, PointPlace &place,
                            const typename Change::In (&in)[AHEAD])
{
#pragma unroll
    for (int k = 0; k < AHEAD; k++) {
        uint8_t *row = stream.dst + place.y * stream.dst_stride;
        change.store(in[k], place.unit, row, stream.dst_bytes, place.y < stream.height);
        place.advance(stream);
    }
}

template <typename Change, int AHEAD>
__device__ void point_stream(const PointStream &stream, const Change &change)
{
    const uint32_t first = blockIdx.x * blockDim.x + threadIdx.x;
    PointPlace here = {first % stream.units, first / stream.units}, ahead = here;
    typename Change::In next[AHEAD] = {}, in[AHEAD];
    point_load<Change, AHEAD>(stream, change, ahead, next);
    change.fill();
    __syncthreads();
    for (uint32_t round = 1; round <= stream.rounds; round++) {
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            in[k] = next[k];
        if (round < stream.rounds)
            point_load<Change, AHEAD>(stream, change, ahead, next);
        point_store<Change, AHEAD>(stream, change, here, in);
    }
}

/* Stores the first bytes of a result that are inside the row. */
__device__ inline void point_store_half(uint8_t *row, int64_t offset, int64_t row_bytes, uint2 v)
{
    constexpr int BYTES = 8;
    if (offset + BYTES <= row_bytes)
        *reinterpret_cast<uint2 *>(row + offset) = v;
    else if (offset < row_bytes)
        store_part(row + offset, make_uint4(v.x, v.y, 0, 0), (int)(row_bytes - offset));
}

/* --- On the host ------------------------------------------------------------------------------ */

/* `blocks` of `threads` go through a picture in units of so many bytes of the source. */
inline PointStream point_stream_of(const ImgCall *call, int unit_bytes, unsigned blocks,
                                   int threads, int ahead)
{
    PointStream stream;
    stream.src = call->src.data;
    stream.dst = call->dst.data;
    stream.src_stride = call->src.stride;
    stream.dst_stride = call->dst.stride;
    stream.src_bytes = (int64_t)call->src.width * (int64_t)img_format_pixel_size(call->src.format);
    stream.dst_bytes = (int64_t)call->dst.width * (int64_t)img_format_pixel_size(call->dst.format);
    stream.height = (uint32_t)call->src.height;
    stream.units = (uint32_t)((stream.src_bytes + unit_bytes - 1) / unit_bytes);
    const uint64_t step = (uint64_t)blocks * (unsigned)threads;
    stream.step_unit = (uint32_t)(step % stream.units);
    stream.step_y = (uint32_t)(step / stream.units);
    const uint64_t all = (uint64_t)stream.units * stream.height;
    stream.rounds = (uint32_t)((all + step * (unsigned)ahead - 1) / (step * (unsigned)ahead));
    return stream;
}

/* Launches kernel(stream, change) with as many blocks as multiprocessors hold at a time, and no
 * more than have a unit to begin with. */
template <typename Change, typename Kernel>
ImgStatus point_launch(const ImgCall *call, Kernel *kernel, const Change &change, int threads,
                       int blocks_each, int ahead, size_t shared, ImgError *err)
{
    int device, multiprocessors;
    CUDA_TRY(cudaGetDevice(&device), err);
    CUDA_TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), err);
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared),
             err);
    const int64_t row = (int64_t)call->src.width * (int64_t)img_format_pixel_size(call->src.format);
    const uint64_t units = (uint64_t)((row + Change::FROM_BYTES - 1) / Change::FROM_BYTES) *
                           (uint64_t)call->src.height;
    const uint64_t needed = (units + (unsigned)threads - 1) / (unsigned)threads;
    const uint64_t fitting = (uint64_t)multiprocessors * (unsigned)blocks_each;
    const unsigned blocks = (unsigned)(needed < fitting ? needed : fitting);
    const PointStream stream = point_stream_of(call, Change::FROM_BYTES, blocks, threads, ahead);
    IMG_LAUNCH(kernel, blocks, threads, shared, call->stream, stream, change);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

#endif
