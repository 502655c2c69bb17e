/* Searches for the starts of deflate blocks, if the file has no list of them. Tests every bit
 * position, the cheapest tests first, as in M. Knespel, H. Brunst, "Rapidgzip" (HPDC 2023). Then
 * checks the whole headers at the positions that pass. Rejects headers without a distance code,
 * because false headers in noise often have many literal codes and no distance code. */
#include "io/png/cuda/cooperation.cuh"
#include "io/png/cuda/decode/decode_header.cuh"

namespace
{

constexpr int THREADS = 256, CHECK_THREADS = 64, SORT_THREADS = 256;
/* Offset and size, in bits, of the number of code lengths (HCLEN) in a block header. The three bits
 * that begin the block and two counts of five bits precede it. */
constexpr uint32_t COUNT_AT = 13, COUNT_BITS = 4;
/* PLACES: bit positions that a thread block tests. MORE: words that it reads after them. */
constexpr uint32_t PLACES = THREADS * 32, MORE = 3;

/* Returns 32 of the 64 bits `high`:`low`, from bit `ahead` onwards. */
__device__ uint32_t bits_at(uint32_t low, uint32_t high, uint32_t ahead)
{
    return __funnelshift_r(low, high, ahead);
}

/* Returns a mask. Bit i is set if the five bits from bit i + `ahead` onwards have the value 30 or
 * 31. Both are invalid numbers of codes. */
__device__ uint32_t are_too_many(uint32_t low, uint32_t high, uint32_t ahead)
{
    return bits_at(low, high, ahead + 1) & bits_at(low, high, ahead + 2) &
           bits_at(low, high, ahead + 3) & bits_at(low, high, ahead + 4);
}

/* Returns a mask of the bits in `low` at which the header of a dynamic block may start. Such a
 * header has at most 286 literal and length codes, and at most 30 distance codes. The mask never
 * has two adjacent bits set, because the block type requires a 0 bit before a 1 bit. */
__device__ uint32_t possible_places(const DecodeJob &job, uint32_t index, uint32_t low,
                                    uint32_t high)
{
    uint32_t at = index * 32, inside = 0xffffffffu;
    if (at >= job.end_bit)
        return 0;
    if (job.end_bit - at < 32)
        inside = (1u << (job.end_bit - at)) - 1;
    if (at == 0)
        inside &= ~0u << (DECODE_FIRST_BIT + 1);
    return inside & ~bits_at(low, high, 1) & bits_at(low, high, 2) & ~are_too_many(low, high, 3) &
           ~are_too_many(low, high, 8);
}

/* Returns `sum` plus the shares of the four code lengths (three bits each) in `lengths`. The share
 * of a length is 2^(7 - length), or 0 for length 0. All four shares are looked up at once in a
 * table of bytes. */
__device__ uint32_t add_shares(uint32_t lengths, uint32_t sum)
{
    uint32_t twos = (lengths & 0x3f) | (lengths & 0xfc0) << 2;
    uint32_t digits = (twos & 0x0707) | (twos & 0x3838) << 1;
    return __dp4a(__byte_perm(0x10204000u, 0x01020408u, digits), 0x01010101u, sum);
}

/* Returns true if the header at bit `place` of `words` begins with a complete code for code
 * lengths. */
__device__ bool is_complete(const uint32_t *words, uint32_t place)
{
    uint32_t word = (place + COUNT_AT) / 32, shift = (place + COUNT_AT) % 32, sum = 0;
    uint32_t low = __funnelshift_r(words[word], words[word + 1], shift);
    uint32_t high = __funnelshift_r(words[word + 1], words[word + 2], shift);
    uint32_t count = 4 + low % (1u << COUNT_BITS);
    uint64_t lengths = ((uint64_t)high << 32 | low) >> COUNT_BITS;
    lengths &= ((uint64_t)1 << (3 * count)) - 1;
    for (int i = 0; i < 5; i++, lengths >>= 12)
        sum = add_shares((uint32_t)lengths, sum);
    return sum == 128;
}

/* Finds positions at which a header may start; each thread tests 32 positions. The thread block
 * collects the few that pass the first test before it runs the second, so that no lane idles. */
__global__ void __launch_bounds__(THREADS) find_kernel(DecodeJob job)
{
    IMG_SHARED(uint32_t, words, [THREADS + MORE]);
    IMG_SHARED(uint16_t, queue, [PLACES / 2]);
    IMG_SHARED(uint32_t, scratch, [2][THREADS / 32]);
    /* [0]: index of the thread block's first entry in job.possible. */
    IMG_SHARED(uint32_t, list, [1]);
    uint32_t first = blockIdx.x * THREADS, t = threadIdx.x, total, passed = 0;
    for (uint32_t i = t; i < THREADS + MORE; i += THREADS)
        words[i] = first + i < job.stream_words ? job.stream[first + i] : 0;
    __syncthreads();
    uint32_t places = possible_places(job, first + t, words[t], words[t + 1]);
    uint32_t to = block_scan<THREADS>((uint32_t)__popc(places), scratch[0], &total);
    for (; places != 0; places &= places - 1)
        queue[to++] = (uint16_t)(t * 32 + (uint32_t)__ffs((int)places) - 1);
    __syncthreads();
    for (uint32_t i = 0; i * THREADS + t < total; i++)
        passed |= (is_complete(words, queue[i * THREADS + t]) ? 1u : 0u) << i;
    to = block_scan<THREADS>((uint32_t)__popc(passed), scratch[1], &total);
    if (t == 0 && total > 0)
        list[0] = atomicAdd(&job.counters->possible, total);
    __syncthreads();
    for (; passed != 0; passed &= passed - 1, to++) {
        uint32_t i = (uint32_t)__ffs((int)passed) - 1;
        if (list[0] + to < job.possible_most)
            job.possible[list[0] + to] = first * 32 + queue[i * THREADS + t];
    }
}

/* Checks the whole headers at the positions that passed both quick tests of find_kernel. Accepts
 * the start of the stream's first block without a check. */
__global__ void __launch_bounds__(CHECK_THREADS) check_kernel(DecodeJob job)
{
    IMG_SHARED(uint8_t, symbols, [LENGTH_SYMBOLS][CHECK_THREADS]);
    uint32_t possible = job.counters->possible;
    uint32_t index = blockIdx.x * CHECK_THREADS + threadIdx.x;
    if (index == 0 && possible > job.possible_most)
        decode_fail(job, IMG_PNG_CUDA_LISTS_FULL);
    for (; index <= min(possible, job.possible_most); index += gridDim.x * CHECK_THREADS) {
        uint32_t at = DECODE_FIRST_BIT;
        if (index > 0) {
            at = job.possible[index - 1];
            Reader reader;
            Header header;
            reader.start(job, at + 3);
            if (!read_header(reader, &symbols[0][threadIdx.x], CHECK_THREADS, nullptr, header) ||
                header.distance_sum.used == 0 || header.symbols > job.end_bit)
                continue;
        }
        uint32_t place = atomicAdd(&job.counters->found, 1u);
        if (place < job.found_most)
            job.found[place] = at;
    }
}

/* Sorts the found blocks by position. The index of a block in the result is the number of found
 * blocks at lower positions. The lanes of a warp count these together. */
__global__ void __launch_bounds__(SORT_THREADS) sort_kernel(DecodeJob job)
{
    uint32_t found = job.counters->found, lane = threadIdx.x % 32;
    uint32_t index = (blockIdx.x * SORT_THREADS + threadIdx.x) / 32;
    if (index == 0 && lane == 0 && found > job.found_most)
        decode_fail(job, IMG_PNG_CUDA_LISTS_FULL);
    found = min(found, job.found_most);
    for (; index < found; index += gridDim.x * (SORT_THREADS / 32)) {
        uint32_t at = job.found[index], before = 0;
        for (uint32_t i = lane; i < found; i += 32)
            before += job.found[i] < at;
        before = warp_sum(before);
        if (lane == 0)
            job.blocks[before].start = at;
    }
}

/* Takes the block starts from a list; each thread processes one entry. Later kernels detect wrong
 * starts, but require ascending positions within the stream. So other positions are a failure
 * here. */
__global__ void __launch_bounds__(THREADS)
    take_kernel(DecodeJob job, const uint32_t *starts, uint32_t count)
{
    uint32_t index = blockIdx.x * THREADS + threadIdx.x;
    if (index >= count)
        return;
    uint32_t start = starts[index];
    if (start >= job.end_bit || (index > 0 && start <= starts[index - 1]))
        decode_fail(job, IMG_PNG_CUDA_BAD_STREAM);
    job.blocks[index].start = min(start, job.end_bit);
    if (index == 0)
        job.counters->found = count;
}

} // namespace

void img_decode_take_list(const DecodeJob *job, const uint32_t *starts, uint32_t count,
                          void *stream)
{
    IMG_LAUNCH(take_kernel, (count + THREADS - 1) / THREADS, THREADS, 0, stream, *job, starts,
               count);
}

void img_decode_find(const DecodeJob *job, void *stream)
{
    DecodeJob copy = *job;
    uint32_t words = (job->stream_bytes + 3) / 4, some = job->stream_bytes / 256 + 1;
    IMG_LAUNCH(find_kernel, (words + THREADS - 1) / THREADS, THREADS, 0, stream, copy);
    IMG_LAUNCH(check_kernel, some / CHECK_THREADS * 2 + 1, CHECK_THREADS, 0, stream, copy);
    IMG_LAUNCH(sort_kernel, (some + SORT_THREADS - 1) / SORT_THREADS, SORT_THREADS, 0, stream,
               copy);
}
