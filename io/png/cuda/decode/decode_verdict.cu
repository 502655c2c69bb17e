/* Writes the status word: the recorded failures, or IMG_PNG_CUDA_VERIFIED if there are none. */
#include "io/png/cuda/decode/decode_adler.cuh"
#include "io/png/cuda/decode/decode_jobs.cuh"

namespace
{

/* Returns the Adler-32 that the file stores: four bytes after the blocks, in big-endian order. */
__device__ uint32_t stored_adler(const DecodeJob &job)
{
    const uint8_t *at = (const uint8_t *)job.stream + job.end_bit / 8;
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

template <typename Jobs> __global__ void verdict_kernel(Jobs jobs)
{
    const DecodeJob job = jobs.get();
    const DecodeCounters *counters = job.counters;
    uint32_t low = (uint32_t)((counters->sum + 1) % ADLER_MODULUS);
    uint32_t high = (uint32_t)((counters->weighted + job.inflated) % ADLER_MODULUS);
    uint32_t failures = counters->failures;
    if (failures == 0 && (high << 16 | low) != stored_adler(job))
        failures = IMG_PNG_CUDA_BAD_ADLER;
    *job.status = failures == 0 ? IMG_PNG_CUDA_VERIFIED : failures;
}

} // namespace

void img_decode_verdict(const DecodeJob *job, void *stream)
{
    OneJob one = {*job};
    IMG_LAUNCH(verdict_kernel<OneJob>, 1, 1, 0, stream, one);
}

void img_decode_verdict_many(const DecodeBatch *batch, void *stream)
{
    ManyJobs many = {batch->jobs};
    IMG_LAUNCH(verdict_kernel<ManyJobs>, dim3(1, batch->count), 1, 0, stream, many);
}
