/* The codes of a deflate block: a block of threads takes it apart, makes Huffman codes and a
 * header, and counts how many bits each part will take. All literals are counted, not only those
 * that are sampled, so that this is known before anything is written. */
#include "io/png/cuda/encode/encode_counts.cuh"
#include "io/png/cuda/encode/encode_header.cuh"
#include "io/png/cuda/encode/encode_kernels.h"

namespace
{

constexpr int CODE_LIMIT = 14;
constexpr uint32_t STORED_MOST = 65535, STORED_FRAME = 5;

struct Shared {
    uint32_t equal[ENCODE_BLOCK_WORDS]; /* becomes where matches begin */
    union {
        uint32_t runs[ENCODE_BLOCK_WORDS];
        struct { /* once the runs are stored */
            huffman::Work huffman;
            Header header;
        };
    };
    Counts counts;
    uint32_t estimated[ENCODE_SYMBOLS], codes[ENCODE_SYMBOLS];
    uint8_t lengths[ENCODE_SYMBOLS];
    uint32_t scratch[WARPS], more_scratch[WARPS];
    uint32_t in_runs, bits[PARTS + 1];
};

__device__ void clear(Shared *shared)
{
    uint32_t *counts = reinterpret_cast<uint32_t *>(&shared->counts);
    for (uint32_t i = threadIdx.x; i < sizeof shared->counts / 4; i += THREADS)
        counts[i] = 0;
    if (threadIdx.x <= PARTS)
        shared->bits[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        shared->in_runs = 0;
    __syncthreads();
}

__device__ uint32_t stored_bytes(uint32_t size)
{
    return size + (size + STORED_MOST - 1) / STORED_MOST * STORED_FRAME + 1;
}

__device__ void store_words(const uint32_t *from, uint32_t *to, uint32_t count)
{
    for (uint32_t i = threadIdx.x; i < count; i += THREADS)
        to[i] = from[i];
}

/* Counts and, for the codes, estimates; runs and matches go to the workspace. */
__device__ void take_apart(const EncodeJob &job, uint32_t block, const EncodeRange &range,
                           Shared *shared)
{
    const uint32_t bytes = range.to - range.from, words = (bytes + 31) / 32;
    const size_t at = (size_t)block * ENCODE_BLOCK_WORDS;
    uint32_t *equal = shared->equal, *runs = shared->runs;
    Counts *counts = &shared->counts;
    clear(shared);
    compare_bytes(range, job.sample_step, equal, counts);
    __syncthreads();
    find_runs(equal, words, runs);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < words; i += THREADS)
        equal[i] = 0;
    uint32_t literals = bytes - count_bits(runs, words, &shared->in_runs);
    divide_runs(runs, bytes, words, equal, counts);
    take_runs_back(range, job.sample_step, runs, words, counts);
    __syncthreads();
    store_words(runs, job.runs + at, words);
    store_words(equal, job.matches + at, words);
    estimate(counts, literals > SAMPLE_LEAST ? job.sample_step : 1, shared->codes,
             shared->estimated);
}

__device__ uint32_t make_header(const EncodeRange &range, Shared *shared)
{
    Header *header = &shared->header;
    state_lengths(header, shared->lengths, shared->scratch);
    huffman::make_lengths(&shared->huffman, header->counts, LENGTH_SYMBOLS, LENGTH_LIMIT,
                          header->lengths);
    huffman::make_codes(&shared->huffman, header->lengths, LENGTH_SYMBOLS, header->codes);
    return put_header(header, range.is_last != 0, shared->more_scratch);
}

/* One thread: the sizes that follow from the codes. */
__device__ EncodeBlock measure(const Shared *shared, uint32_t header_bits, uint32_t bytes)
{
    EncodeBlock block;
    block.header_bits = header_bits;
    uint32_t bits = header_bits, extra = 0;
    for (int part = 0; part < PARTS; part++) {
        block.before[part] = bits;
        bits += shared->bits[part] + shared->counts.extra_bits[part];
        extra += shared->counts.extra_bits[part];
    }
    block.dynamic_bits = bits + shared->lengths[tokens::END_OF_BLOCK];
    block.is_worth = header_bits + extra + shared->bits[PARTS] < 8 * stored_bytes(bytes);
    return block;
}

__global__ void __launch_bounds__(THREADS, 3) codes_kernel(EncodeJob job)
{
    IMG_SHARED(Shared, all, [1]);
    Shared *shared = all;
    const uint32_t block = blockIdx.x;
    const EncodeRange range = encode_range(&job, block);
    take_apart(job, block, range, shared);
    huffman::make_lengths(&shared->huffman, shared->estimated, ENCODE_SYMBOLS, CODE_LIMIT,
                          shared->lengths);
    sum_bits(&shared->counts, shared->estimated, shared->lengths, shared->bits);
    huffman::make_codes(&shared->huffman, shared->lengths, ENCODE_SYMBOLS, shared->codes);
    store_words(shared->codes, job.codes + (size_t)block * ENCODE_SYMBOLS, ENCODE_SYMBOLS);
    uint32_t header_bits = make_header(range, shared);
    store_words(shared->header.bits, job.headers + (size_t)block * ENCODE_HEADER_WORDS,
                ENCODE_HEADER_WORDS);
    if (threadIdx.x == 0)
        job.blocks[block] = measure(shared, header_bits, range.to - range.from);
}

} // namespace

void img_encode_codes(const EncodeJob *job, uint32_t blocks, void *stream)
{
    IMG_LAUNCH(codes_kernel, blocks, THREADS, 0, stream, *job);
}
