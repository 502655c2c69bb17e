/* Processes each block that was found: its code tables, its subsequences, its size, and the start
 * of the next block. */
#include "io/png/cuda/decode/decode_settle.cuh"

namespace
{

constexpr int MOST_EMPTY = 64; /* consecutive empty stored blocks */

/* Skips empty stored blocks that are not the last one, from bit `at` on. Returns the end of the
 * last one. */
__device__ uint32_t pass_empty(const DecodeWork &work, uint32_t at)
{
    for (int i = 0; i < MOST_EMPTY && at < work.end_bit; i++) {
        Reader reader;
        reader.start(work, at);
        if (reader.take(3) != 0)
            break;
        uint32_t sizes = (at + 3 + 7) / 8 * 8;
        reader.move(sizes);
        if (sizes + 32 > work.end_bit || reader.peek() != 0xffff0000u)
            break;
        at = sizes + 32;
    }
    return at;
}

/* Returns the latest possible end of block `index` of those that were found. */
__device__ uint32_t limit_of(const DecodeWork &work, uint32_t index, uint32_t found)
{
    return index + 1 < found ? work.blocks[index + 1].start : work.end_bit;
}

/* Makes code tables and lists chunks; a thread block takes one deflate block at a time. */
__global__ void __launch_bounds__(SETTLE_THREADS) tables_kernel(DecodeWork work)
{
    IMG_SHARED(Codes, codes, [1]);
    IMG_SHARED(CodesRoom, room, [1]);
    IMG_SHARED(uint32_t, place, [1]);
    uint32_t found = min(work.counters->found, work.found_most);
    for (uint32_t index = blockIdx.x; index < found; index += gridDim.x) {
        Block block = {};
        block.start = work.blocks[index].start;
        make_codes(work, block.start, room[0], codes[0]);
        uint32_t limit = limit_of(work, index, found);
        block.out = DECODE_NOWHERE;
        block.codes = index;
        block.last = (uint8_t)room[0].last;
        block.symbols = room[0].symbols;
        block.first_sub = block.start / DECODE_STEP + index;
        if (room[0].valid != 0 && block.symbols < limit) {
            block.state = BLOCK_OPEN;
            block.subs = (limit - block.symbols - 1) / DECODE_STEP + 1;
            list_chunks(work, index, block.subs, place);
            copy_codes(codes[0], work.codes[index]);
        }
        if (threadIdx.x == 0)
            work.blocks[index] = block;
    }
}

/* Decodes each subsequence speculatively; a thread block takes one part of a chunk at a time. */
__global__ void __launch_bounds__(DECODE_THREADS) guess_kernel(DecodeWork work)
{
    IMG_SHARED(Codes, codes, [1]);
    uint32_t parts = min(work.counters->chunks, work.chunks_most) * DECODE_CHUNK_PARTS;
    uint32_t found = min(work.counters->found, work.found_most);
    for (uint32_t i = blockIdx.x; i < parts; i += gridDim.x) {
        Chunk chunk = work.chunks[i / DECODE_CHUNK_PARTS];
        Block block = work.blocks[chunk.block];
        uint32_t first = first_of_part(chunk, i), k = first + threadIdx.x;
        if (first >= block.subs)
            continue;
        copy_codes(work.codes[chunk.block], codes[0]);
        if (k < block.subs)
            work.stretches[block.first_sub + k] =
                guess_stretch(work, codes[0], block.symbols, block.symbols + k * DECODE_STEP,
                              limit_of(work, chunk.block, found));
    }
}

/* Corrects the speculative results; a thread block takes one deflate block at a time. */
__global__ void __launch_bounds__(SETTLE_THREADS) settle_kernel(DecodeWork work)
{
    IMG_SHARED(Codes, codes, [1]);
    IMG_SHARED(SettleRoom, room, [1]);
    uint32_t found = min(work.counters->found, work.found_most);
    for (uint32_t index = blockIdx.x; index < found; index += gridDim.x) {
        Block block = work.blocks[index];
        uint32_t rounds = SETTLE_ROUNDS;
        if (block.state == BLOCK_INVALID)
            continue;
        copy_codes(work.codes[index], codes[0]);
        settle_block(work, codes[0], room[0], limit_of(work, index, found),
                     work.stretches + block.first_sub, work.subs + block.first_sub, block, rounds);
        if (threadIdx.x > 0)
            continue;
        bool ended = block.state == BLOCK_ENDED;
        block.after = ended && block.last == 0 ? pass_empty(work, block.end) : block.end;
        work.blocks[index] = block;
    }
}

} // namespace

void decode_blocks(const DecodeWork *work, void *stream)
{
    DecodeWork copy = *work;
    uint32_t some = decode_some(work);
    IMG_LAUNCH(tables_kernel, some, SETTLE_THREADS, 0, stream, copy);
    IMG_LAUNCH(guess_kernel, some, DECODE_THREADS, 0, stream, copy);
    IMG_LAUNCH(settle_kernel, some, SETTLE_THREADS, 0, stream, copy);
}
