/* Inflates the streams of a batch of small files. A thread block takes the blocks of one stream one
 * after another, so that no block must be searched for. Another kernel resolves the copies tile by
 * tile, so that a copy refers to its own tile or to a byte that is known. */
#include "io/png/cuda/decode/decode_adler.cuh"
#include "io/png/cuda/decode/decode_jobs.cuh"
#include "io/png/cuda/decode/decode_records.cuh"
#include "io/png/cuda/decode/decode_tile.cuh"

namespace
{

/* Largest number of blocks of a stream. Small files seldom have more than some 100 blocks. A block
 * takes several microseconds, however short it is. */
constexpr uint32_t MOST_BLOCKS = 4096;

/* The state of a stream. All threads have equal copies. */
struct Stream {
    uint32_t at;       /* bit position of the next block */
    uint32_t out;      /* number of inflated bytes so far */
    uint32_t rounds;   /* number of correction rounds still allowed */
    uint32_t failures; /* status bits (png_decode_cuda.h) */
    uint32_t step;     /* size of a subsequence of the next block, in bits */
    bool done;         /* true after the last block */
};

/* A stored block. Its `size` data bytes start at byte `byte` of the stream. */
struct StoredBlock {
    uint32_t byte, size;
    bool is_stored, is_valid, is_last;
};

/* Reads the header of the block at bit `at`. */
__device__ StoredBlock read_stored(const DecodeJob &job, uint32_t at)
{
    Reader reader;
    reader.start(job, at);
    StoredBlock block = {};
    block.is_last = reader.take(1) != 0;
    block.is_stored = reader.take(2) == 0;
    uint32_t sizes = (at + 3 + 7) / 8 * 8;
    reader.move(sizes);
    uint32_t size = reader.take(16), inverted = reader.take(16);
    block.byte = sizes / 8 + 4;
    block.size = size;
    block.is_valid = size == (inverted ^ 0xffff) && sizes + 32 + size * 8 <= job.end_bit;
    return block;
}

/* Writes the bytes of a stored block as cells (decode_bits.cuh). */
__device__ void take_stored(const DecodeJob &job, const StoredBlock &block, Stream &state)
{
    if (!block.is_valid || block.size > job.inflated - state.out) {
        state.failures |= IMG_PNG_CUDA_BAD_STREAM;
        return;
    }
    const uint8_t *bytes = (const uint8_t *)job.stream + block.byte;
    for (uint32_t i = threadIdx.x; i < block.size; i += SUB_THREADS)
        job.cells[state.out + i] = bytes[i];
    state.out += block.size;
    state.at = (block.byte + block.size) * 8;
    state.done = block.is_last;
}

/* Stores the matches that are listed, and empties the list. `listed` is the number of its entries,
 * in shared memory. */
__device__ void store_list(const DecodeJob &job, uint32_t *listed)
{
    const uint32_t lanes = writer::LANES_EACH;
    __syncthreads();
    const uint32_t count = *listed;
    for (uint32_t i = threadIdx.x / lanes; i < count; i += SUB_THREADS / lanes)
        records::store_listed(job, i, threadIdx.x % lanes);
    __syncthreads();
    if (threadIdx.x == 0)
        *listed = 0;
}

/* Decodes the next subsequences of a block, one per thread, from bit state.at on. Writes their
 * cells and moves `state` behind them. Returns the state of the block. */
__device__ uint8_t take_part(const DecodeJob &job, const Codes &codes, uint32_t symbols,
                             uint32_t first, SubScratch &scratch, uint32_t *listed, Stream &state)
{
    const uint32_t t = threadIdx.x, start = first + t * state.step;
    const uint32_t to = min(start + state.step, job.end_bit);
    /* The result if this thread's subsequence starts at or past the end. */
    records::Decoded result = {{start, start, 0, BLOCK_DAMAGED}, 0};
    if (start < job.end_bit) {
        const uint32_t early = start - symbols > SYNC_BITS ? start - SYNC_BITS : symbols;
        result = records::decode(job, codes, early, start, to);
    }
    uint32_t count = (job.end_bit - first - 1) / state.step + 1, all;
    count = min(count, (uint32_t)SUB_THREADS);
    records::correct(job, codes, scratch, count, state.at, to, result, state.rounds);
    const uint32_t live = min(scratch.first_stop + 1, count);
    const uint32_t before = sum_before(scratch, t < live ? result.sub.size : 0, all);
    scratch.end[t] = result.sub.end;
    scratch.state[t] = result.sub.state;
    __syncthreads();
    const uint8_t block = scratch.state[live - 1];
    state.at = scratch.end[live - 1];
    if (block == BLOCK_DAMAGED || state.rounds == 0 || all > job.inflated - state.out)
        return BLOCK_DAMAGED;
    records::write(job, listed, t < live ? result.count : 0, state.out + before);
    store_list(job, listed);
    state.out += all;
    return block;
}

/* Decodes the block at state.at, which has Huffman codes, and writes its cells. */
__device__ void take_coded(const DecodeJob &job, Codes &codes, CodesScratch &codes_scratch,
                           SubScratch &scratch, uint32_t *listed, Stream &state)
{
    make_codes(job, state.at, codes_scratch, codes);
    const uint32_t symbols = codes_scratch.symbols;
    uint8_t block = codes_scratch.valid == 0 ? BLOCK_DAMAGED : BLOCK_OPEN;
    state.done = codes_scratch.last != 0;
    state.at = symbols;
    for (uint32_t first = symbols; block == BLOCK_OPEN; first += SUB_THREADS * state.step)
        block = first >= job.end_bit
                    ? BLOCK_DAMAGED
                    : take_part(job, codes, symbols, first, scratch, listed, state);
    if (block == BLOCK_DAMAGED)
        state.failures |= state.rounds == 0 ? IMG_PNG_CUDA_LISTS_FULL : IMG_PNG_CUDA_BAD_STREAM;
    state.step = decode_step_for(state.at - symbols);
}

/* Writes the cells of all blocks of a file: one cell for each inflated byte (decode_bits.cuh). */
__global__ void __launch_bounds__(SUB_THREADS) symbols_kernel(ManyJobs jobs)
{
    IMG_SHARED(Codes, codes, [1]);
    IMG_SHARED(CodesScratch, codes_scratch, [1]);
    IMG_SHARED(SubScratch, scratch, [1]);
    IMG_SHARED(uint32_t, listed, [1]);
    IMG_SHARED(uint32_t, failed, [1]);
    const DecodeJob job = jobs.get();
    const uint32_t step = min(DECODE_STEP + 0u, decode_step_most(job.stream_bytes));
    Stream state = {DECODE_FIRST_BIT, 0, CORRECTION_ROUNDS, 0, step, false};
    if (threadIdx.x == 0)
        listed[0] = 0;
    if (!has_zlib_header(job))
        state.failures = IMG_PNG_CUDA_BAD_STREAM;
    for (uint32_t blocks = 0; !state.done; blocks++) {
        __syncthreads();
        if (threadIdx.x == 0)
            failed[0] = *(volatile uint32_t *)&job.counters->failures;
        __syncthreads();
        if (failed[0] != 0 || state.failures != 0)
            break;
        if (blocks == MOST_BLOCKS)
            state.failures = IMG_PNG_CUDA_LISTS_FULL;
        if (state.at >= job.end_bit)
            state.failures = IMG_PNG_CUDA_BAD_STREAM;
        if (state.failures != 0)
            break;
        StoredBlock stored = read_stored(job, state.at);
        if (stored.is_stored)
            take_stored(job, stored, state);
        else
            take_coded(job, codes[0], codes_scratch[0], scratch[0], listed, state);
    }
    if (threadIdx.x < DECODE_CELLS_BEHIND)
        job.cells[job.inflated + threadIdx.x] = 0;
    if ((state.at + 7) / 8 * 8 != job.end_bit || state.out != job.inflated)
        state.failures |= state.failures == 0 ? IMG_PNG_CUDA_BAD_STREAM : 0;
    if (threadIdx.x == 0 && state.failures != 0)
        decode_fail(job, state.failures);
}

/* Resolves the cells of a file to bytes, tile by tile, and sums them for the Adler-32. */
__global__ void __launch_bounds__(tiles::TILE_THREADS) bytes_kernel(ManyJobs jobs)
{
    IMG_SHARED_DYNAMIC(uint32_t, tile);
    IMG_SHARED(uint32_t, left, [2]);
    IMG_SHARED(uint32_t, scratch, [2]);
    const DecodeJob job = jobs.get();
    if (decode_has_failed(job))
        return;
    AdlerSums sums = {0, 0};
    if (threadIdx.x < 2)
        scratch[threadIdx.x] = 0;
    for (uint32_t start = 0; start < job.inflated; start += DECODE_TILE) {
        uint32_t size = min(job.inflated - start, DECODE_TILE + 0u), pairs[tiles::PAIRS];
        __syncthreads();
        if (threadIdx.x < 2)
            left[threadIdx.x] = 0;
        __syncthreads();
        tiles::resolve_tile(job, start, size, tile, left, pairs, [&](uint32_t cell) {
            return cell < CELL_COPY ? cell : job.bytes[start - (cell - CELL_COPY + 1)];
        });
#pragma unroll
        for (int i = 0; i < tiles::PAIRS; i++) {
            uint32_t pair = threadIdx.x + i * tiles::TILE_THREADS;
            if (2 * pair >= size)
                continue;
            uint32_t bytes = (pairs[i] & 0xff) | (pairs[i] >> 16 & 0xff) << 8;
            ((uint16_t *)job.bytes)[start / 2 + pair] = (uint16_t)bytes;
            sums.add(make_uint2(bytes, 0), job.inflated - start - 2 * pair);
        }
    }
    /* decode_unfilter reads whole words, which may reach past the last byte. */
    if (threadIdx.x < DECODE_BYTES_BEHIND)
        job.bytes[job.inflated + threadIdx.x] = 0;
    __syncthreads();
    sums.give(job, scratch);
}

} // namespace

void img_decode_streams(const DecodeBatch *batch, void *stream)
{
    const int tile_bytes = DECODE_TILE * sizeof(uint16_t);
    ManyJobs many = {batch->jobs};
    dim3 grid(1, batch->count);
    /* The result is ignored, because cudaGetLastError reports an error later. */
    (void)cudaFuncSetAttribute(bytes_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               tile_bytes);
    IMG_LAUNCH(symbols_kernel, grid, SUB_THREADS, 0, stream, many);
    IMG_LAUNCH(bytes_kernel, grid, tiles::TILE_THREADS, tile_bytes, stream, many);
}
