/* Symbols become cells of 16 bits, one for each byte: the byte, or CELL_COPY and how far back, less
 * one, the byte stands that it repeats. */
#include "io/png/cuda/decode/decode_cells.cuh"
#include "io/png/cuda/decode/decode_codes.cuh"

namespace
{

constexpr int THREADS = DECODE_CHUNK;
constexpr uint32_t OWN_CELLS = 8; /* of a copy, which the thread writes that has read it */
constexpr uint32_t ALL = 0xffffffffu;

/* The window that the stream's header promises. */
__device__ uint32_t window_of(const DecodeWork &work)
{
    return 256u << (work.stream[0] >> 4 & 15);
}

/* A copy that runs into itself repeats what came before it: each byte refers to that, so that no
 * chain is as long as a run. No copy is longer than 258. */
__device__ uint16_t cell_of_copy(uint32_t distance, uint32_t i)
{
    uint32_t back = i < distance ? distance : distance + i - i % distance;
    return (uint16_t)(CELL_COPY | (back - 1));
}

/* A thread on its way through a subsequence. */
struct Writer {
    Reader reader;
    uint32_t end, out; /* the bit behind it, and where the next byte goes */
    bool active;

    __device__ void start(const DecodeWork &work, const Block &block, const Sub *subs, uint32_t k)
    {
        active = k < block.subs;
        out = end = 0;
        if (!active)
            return;
        Sub sub = subs[k];
        end = k + 1 < block.subs ? subs[k + 1].begin : block.end;
        out = block.out + sub.place;
        reader.start(work, sub.begin);
        active = sub.begin < end;
    }

    /* The next symbol: a literal is written. Of a copy, says its length and distance. */
    __device__ uint32_t step(const DecodeWork &work, const Codes &codes, uint32_t window,
                             uint32_t &distance)
    {
        uint32_t symbol = take_symbol(reader, codes), size = 1;
        active = reader.position() < end && symbol != SYMBOL_END;
        if (symbol == SYMBOL_END)
            return 0;
        if (symbol >= SYMBOL_COPY) {
            size = symbol >> 16;
            distance = (symbol & 0xffff) + 1;
        }
        uint32_t doubts = 0;
        if (symbol == SYMBOL_NONE || size > work.inflated - out)
            doubts = IMG_PNG_CUDA_BAD_STREAM;
        else if (symbol >= SYMBOL_COPY && (distance > out || distance > window))
            doubts = IMG_PNG_CUDA_BAD_COPY;
        if (doubts != 0) {
            decode_doubt(work, doubts);
            active = false;
            return 0;
        }
        if (size == 1)
            work.cells[out] = (uint16_t)symbol;
        out += size;
        return size;
    }
};

/* Cells of a copy from number OWN_CELLS on: by the whole warp, for each lane that has such a one.
 */
__device__ void write_long_copies(const DecodeWork &work, uint32_t start, uint32_t length,
                                  uint32_t distance)
{
    uint32_t lanes = __ballot_sync(ALL, length > OWN_CELLS);
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __ffs((int)lanes) - 1;
        uint32_t to = __shfl_sync(ALL, start, lane), end = __shfl_sync(ALL, length, lane);
        uint32_t back = __shfl_sync(ALL, distance, lane);
        for (uint32_t i = OWN_CELLS + threadIdx.x % 32; i < end; i += 32)
            work.cells[to + i] = cell_of_copy(back, i);
    }
}

/* Subsequences of a block from number `first` on, one a thread. */
__device__ void write_chunk(const DecodeWork &work, const Codes &codes, const Block &block,
                            const Sub *subs, uint32_t first)
{
    uint32_t window = window_of(work);
    Writer writer;
    writer.start(work, block, subs, first + threadIdx.x);
    while (__any_sync(ALL, writer.active)) {
        uint32_t start = writer.out, length = 0, distance = 1;
        if (writer.active)
            length = writer.step(work, codes, window, distance);
        for (uint32_t i = 0; length > 1 && i < min(length, OWN_CELLS); i++)
            work.cells[start + i] = cell_of_copy(distance, i);
        write_long_copies(work, start, length, distance);
    }
}

/* A chunk at a time, of those that are blocks of the chain and reach as far. */
__global__ void __launch_bounds__(THREADS) write_kernel(DecodeWork work)
{
    IMG_SHARED(Codes, codes, [1]);
    IMG_SHARED(uint32_t, over, [1]);
    if (threadIdx.x == 0)
        over[0] = decode_is_over(work);
    __syncthreads();
    if (over[0] != 0)
        return;
    uint32_t chunks = min(work.counters->chunks, work.chunks_most);
    for (uint32_t i = blockIdx.x; i < chunks; i += gridDim.x) {
        Chunk chunk = work.chunks[i];
        Block block = work.blocks[chunk.block];
        if (block.out == DECODE_NOWHERE || chunk.chunk * DECODE_CHUNK >= block.subs)
            continue;
        const Sub *subs = chunk.block < work.found_most ? work.subs : work.extra_subs;
        copy_codes(work.codes[block.codes], codes[0]);
        write_chunk(work, codes[0], block, subs + block.first_sub, chunk.chunk * DECODE_CHUNK);
    }
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
    IMG_LAUNCH(write_kernel, decode_some(work), THREADS, 0, stream, copy);
    IMG_LAUNCH(stored_kernel, decode_some(work), THREADS, 0, stream, copy);
}
