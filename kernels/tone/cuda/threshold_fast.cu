/* Otsu's level on the GPU. Each block finds the best split among the values of its chunk. Then a
 * single block finds the best of these splits. */
#include "kernels/point/point_impls.h"
#include "kernels/tone/cuda/tone_splits.cuh"
#include "kernels/tone/tone.h"

namespace
{

__global__ void __launch_bounds__(CHUNK) otsu_chunk_kernel(ChunkRow row, ImgSplit *out)
{
    IMG_SHARED(BlockRoom, scanned, [1]);
    IMG_SHARED(SplitRoom, room, [1]);
    /* number of samples whose values lie before this chunk of values, and sum of these samples */
    IMG_SHARED(uint64_t, known, [2]);
    tone_let_next_start();
    IMG_AWAIT_PREVIOUS();
    int thread = (int)threadIdx.x, chunk = (int)blockIdx.x, value = chunk * CHUNK + thread;
    uint64_t count = row.count(value), before[2], total[2], unused[2];
    ChunkSum sum = row.sum(thread);
    block_scan({sum.count, sum.moment}, scanned[0], before, total);
    if (thread == chunk) {
        known[0] = before[0];
        known[1] = before[1];
    }
    const uint64_t own[2] = {count, count * (uint64_t)value};
    block_scan(own, scanned[0], before, unused);
    SplitAt split = {
        (uint32_t)value, count,   known[0] + before[0] + own[0], known[1] + before[1] + own[1],
        total[0],        total[1]};
    if (is_best(split, room[0]))
        out[chunk] = split.make();
}

__global__ void __launch_bounds__(CHUNK)
    otsu_best_kernel(const ImgSplit *found, int chunks, uint32_t *level)
{
    IMG_SHARED(SplitRoom, room, [1]);
    tone_let_next_start();
    IMG_AWAIT_PREVIOUS();
    SplitMade own = {(int)threadIdx.x < chunks ? found + threadIdx.x : nullptr};
    if (is_best(own, room[0]))
        *level = own.make().level;
}

} // namespace

void tone_find_level(const ChunkRow &row, ImgSplit *splits, uint32_t *level, void *stream)
{
    IMG_LAUNCH_EARLY(otsu_chunk_kernel, (unsigned)row.chunks, CHUNK, 0, stream, row, splits);
    IMG_LAUNCH_EARLY(otsu_best_kernel, 1, CHUNK, 0, stream, splits, row.chunks, level);
}

/* --- threshold -------------------------------------------------------------------------------- */

/* Threshold on the GPU. If the user gives the level, it uses the kernels of point operations.
 * Otherwise it uses the kernels of the tone family, which find the level with Otsu's method. */
ImgStatus img_threshold_cuda_fast(const ImgCall *call, ImgError *err)
{
    return (call->constants.bytes != NULL ? img_point_cuda_fast : img_tone_cuda_fast)(call, err);
}

size_t img_threshold_cuda_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    const auto *own = static_cast<const ImgThresholdParams *>(params);
    return own->value == IMG_THRESHOLD_OTSU ? img_tone_cuda_workspace(op, src, params) : 0;
}
