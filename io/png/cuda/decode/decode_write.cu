/* Symbols become cells of 16 bits, one for each byte: the byte, or CELL_COPY and how far back, less
 * one, the byte stands that it repeats. */
#include "io/png/cuda/decode/decode_cells.cuh"
#include "io/png/cuda/decode/decode_codes.cuh"

namespace
{

constexpr int THREADS = 256;
constexpr uint32_t GROUP = 4;      /* cells that are stored at a time */
constexpr uint32_t OWN_GROUPS = 8; /* of a copy, which the thread stores that has read it */
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

/* Cells of a thread on their way to memory. The first and the last group are stored cell by cell:
 * others write beside them. */
struct CellRow {
    uint16_t *cells;
    uint32_t begin, out; /* the first one's number, and the next one's */
    uint32_t low, high;  /* the last four */

    __device__ void start(uint16_t *all, uint32_t from)
    {
        cells = all;
        begin = out = from;
        low = high = 0;
    }
    __device__ void store_last(uint32_t count)
    {
        uint64_t four = (uint64_t)high << 32 | low;
        for (uint32_t i = 1; i <= count; i++, four <<= 16)
            cells[out - i] = (uint16_t)(four >> 48);
    }
    __device__ void put(uint32_t cell)
    {
        low = __byte_perm(low, high, 0x5432);
        high = __byte_perm(high, cell, 0x5432);
        out++;
        if (out % GROUP != 0)
            return;
        if (out - begin >= GROUP)
            ((uint2 *)cells)[out / GROUP - 1] = make_uint2(low, high);
        else
            store_last(out - begin);
    }
    /* As many groups of the same cells; `out` is at the start of a group. */
    __device__ void put_groups(uint32_t cell, uint32_t groups)
    {
        uint32_t pair = cell * 0x10001u;
        for (uint32_t i = 0; i < groups; i++)
            ((uint2 *)cells)[out / GROUP + i] = make_uint2(pair, pair);
    }
    __device__ void finish()
    {
        store_last(min(out % GROUP, out - begin));
    }
};

/* A thread on its way through a subsequence. */
struct Writer {
    Reader reader;
    CellRow row;
    uint32_t end; /* the bit behind it */
    bool active;

    __device__ void start(const DecodeWork &work, const Block &block, const Sub *subs, uint32_t k)
    {
        active = k < block.subs;
        end = 0;
        row.start(work.cells, 0);
        if (!active)
            return;
        Sub sub = subs[k];
        end = k + 1 < block.subs ? subs[k + 1].begin : block.end;
        row.start(work.cells, block.out + sub.place);
        reader.start(work, sub.begin);
        active = sub.begin < end;
    }

    /* Writes literals up to a copy, of which it says the length and the distance, or some of them.
     */
    __device__ uint32_t step(const DecodeWork &work, const Codes &codes, uint32_t window,
                             uint32_t &distance)
    {
        CellRow &to = row;
        (void)pass_literals(reader, codes, end, min(LITERALS_AT_ONCE, work.inflated - row.out),
                            [&to](uint32_t literal) { to.put(literal); });
        if (reader.at >= end) {
            active = false;
            return 0;
        }
        uint32_t symbol = take_symbol(reader, codes), size = 1;
        active = reader.at < end && symbol != SYMBOL_END;
        if (symbol == SYMBOL_END)
            return 0;
        if (symbol >= SYMBOL_COPY) {
            size = symbol >> 16;
            distance = (symbol & 0xffff) + 1;
        }
        uint32_t doubts = 0, out = row.out;
        if (symbol == SYMBOL_NONE || size > work.inflated - out)
            doubts = IMG_PNG_CUDA_BAD_STREAM;
        else if (symbol >= SYMBOL_COPY && (distance > out || distance > window))
            doubts = IMG_PNG_CUDA_BAD_COPY;
        if (doubts != 0) {
            decode_doubt(work, doubts);
            active = false;
            return 0;
        }
        if (size > 1)
            return size;
        row.put(symbol);
        return 0;
    }
};

/* Groups of a copy, which start with its cell `first`: by the whole warp, for each lane that has
 * some. */
__device__ void store_groups(CellRow &row, uint32_t first, uint32_t groups, uint32_t distance)
{
    uint32_t lanes = __ballot_sync(ALL, groups > 0);
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __ffs((int)lanes) - 1;
        uint32_t to = __shfl_sync(ALL, row.out / GROUP, lane), from = __shfl_sync(ALL, first, lane);
        uint32_t count = __shfl_sync(ALL, groups, lane), back = __shfl_sync(ALL, distance, lane);
        for (uint32_t i = threadIdx.x % 32; i < count; i += 32) {
            uint32_t at = from + i * GROUP;
            uint32_t low = cell_of_copy(back, at) | (uint32_t)cell_of_copy(back, at + 1) << 16;
            uint32_t high = cell_of_copy(back, at + 2) | (uint32_t)cell_of_copy(back, at + 3) << 16;
            ((uint2 *)row.cells)[to + i] = make_uint2(low, high);
        }
    }
}

/* A copy of each lane, of no cells where it has none. Whole groups are stored by the warp together
 * where they are many, or not all the same. */
__device__ void write_copies(CellRow &row, uint32_t length, uint32_t distance)
{
    uint32_t head = min(length, (GROUP - row.out % GROUP) % GROUP),
             groups = (length - head) / GROUP;
    bool alone = groups <= OWN_GROUPS && distance >= length;
    for (uint32_t i = 0; i < head; i++)
        row.put(cell_of_copy(distance, i));
    if (alone)
        row.put_groups(cell_of_copy(distance, 0), groups);
    store_groups(row, head, alone ? 0 : groups, distance);
    row.out += groups * GROUP;
    for (uint32_t i = head + groups * GROUP; i < length; i++)
        row.put(cell_of_copy(distance, i));
}

/* Subsequences of a block from number `first` on, one a thread. */
__device__ void write_part(const DecodeWork &work, const Codes &codes, const Block &block,
                           const Sub *subs, uint32_t first)
{
    uint32_t window = window_of(work);
    Writer writer;
    writer.start(work, block, subs, first + threadIdx.x);
    while (__any_sync(ALL, writer.active)) {
        uint32_t length = 0, distance = 1;
        if (writer.active)
            length = writer.step(work, codes, window, distance);
        write_copies(writer.row, length, distance);
    }
    writer.row.finish();
}

/* A part of a chunk at a time, of those that are blocks of the chain and reach as far. */
__global__ void __launch_bounds__(DECODE_THREADS) write_kernel(DecodeWork work)
{
    IMG_SHARED(Codes, codes, [1]);
    IMG_SHARED(uint32_t, over, [1]);
    if (threadIdx.x == 0)
        over[0] = decode_is_over(work);
    __syncthreads();
    if (over[0] != 0)
        return;
    uint32_t parts = min(work.counters->chunks, work.chunks_most) * DECODE_CHUNK_PARTS;
    for (uint32_t i = blockIdx.x; i < parts; i += gridDim.x) {
        Chunk chunk = work.chunks[i / DECODE_CHUNK_PARTS];
        Block block = work.blocks[chunk.block];
        uint32_t first = first_of_part(chunk, i);
        if (block.out == DECODE_NOWHERE || first >= block.subs)
            continue;
        const Sub *subs = chunk.block < work.found_most ? work.subs : work.extra_subs;
        copy_codes(work.codes[block.codes], codes[0]);
        write_part(work, codes[0], block, subs + block.first_sub, first);
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
    IMG_LAUNCH(write_kernel, decode_some(work), DECODE_THREADS, 0, stream, copy);
    IMG_LAUNCH(stored_kernel, decode_some(work), THREADS, 0, stream, copy);
}
