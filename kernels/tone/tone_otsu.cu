/* Otsu's level on the GPU: each block finds the best split at the values of its chunk, and one more
 * the best of those. At 8 bits there is one chunk, and one launch. */
#include "kernels/tone/tone_chunks.cuh"

namespace
{

/* Splits of all threads, word by word, so that neighbours are in banks of their own. */
constexpr int SPLIT_WORDS = 8;

struct Splits {
    uint32_t (&words)[SPLIT_WORDS][THREADS];
    double (&variances)[THREADS];

    __device__ void put(int thread, const ImgSplit &split) const
    {
        for (int i = 0; i < 4; i++)
            words[i][thread] = split.difference[i];
        for (int i = 0; i < 3; i++)
            words[4 + i][thread] = split.weight[i];
        words[7][thread] = split.level;
        variances[thread] = split.variance;
    }

    __device__ ImgSplit get(int thread) const
    {
        ImgSplit split;
        for (int i = 0; i < 4; i++)
            split.difference[i] = words[i][thread];
        for (int i = 0; i < 3; i++)
            split.weight[i] = words[4 + i][thread];
        split.level = words[7][thread];
        split.variance = variances[thread];
        return split;
    }
};

/* The best of all threads' splits, for thread 0, in halves. */
__device__ ImgSplit best_of_block(ImgSplit best, const Splits &splits)
{
    int thread = (int)threadIdx.x;
    splits.put(thread, best);
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (thread >= half)
            continue;
        ImgSplit other = splits.get(thread + half);
        if (img_split_is_better(&other, &best)) {
            best = other;
            splits.put(thread, best);
        }
    }
    return best;
}

/* The best split at one of the chunk's values; the level itself where there is one chunk. */
__global__ void __launch_bounds__(THREADS)
    otsu_chunk_kernel(CountRows rows, const ChunkSum *sums, ImgSplit *out, uint32_t *level)
{
    IMG_SHARED(uint64_t, scanned, [WARPS]);
    IMG_SHARED(uint64_t, known, [2]); /* samples before this chunk, and their sum */
    IMG_SHARED(uint32_t, words, [SPLIT_WORDS][THREADS]);
    IMG_SHARED(double, variances, [THREADS]);
    int chunk = (int)blockIdx.x, start = chunk * CHUNK + (int)threadIdx.x * PER_THREAD;
    Standing at = stand(sums, rows.chunks, scanned);
    uint64_t moment = (int)threadIdx.x < rows.chunks ? sums[threadIdx.x].moment : 0, all_moment;
    uint64_t lower = block_scan(moment, scanned, &all_moment);
    if ((int)threadIdx.x == chunk) {
        known[0] = at.before;
        known[1] = lower;
    }
    uint64_t counts[PER_THREAD], own = 0, unused;
    moment = 0;
    rows.load(start, counts);
    for (int i = 0; i < PER_THREAD; i++) {
        own += counts[i];
        moment += counts[i] * (uint64_t)(start + i);
    }
    uint64_t below = block_scan(own, scanned, &unused) + known[0];
    lower = block_scan(moment, scanned, &unused) + known[1];
    ImgSplit best = img_no_split();
    for (int i = 0; i < PER_THREAD; i++) {
        below += counts[i];
        lower += counts[i] * (uint64_t)(start + i);
        if (counts[i] == 0)
            continue;
        ImgSplit split = img_split((uint32_t)(start + i), below, lower, at.total, all_moment);
        if (img_split_is_better(&split, &best))
            best = split;
    }
    best = best_of_block(best, {words, variances});
    if (threadIdx.x == 0) {
        out[chunk] = best;
        if (rows.chunks == 1)
            *level = best.level;
    }
}

__global__ void __launch_bounds__(THREADS)
    otsu_best_kernel(const ImgSplit *found, int chunks, uint32_t *level)
{
    IMG_SHARED(uint32_t, words, [SPLIT_WORDS][THREADS]);
    IMG_SHARED(double, variances, [THREADS]);
    ImgSplit own = (int)threadIdx.x < chunks ? found[threadIdx.x] : img_no_split();
    own = best_of_block(own, {words, variances});
    if (threadIdx.x == 0)
        *level = own.level;
}

} // namespace

void tone_find_otsu_level(const CountRows &rows, const ChunkSum *sums, ImgSplit *splits,
                          uint32_t *level, void *stream)
{
    IMG_LAUNCH(otsu_chunk_kernel, (unsigned)rows.chunks, THREADS, 0, stream, rows, sums, splits,
               level);
    if (rows.chunks > 1)
        IMG_LAUNCH(otsu_best_kernel, 1, THREADS, 0, stream, splits, rows.chunks, level);
}
