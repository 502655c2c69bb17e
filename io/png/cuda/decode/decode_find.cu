/* Where blocks may start: every bit of the stream is tried, the cheapest tests first, as in
 * M. Knespel, H. Brunst, "Rapidgzip" (HPDC 2023); then whole headers. At least one distance code is
 * asked for: noise that passes for a header has many literals and no distance. */
#include "io/png/cuda/decode/decode_header.cuh"

namespace
{

constexpr int THREADS = 256, CHECK_THREADS = 64, SORT_THREADS = 256;
constexpr uint32_t LENGTHS_AT = 17; /* bits of a header before the lengths of the first code */
constexpr uint32_t SHARES_BITS = 9; /* three lengths */
constexpr int SHARES = 1 << SHARES_BITS;

/* What share of all words the codes of three lengths take, of 128. */
__device__ uint32_t shares_of(uint32_t three)
{
    uint32_t sum = 0;
    for (int i = 0; i < 3; i++) {
        uint32_t length = three >> (3 * i) & 7;
        sum += length > 0 ? 128u >> length : 0;
    }
    return sum;
}

/* `bits` start with a block: is it one with codes of its own, at most 286 and 30 of them? */
__device__ bool may_be_header(uint32_t bits)
{
    return (bits >> 1 & 3) == 2 && (bits >> 3 & 31) <= 29 && (bits >> 8 & 31) <= 29;
}

/* Lengths of the first code: is it complete? */
__device__ bool is_complete(const uint8_t *shares, uint64_t lengths, uint32_t count)
{
    uint32_t sum = 0;
    lengths &= ((uint64_t)1 << (3 * count)) - 1;
    for (int i = 0; i < 7; i++)
        sum += shares[lengths >> (i * SHARES_BITS) & (SHARES - 1)];
    return sum == 128;
}

/* A word of the stream a thread: 32 places. Those that pass the first test are few, so they are
 * gathered before the second one, lest lanes wait for each other at each. */
__global__ void __launch_bounds__(THREADS) find_kernel(DecodeWork work)
{
    IMG_SHARED(uint8_t, shares, [SHARES]);
    for (uint32_t i = threadIdx.x; i < SHARES; i += THREADS)
        shares[i] = (uint8_t)shares_of(i);
    __syncthreads();
    uint32_t index = blockIdx.x * THREADS + threadIdx.x, words[4], places = 0;
    for (uint32_t i = 0; i < 4; i++)
        words[i] = index + i < work.stream_words ? work.stream[index + i] : 0;
#pragma unroll
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t at = index * 32 + i;
        bool inside = at > DECODE_FIRST_BIT && at < work.end_bit;
        if (inside && may_be_header(__funnelshift_r(words[0], words[1], i)))
            places |= 1u << i;
    }
    for (; places != 0; places &= places - 1) {
        uint32_t i = (uint32_t)__ffs((int)places) - 1, shift = (i + LENGTHS_AT) % 32;
        bool far = i + LENGTHS_AT >= 32;
        uint32_t middle = far ? words[2] : words[1];
        uint64_t low = __funnelshift_r(far ? words[1] : words[0], middle, shift);
        uint64_t high = __funnelshift_r(middle, far ? words[3] : words[2], shift);
        uint32_t lengths = 4 + (__funnelshift_r(words[0], words[1], i) >> 13 & 15);
        if (!is_complete(shares, high << 32 | low, lengths))
            continue;
        uint32_t place = atomicAdd(&work.counters->possible, 1u);
        if (place < work.possible_most)
            work.possible[place] = index * 32 + i;
    }
}

/* Whole headers of what is left; the first block is taken as it is. */
__global__ void __launch_bounds__(CHECK_THREADS) check_kernel(DecodeWork work)
{
    IMG_SHARED(uint8_t, symbols, [LENGTH_SYMBOLS][CHECK_THREADS]);
    uint32_t possible = work.counters->possible;
    uint32_t index = blockIdx.x * CHECK_THREADS + threadIdx.x;
    if (index == 0 && possible > work.possible_most)
        decode_doubt(work, IMG_PNG_CUDA_LISTS_FULL);
    for (; index <= min(possible, work.possible_most); index += gridDim.x * CHECK_THREADS) {
        uint32_t at = DECODE_FIRST_BIT;
        if (index > 0) {
            at = work.possible[index - 1];
            Reader reader;
            Header header;
            reader.start(work, at + 3);
            if (!read_header(reader, &symbols[0][threadIdx.x], CHECK_THREADS, nullptr, header) ||
                header.distance_sum.used == 0 || header.symbols > work.end_bit)
                continue;
        }
        uint32_t place = atomicAdd(&work.counters->found, 1u);
        if (place < work.found_most)
            work.found[place] = at;
    }
}

/* A block takes the place that as many come before. */
__global__ void __launch_bounds__(SORT_THREADS) sort_kernel(DecodeWork work)
{
    uint32_t found = work.counters->found, index = blockIdx.x * SORT_THREADS + threadIdx.x;
    if (index == 0 && found > work.found_most)
        decode_doubt(work, IMG_PNG_CUDA_LISTS_FULL);
    found = min(found, work.found_most);
    for (; index < found; index += gridDim.x * SORT_THREADS) {
        uint32_t at = work.found[index], before = 0;
        for (uint32_t i = 0; i < found; i++)
            before += work.found[i] < at;
        work.blocks[before].start = at;
    }
}

} // namespace

void decode_find(const DecodeWork *work, void *stream)
{
    DecodeWork copy = *work;
    uint32_t words = (work->stream_bytes + 3) / 4, some = work->stream_bytes / 256 + 1;
    IMG_LAUNCH(find_kernel, (words + THREADS - 1) / THREADS, THREADS, 0, stream, copy);
    IMG_LAUNCH(check_kernel, (some + CHECK_THREADS - 1) / CHECK_THREADS, CHECK_THREADS, 0, stream,
               copy);
    IMG_LAUNCH(sort_kernel, (some + SORT_THREADS * 8 - 1) / (SORT_THREADS * 8), SORT_THREADS, 0,
               stream, copy);
}
