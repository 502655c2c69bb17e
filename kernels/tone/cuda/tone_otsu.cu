/* Otsu's level on the GPU. Each block finds the best split among the values of its chunk. Then a
 * single block finds the best of these splits. */
#include "kernels/tone/cuda/tone_splits.cuh"

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
