/* Writes the status word. */
#include "io/png/cuda/decode/decode_adler.cuh"

namespace
{

/* Returns the four bytes after the blocks, in big-endian order. */
__device__ uint32_t stored_adler(const DecodeWork &work)
{
    const uint8_t *at = (const uint8_t *)work.stream + work.end_bit / 8;
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

__global__ void verdict_kernel(DecodeWork work)
{
    const DecodeCounters *counters = work.counters;
    uint32_t low = (uint32_t)((counters->sum + 1) % ADLER_MODULUS);
    uint32_t high = (uint32_t)((counters->weighted + work.inflated) % ADLER_MODULUS);
    uint32_t doubts = counters->doubts;
    if (doubts == 0 && (high << 16 | low) != stored_adler(work))
        doubts = IMG_PNG_CUDA_BAD_ADLER;
    *work.status = doubts == 0 ? IMG_PNG_CUDA_VERIFIED : doubts;
}

} // namespace

void decode_verdict(const DecodeWork *work, void *stream)
{
    DecodeWork copy = *work;
    IMG_LAUNCH(verdict_kernel, 1, 1, 0, stream, copy);
}
