/* Private to encode_codes, encode_samples and encode_estimate: one thread block analyses one
 * deflate block with run-length encoding. It finds the tokens (literals and matches), makes the
 * codes, and computes the size in bits. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_BLOCK_CUH
#define IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_BLOCK_CUH

#include "io/png/cuda/encode/encode_counts.cuh"
#include "io/png/cuda/encode/encode_header.cuh"

constexpr int CODE_LIMIT = 14;
constexpr uint32_t STORED_MOST = 65535, STORED_FRAME = 5;

/* Shared memory for analysing a block of at most WORDS * 32 bytes of data. */
template <uint32_t WORDS> struct BlockScratch {
    /* Bit i is set if byte i equals the byte before it. find_tokens replaces this by a mask of the
     * bytes at which matches begin. */
    uint32_t equal[WORDS];
    union {
        uint32_t runs[WORDS];
        struct { /* in use when `runs` is no longer needed */
            huffman::Scratch huffman;
            Header header;
        };
    };
    Counts counts;
    uint32_t estimated[ENCODE_SYMBOLS], codes[ENCODE_SYMBOLS];
    uint8_t lengths[ENCODE_SYMBOLS], distances[DISTANCES];
    uint32_t scratch[WARPS], more_scratch[WARPS];
    uint32_t in_runs, bits[PARTS + 1];
};

template <uint32_t WORDS> __device__ inline void clear(BlockScratch<WORDS> *work)
{
    uint32_t *counts = reinterpret_cast<uint32_t *>(&work->counts);
    for (uint32_t i = threadIdx.x; i < sizeof work->counts / 4; i += THREADS)
        counts[i] = 0;
    if (threadIdx.x <= PARTS)
        work->bits[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        work->in_runs = 0;
    __syncthreads();
}

__device__ inline uint32_t stored_bytes(uint32_t size)
{
    return size + (size + STORED_MOST - 1) / STORED_MOST * STORED_FRAME + 1;
}

/* Finds the runs and counts the symbols. Replaces work->equal by a mask of the bytes at which
 * matches begin. Returns the number of literals. */
template <uint32_t WORDS>
__device__ inline uint32_t find_tokens(const EncodeRange &range, uint32_t step,
                                       BlockScratch<WORDS> *work)
{
    const uint32_t bytes = range.to - range.from, words = (bytes + 31) / 32;
    uint32_t *equal = work->equal, *runs = work->runs;
    Counts *counts = &work->counts;
    clear(work);
    compare_bytes(range, step, equal, counts);
    __syncthreads();
    find_runs(equal, words, runs);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < words; i += THREADS)
        equal[i] = 0;
    uint32_t literals = bytes - count_bits(runs, words, &work->in_runs);
    divide_runs(runs, bytes, words, equal, counts);
    take_runs_back(range, step, runs, words, counts);
    __syncthreads();
    return literals;
}

/* Computes the lengths of the Huffman codes, and the sizes of all parts of the block with these
 * codes. */
template <uint32_t WORDS>
__device__ inline void make_lengths(uint32_t step, uint32_t literals, BlockScratch<WORDS> *work)
{
    estimate(&work->counts, literals > SAMPLE_LEAST ? step : 1, work->codes, work->estimated);
    huffman::make_lengths(&work->huffman, work->estimated, ENCODE_SYMBOLS, CODE_LIMIT,
                          work->lengths);
    sum_bits(&work->counts, work->estimated, work->lengths, work->bits);
}

/* Makes the block's header and returns its size in bits. The header has two distance codes of one
 * bit each, because two such codes form a complete code. Only one of them is used. */
template <uint32_t WORDS>
__device__ inline uint32_t make_header(const EncodeRange &range, BlockScratch<WORDS> *work)
{
    if (threadIdx.x < DISTANCES)
        work->distances[threadIdx.x] = threadIdx.x < 2;
    __syncthreads();
    return make_header(&work->header, &work->huffman, work->lengths, work->distances,
                       range.is_last != 0, work->scratch, work->more_scratch);
}

/* Computes the sizes of the block and its parts from the code lengths. Called by one thread. */
template <uint32_t WORDS>
__device__ inline EncodeBlock measure(const BlockScratch<WORDS> *work, uint32_t header_bits,
                                      uint32_t literals, uint32_t bytes)
{
    EncodeBlock block;
    block.header_bits = header_bits;
    block.literals = literals;
    uint32_t bits = header_bits, extra = 0;
    for (int part = 0; part < PARTS; part++) {
        block.before[part] = bits;
        bits += work->bits[part] + work->counts.extra_bits[part];
        extra += work->counts.extra_bits[part];
    }
    block.dynamic_bits = bits + work->lengths[tokens::END_OF_BLOCK];
    block.is_worth = header_bits + extra + work->bits[PARTS] < 8 * stored_bytes(bytes);
    return block;
}

/* Returns the range of the only block of a stream. */
__device__ inline EncodeRange range_of(const uint8_t *data, uint32_t bytes)
{
    EncodeRange range;
    range.data = data;
    range.from = 0;
    range.to = bytes;
    range.strip = 0;
    range.is_last = 1;
    range.ends_strip = 1;
    return range;
}

/* Returns the size in bytes of data that run-length encoding deflates to a stream of one block, as
 * img_measure_runs does. Called by all threads; only thread 0 gets the result. */
template <uint32_t WORDS>
__device__ inline uint32_t measure_runs(const uint8_t *data, uint32_t bytes, uint32_t step,
                                        BlockScratch<WORDS> *work)
{
    const EncodeRange range = range_of(data, bytes);
    const uint32_t literals = find_tokens(range, step, work);
    make_lengths(step, literals, work);
    const uint32_t header_bits = make_header(range, work);
    if (threadIdx.x > 0)
        return 0;
    const EncodeBlock block = measure(work, header_bits, literals, bytes);
    const uint32_t stored = stored_bytes(bytes);
    return block.is_worth != 0 && block.dynamic_bits / 8 <= stored ? (block.dynamic_bits + 7) / 8
                                                                   : stored - 1;
}

#endif
