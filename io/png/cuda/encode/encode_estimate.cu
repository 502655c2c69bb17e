/* Estimates how large a strip becomes, from its windows (io/png/encode/estimate_rule.h). For each
 * filtering (choice of candidate filters) estimates the size with run-length encoding, as
 * img_estimate_runs in io/png/encode/estimate.c does. For the first filtering also estimates the
 * bits that LZ77 saves. Each thread block processes one window with one filtering. */
#include "io/png/cuda/encode/encode_block.cuh"
#include "io/png/cuda/encode/encode_decide.cuh"
#include "io/png/cuda/encode/encode_kernels.h"
#include "io/png/cuda/encode/encode_matches.cuh"

namespace
{

using Runs = BlockScratch<matches::WORDS>;

struct Shared {
    Runs runs;
    matches::Scratch saving;
    uint32_t bits, matches_of_runs;
};

/* Returns the count of the symbol of this thread; each literal and each length code has a
 * thread. */
__device__ uint32_t count_of(const Counts &counts)
{
    const uint32_t i = threadIdx.x;
    uint32_t count = 0;
    for (int part = 0; part < PARTS; part++)
        if (i < LITERALS)
            count += IMG_ESTIMATE_COUNTED * counts.literals[part][SAMPLED][i];
        else if (i < LITERALS + tokens::LENGTH_CODES)
            count += counts.lengths[part][i - LITERALS];
    return count;
}

/* Stores the costs of literals and runs in shared->saving. Sets `*outside` to the number of
 * literals, for all threads. Returns the estimated size with run-length encoding in sixteenths of a
 * bit; only thread 0 gets it. */
__device__ uint32_t estimate_runs(const uint8_t *data, uint32_t size, Shared *shared,
                                  uint32_t *outside)
{
    EncodeRange range;
    range.data = data;
    range.from = 0;
    range.to = size;
    range.strip = 0;
    range.is_last = 1;
    range.ends_strip = 1;
    if (threadIdx.x == 0)
        shared->bits = shared->matches_of_runs = 0;
    const uint32_t literals = find_tokens(range, IMG_ESTIMATE_COUNTED, &shared->runs),
                   i = threadIdx.x;
    const uint32_t count = count_of(shared->runs.counts);
    if (i >= LITERALS && count > 0)
        atomicAdd(&shared->matches_of_runs, count);
    *outside = literals;
    __syncthreads();
    const uint32_t found = shared->matches_of_runs, all = literals + found;
    if (i < LITERALS) {
        const uint32_t cost =
            max(img_estimate_cost(all, count), (uint32_t)IMG_ESTIMATE_LITERAL_LEAST);
        shared->saving.costs[i] = cost;
        const uint32_t sum = warp_sum(count * cost);
        if (i % 32 == 0)
            atomicAdd(&shared->bits, sum);
    }
    __syncthreads();
    const uint32_t run_cost = img_estimate_cost(all, found) + IMG_ESTIMATE_DISTANCE;
    if (i == 0)
        shared->saving.run_cost = run_cost;
    return shared->bits + found * run_cost;
}

__global__ void __launch_bounds__(THREADS) estimate_kernel(EncodeJob job)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(Shared, shared, [1]);
    const uint32_t number = blockIdx.x, filtering = blockIdx.y, strip = number / IMG_WINDOWS;
    if (encode_strip_bytes(&job, strip) <= job.small)
        return;
    const ImgWindow window = encode_window(&job, strip, number % IMG_WINDOWS);
    const uint32_t size = encode_window_size(&window);
    const uint8_t *data = encode_window_data(&job, number, filtering);
    uint32_t literals;
    const uint32_t bits = estimate_runs(data, size, shared, &literals);
    if (threadIdx.x == 0)
        job.estimates[number].runs[filtering] = bits;
    if (filtering > 0)
        return;
    const matches::Source source = {reinterpret_cast<const uint32_t *>(data),
                                    shared->runs.runs,
                                    size,
                                    1 + window.bytes,
                                    literals,
                                    0};
    const uint32_t saved =
        matches::save(source, &shared->saving, job.window_sums + (size_t)number * IMG_WINDOW_MOST,
                      job.matches_found + (size_t)number * ENCODE_WINDOW_LOOKUPS);
    if (threadIdx.x == 0)
        job.estimates[number].saved = saved;
}

/* Computes the advice for each strip once, one thread per strip. The thread blocks that later
 * process the rows of the strip only load this advice. */
__global__ void advise_kernel(EncodeJob job)
{
    IMG_AWAIT_PREVIOUS();
    const uint32_t strip = blockIdx.x * blockDim.x + threadIdx.x;
    if (strip < job.strips.count)
        job.advice[strip] = decide::make_advice(job, strip);
}

} // namespace

void img_encode_estimate(const EncodeJob *job, void *stream)
{
    const unsigned strips = job->strips.count;
    if (job->filterings > 0)
        IMG_LAUNCH_EARLY(estimate_kernel, dim3(strips * IMG_WINDOWS, job->filterings), THREADS, 0,
                         stream, *job);
    IMG_LAUNCH_EARLY(advise_kernel, (strips + 31) / 32, 32, 0, stream, *job);
}
