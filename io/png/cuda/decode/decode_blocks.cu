/* Each block that was found: its tables, its subsequences, its size and where it leads. A block of
 * threads takes one at a time. */
#include "io/png/cuda/decode/decode_settle.cuh"

namespace
{

constexpr int MOST_EMPTY = 64; /* empty stored blocks in a row */

/* Where the blocks that are stored, empty and not the last end, if they begin at bit `at`. */
__device__ uint32_t pass_empty(const DecodeWork &work, uint32_t at)
{
    for (int i = 0; i < MOST_EMPTY && at < work.end_bit; i++) {
        Reader reader;
        reader.start(work, at);
        if (reader.take(3) != 0)
            break;
        uint32_t sizes = (at + 3 + 7) / 8 * 8;
        reader.move(sizes);
        if (sizes + 32 > work.end_bit || (uint32_t)reader.bits != 0xffff0000u)
            break;
        at = sizes + 32;
    }
    return at;
}

__global__ void __launch_bounds__(SETTLE_THREADS) blocks_kernel(DecodeWork work)
{
    IMG_SHARED(Codes, codes, [1]);
    IMG_SHARED(CodesRoom, codes_room, [1]);
    IMG_SHARED(SettleRoom, room, [1]);
    uint32_t found = min(work.counters->found, work.found_most);
    for (uint32_t index = blockIdx.x; index < found; index += gridDim.x) {
        Block block = {};
        block.start = work.blocks[index].start;
        make_codes(work, block.start, codes_room[0], codes[0]);
        block.out = DECODE_NOWHERE;
        block.codes = index;
        block.last = (uint8_t)codes_room[0].last;
        block.symbols = codes_room[0].symbols;
        block.first_sub = block.start / DECODE_STEP + index;
        uint32_t limit = index + 1 < found ? work.blocks[index + 1].start : work.end_bit;
        if (codes_room[0].valid != 0 && block.symbols < limit) {
            uint32_t rounds = SETTLE_ROUNDS;
            settle_block(work, codes[0], room[0], limit, work.subs + block.first_sub, block,
                         rounds);
            copy_codes(codes[0], work.codes[index]);
        }
        if (threadIdx.x == 0) {
            bool ended = block.state == BLOCK_ENDED;
            block.after = ended && block.last == 0 ? pass_empty(work, block.end) : block.end;
            work.blocks[index] = block;
        }
        __syncthreads();
    }
}

} // namespace

void decode_blocks(const DecodeWork *work, void *stream)
{
    DecodeWork copy = *work;
    uint32_t some = work->stream_bytes / 8192 + 1;
    IMG_LAUNCH(blocks_kernel, some, SETTLE_THREADS, 0, stream, copy);
}
