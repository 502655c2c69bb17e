/* The Adler-32 of all bytes (RFC 1950): their sum, and their sum weighted by how many there are
 * from each on. Whole numbers add up the same in any order. */
#include "io/png/cuda/cooperation.cuh"
#include "io/png/cuda/decode/decode_bits.cuh"

namespace
{

constexpr int THREADS = 256, EACH = 16;
constexpr uint32_t MODULUS = 65521;

__global__ void __launch_bounds__(THREADS) adler_kernel(DecodeWork work)
{
    if (decode_is_over(work))
        return;
    uint32_t first = blockIdx.x * THREADS * EACH + threadIdx.x, sum = 0;
    uint64_t weighted = 0;
    for (int i = 0; i < EACH; i++) {
        uint32_t at = first + i * THREADS;
        if (at >= work.inflated)
            break;
        uint32_t byte = work.bytes[at];
        sum += byte;
        weighted += (uint64_t)byte * (work.inflated - at);
    }
    uint32_t rest = (uint32_t)(weighted % MODULUS); /* 32 of them fit 32 bits */
    sum = warp_sum(sum);
    rest = warp_sum(rest);
    if (threadIdx.x % 32 > 0)
        return;
    atomicAdd(&work.counters->sum, (unsigned long long)sum);
    atomicAdd(&work.counters->weighted, (unsigned long long)rest);
}

} // namespace

void decode_adler(const DecodeWork *work, void *stream)
{
    DecodeWork copy = *work;
    uint32_t blocks = (work->inflated - 1) / (THREADS * EACH) + 1;
    IMG_LAUNCH(adler_kernel, blocks, THREADS, 0, stream, copy);
}
