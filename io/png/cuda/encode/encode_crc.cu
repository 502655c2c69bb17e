/* Computes the CRC-32 of the chunks. Each chunk is divided into pieces, counted from its end. The
 * factor for combining a piece's CRC then depends only on the piece's number. Bytes before the
 * chunk's start count as zeros, which do not change the result. Inverting the first four bytes has
 * the same effect as the CRC's initial value of all ones. */
#include "io/png/cuda/cooperation.cuh"
#include "io/png/cuda/crc_product.h"
#include "io/png/cuda/encode/encode_launch.cuh"

namespace
{

constexpr int THREADS = 256, WARPS = THREADS / 32;
constexpr uint32_t PER_THREAD = 128, PADDED = PER_THREAD + 4, PIECE = ENCODE_CRC_BYTES;
constexpr int SLICES = 4, TYPE_BYTES = 4, FIRST_BYTES = 4;

/* [i]: x^(2^i) modulo the CRC polynomial; bit 31 is the coefficient of x^0. */
struct Powers {
    uint32_t of[32];
};

Powers make_powers(void)
{
    Powers powers;
    powers.of[0] = IMG_CRC_X;
    for (int i = 1; i < 32; i++)
        powers.of[i] = img_crc_product(powers.of[i - 1], powers.of[i - 1]);
    return powers;
}

/* Returns `value` multiplied by x^(exponent << shift), modulo the CRC polynomial. */
__device__ uint32_t times_power(const Powers &powers, uint32_t value, uint32_t exponent, int shift)
{
    for (int i = shift; exponent != 0 && i < 32; exponent >>= 1, i++)
        if ((exponent & 1) != 0)
            value = img_crc_product(value, powers.of[i]);
    return value;
}

/* --- CRC-32 ----------------------------------------------------------------------------------- */

struct Shared {
    uint32_t table[SLICES][256];
    uint32_t words[THREADS * PADDED / 4];
    uint32_t sums[WARPS];
};

__device__ void make_tables(uint32_t (*table)[256])
{
    uint32_t crc = threadIdx.x;
    for (int i = 0; i < 8; i++)
        crc = crc >> 1 ^ ((crc & 1) != 0 ? IMG_CRC_POLYNOMIAL : 0);
    table[0][threadIdx.x] = crc;
    __syncthreads();
    for (int slice = 1; slice < SLICES; slice++) {
        crc = crc >> 8 ^ table[0][crc & 255];
        table[slice][threadIdx.x] = crc;
    }
}

/* Returns the CRC of a thread's bytes. Processes four bytes at a time (Kounavis and Berry,
 * 2005). */
__device__ uint32_t crc_of(const uint32_t (*table)[256], const uint32_t *words)
{
    uint32_t crc = 0;
    for (uint32_t i = 0; i < PER_THREAD / 4; i++) {
        crc ^= words[i];
        crc = table[3][crc & 255] ^ table[2][crc >> 8 & 255] ^ table[1][crc >> 16 & 255] ^
              table[0][crc >> 24];
    }
    return crc;
}

/* Combines the CRCs of the first 2^levels lanes. The CRC of each lane covers 2^exponent bits, which
 * precede the bits of the next lane. Lane 0 gets the result. */
__device__ uint32_t combine_lanes(const Powers &powers, uint32_t crc, int levels, int exponent)
{
    for (int level = 0; level < levels; level++) {
        uint32_t behind = __shfl_down_sync(0xFFFFFFFF, crc, 1u << level);
        if ((threadIdx.x & ((2u << level) - 1)) == 0)
            crc = img_crc_product(crc, powers.of[exponent + level]) ^ behind;
    }
    return crc;
}

/* Combines the CRCs of all threads. Each CRC covers 128 bytes, that is 2^10 bits. Thread 0 gets the
 * result. */
__device__ uint32_t combine(const Powers &powers, uint32_t crc, uint32_t *sums)
{
    crc = combine_lanes(powers, crc, 5, 10);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = crc;
    __syncthreads();
    if (threadIdx.x < 32)
        crc = combine_lanes(powers, threadIdx.x < WARPS ? sums[threadIdx.x] : 0, 3, 15);
    return crc;
}

/* Loads the bytes of all threads from byte `from` of the message onwards; bytes before the message
 * become zeros. Loads are aligned. They may read up to three bytes past the message, which belong
 * to the chunk's CRC field. */
__device__ void load(const uint8_t *message, int64_t from, uint32_t *words)
{
    for (uint32_t i = threadIdx.x; i < PIECE / 4; i += THREADS) {
        const int64_t at = from + 4 * (int64_t)i;
        const unsigned shift = (unsigned)((uintptr_t)(message + at) & 3);
        uint32_t word = 0;
        if (at >= FIRST_BYTES + 4) { /* true if none of the four bytes is inverted */
            const uint32_t *aligned = reinterpret_cast<const uint32_t *>(message + at - shift);
            word = shift == 0 ? aligned[0] : __funnelshift_r(aligned[0], aligned[1], 8 * shift);
        } else {
            for (int k = 0; k < 4; k++)
                if (at + k >= 0)
                    word |= (uint32_t)(message[at + k] ^ (at + k < FIRST_BYTES ? 255 : 0)) << 8 * k;
        }
        words[i * 4 / PER_THREAD * (PADDED / 4) + i % (PER_THREAD / 4)] = word;
    }
}

template <typename Jobs>
__global__ void __launch_bounds__(THREADS) crc_kernel(Jobs jobs, Powers powers)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(Shared, all, [1]);
    Shared *shared = all;
    const EncodeJob &job = jobs.get();
    if (blockIdx.y >= job.strips.count || job.chosen[blockIdx.y] == ENCODE_STRATEGIES)
        return;
    EncodeChunk *chunk = &job.chunks[blockIdx.y];
    const uint8_t *message = job.output + chunk->start + 4;
    const int64_t bytes = TYPE_BYTES + (int64_t)chunk->data;
    const int64_t from = bytes - (int64_t)PIECE * (blockIdx.x + 1);
    if (from <= -(int64_t)PIECE)
        return;
    make_tables(shared->table);
    load(message, from, shared->words);
    __syncthreads();
    uint32_t crc = crc_of(shared->table, shared->words + threadIdx.x * PADDED / 4);
    crc = combine(powers, crc, shared->sums);
    if (threadIdx.x == 0) /* a piece has 2^15 bytes, that is 2^18 bits */
        atomicXor(&chunk->crc, times_power(powers, crc, blockIdx.x, 18));
}

template <typename Jobs> __global__ void __launch_bounds__(THREADS) tails_kernel(Jobs jobs)
{
    IMG_AWAIT_PREVIOUS();
    const EncodeJob &job = jobs.get();
    uint32_t strip = blockIdx.x * THREADS + threadIdx.x;
    if (strip >= job.strips.count || job.chosen[strip] == ENCODE_STRATEGIES)
        return;
    const EncodeChunk chunk = job.chunks[strip];
    uint8_t *to = job.output + chunk.start + ENCODE_CHUNK_HEAD + chunk.data;
    for (int i = 0; i < ENCODE_CHUNK_TAIL; i++)
        to[i] = (uint8_t)(~chunk.crc >> (24 - 8 * i));
}

} // namespace

void img_encode_crc(const EncodeBatch *batch, void *stream)
{
    const Powers powers = make_powers();
    const dim3 strips((batch->strips + THREADS - 1) / THREADS, 1, batch->count);
    const dim3 pieces((unsigned)((batch->chunk + PIECE - 1) / PIECE), batch->strips, batch->count);
    with_jobs(batch, [&](auto jobs) {
        IMG_LAUNCH_EARLY(crc_kernel<decltype(jobs)>, pieces, THREADS, 0, stream, jobs, powers);
        IMG_LAUNCH_EARLY(tails_kernel<decltype(jobs)>, strips, THREADS, 0, stream, jobs);
    });
}
