/* Symbols become cells of 16 bits, one for each byte: the byte, or CELL_COPY and how far back, less
 * one, the byte stands that it repeats. */
#include "io/png/cuda/decode/decode_cells.cuh"
#include "io/png/cuda/decode/decode_codes.cuh"

namespace
{

constexpr int THREADS = 256;
constexpr uint32_t WAYS = 4; /* blocks of threads that share a block */

/* The window that the stream's header promises. */
__device__ uint32_t window_of(const DecodeWork &work)
{
    return 256u << (work.stream[0] >> 4 & 15);
}

/* A copy that runs into itself repeats what came before it: each byte refers to that, so that no
 * chain is as long as a run. */
__device__ void write_copy(const DecodeWork &work, uint32_t out, uint32_t length, uint32_t distance)
{
    uint32_t back = distance;
    for (uint32_t i = 0; i < length; i++) {
        if (i == back && back + distance <= MOST_BACK)
            back += distance;
        work.cells[out + i] = (uint16_t)(CELL_COPY | (back - 1));
    }
}

/* Subsequence number `k`. */
__device__ void write_sub(const DecodeWork &work, const Codes &codes, const Block &block,
                          const Sub *subs, uint32_t k, uint32_t window)
{
    Reader reader;
    Sub sub = subs[k];
    uint32_t end = k + 1 < block.subs ? subs[k + 1].begin : block.end;
    uint32_t out = block.out + sub.place;
    reader.start(work, sub.begin);
    while (reader.position() < end) {
        uint32_t symbol = take_symbol(reader, codes), size = 1;
        if (symbol == SYMBOL_END)
            return;
        if (symbol >= SYMBOL_COPY)
            size = symbol >> 16;
        if (symbol == SYMBOL_NONE || size > work.inflated - out) {
            decode_doubt(work, IMG_PNG_CUDA_BAD_STREAM);
            return;
        }
        uint32_t distance = (symbol & 0xffff) + 1;
        if (symbol < SYMBOL_END) {
            work.cells[out] = (uint16_t)symbol;
        } else if (distance <= out && distance <= window) {
            write_copy(work, out, size, distance);
        } else {
            decode_doubt(work, IMG_PNG_CUDA_BAD_COPY);
            return;
        }
        out += size;
    }
}

__device__ void write_block(const DecodeWork &work, Codes &codes, const Block &block,
                            const Sub *subs)
{
    if (block.out == DECODE_NOWHERE || blockIdx.y * THREADS >= block.subs)
        return;
    uint32_t window = window_of(work);
    copy_codes(work.codes[block.codes], codes);
    for (uint32_t k = blockIdx.y * THREADS + threadIdx.x; k < block.subs; k += WAYS * THREADS)
        write_sub(work, codes, block, subs, k, window);
}

__global__ void __launch_bounds__(THREADS) write_kernel(DecodeWork work)
{
    IMG_SHARED(Codes, codes, [1]);
    IMG_SHARED(uint32_t, over, [1]);
    if (threadIdx.x == 0)
        over[0] = decode_is_over(work);
    __syncthreads();
    if (over[0] != 0)
        return;
    uint32_t found = min(work.counters->found, work.found_most);
    for (uint32_t i = blockIdx.x; i < found; i += gridDim.x)
        write_block(work, codes[0], work.blocks[i], work.subs + work.blocks[i].first_sub);
    uint32_t extras = work.counters->extras;
    const Block *others = work.blocks + work.found_most;
    for (uint32_t i = blockIdx.x; i < extras; i += gridDim.x)
        write_block(work, codes[0], others[i], work.extra_subs + others[i].first_sub);
}

__global__ void __launch_bounds__(THREADS) stored_kernel(DecodeWork work)
{
    if (decode_is_over(work))
        return;
    const uint8_t *bytes = (const uint8_t *)work.stream;
    for (uint32_t i = blockIdx.x; i < work.counters->stored; i += gridDim.x) {
        StoredData data = work.stored[i];
        for (uint32_t k = threadIdx.x; k < data.size; k += THREADS)
            work.cells[data.out + k] = bytes[data.byte + k];
    }
}

} // namespace

void decode_write(const DecodeWork *work, void *stream)
{
    DecodeWork copy = *work;
    dim3 grid(work->stream_bytes / 8192 + 1, WAYS);
    IMG_LAUNCH(write_kernel, grid, THREADS, 0, stream, copy);
    IMG_LAUNCH(stored_kernel, work->stream_bytes / 16384 + 1, THREADS, 0, stream, copy);
}
