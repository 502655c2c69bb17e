/* Decodes each deflate block that the search (decode_find.cu) found, independently of the other
 * blocks. Makes its code tables, decodes its subsequences (decode_subsequences.cuh), and determines
 * its inflated size and the start of the next block. Lists subsequences in chunks of
 * DECODE_CHUNK. */
#include "io/png/cuda/decode/decode_subsequences.cuh"

namespace
{

/* Largest number of consecutive empty stored blocks that are skipped. */
constexpr int MOST_EMPTY = 64;

/* Skips consecutive empty stored blocks from bit `at` onwards, except the stream's last block.
 * Returns the bit position after them. */
__device__ uint32_t pass_empty(const DecodeJob &job, uint32_t at)
{
    for (int i = 0; i < MOST_EMPTY && at < job.end_bit; i++) {
        Reader reader;
        reader.start(job, at);
        if (reader.take(3) != 0)
            break;
        uint32_t sizes = (at + 3 + 7) / 8 * 8;
        reader.move(sizes);
        if (sizes + 32 > job.end_bit || reader.peek() != 0xffff0000u)
            break;
        at = sizes + 32;
    }
    return at;
}

/* Returns the latest possible end, as a bit position, of the found block with index `index`. This
 * is the start of the next found block, or the end of all blocks. `found` is the number of found
 * blocks. */
__device__ uint32_t limit_of(const DecodeJob &job, uint32_t index, uint32_t found)
{
    return index + 1 < found ? job.blocks[index + 1].start : job.end_bit;
}

/* Makes the code tables of each found block and lists the chunks of its subsequences. A thread
 * block processes one deflate block at a time. */
__global__ void __launch_bounds__(SUB_THREADS) tables_kernel(DecodeJob job)
{
    IMG_SHARED(Codes, codes, [1]);
    IMG_SHARED(CodesScratch, scratch, [1]);
    IMG_SHARED(uint32_t, place, [1]);
    uint32_t found = min(job.counters->found, job.found_most);
    for (uint32_t index = blockIdx.x; index < found; index += gridDim.x) {
        Block block = {};
        block.start = job.blocks[index].start;
        make_codes(job, block.start, scratch[0], codes[0]);
        uint32_t limit = limit_of(job, index, found);
        block.out = DECODE_NOWHERE;
        block.codes = index;
        block.last = (uint8_t)scratch[0].last;
        block.symbols = scratch[0].symbols;
        block.first_sub = block.start / DECODE_STEP + index;
        if (scratch[0].valid != 0 && block.symbols < limit) {
            block.state = BLOCK_OPEN;
            block.subs = (limit - block.symbols - 1) / DECODE_STEP + 1;
            list_chunks(job, index, block.subs, place);
            copy_codes(codes[0], job.codes[index]);
        }
        if (threadIdx.x == 0)
            job.blocks[index] = block;
    }
}

/* Decodes each subsequence speculatively, which means without the result of the previous
 * subsequence. A thread block processes a group of DECODE_THREADS subsequences at a time. */
__global__ void __launch_bounds__(DECODE_THREADS) speculate_kernel(DecodeJob job)
{
    IMG_SHARED(Codes, codes, [1]);
    uint32_t parts = min(job.counters->chunks, job.chunks_most) * DECODE_CHUNK_PARTS;
    uint32_t found = min(job.counters->found, job.found_most);
    for (uint32_t i = blockIdx.x; i < parts; i += gridDim.x) {
        Chunk chunk = job.chunks[i / DECODE_CHUNK_PARTS];
        Block block = job.blocks[chunk.block];
        uint32_t first = first_of_part(chunk, i), k = first + threadIdx.x;
        if (first >= block.subs)
            continue;
        copy_codes(job.codes[chunk.block], codes[0]);
        if (k < block.subs)
            job.sub_results[block.first_sub + k] = decode_sub_speculatively(
                job, codes[0], block.symbols, block.symbols + k * DECODE_STEP,
                limit_of(job, chunk.block, found));
    }
}

/* Decodes again those subsequences of each found block whose speculative start was wrong. A thread
 * block processes one deflate block at a time. */
__global__ void __launch_bounds__(SUB_THREADS) correct_kernel(DecodeJob job)
{
    IMG_SHARED(Codes, codes, [1]);
    IMG_SHARED(SubScratch, scratch, [1]);
    uint32_t found = min(job.counters->found, job.found_most);
    for (uint32_t index = blockIdx.x; index < found; index += gridDim.x) {
        Block block = job.blocks[index];
        uint32_t rounds = CORRECTION_ROUNDS;
        if (block.state == BLOCK_INVALID)
            continue;
        copy_codes(job.codes[index], codes[0]);
        decode_block(job, codes[0], scratch[0], limit_of(job, index, found),
                     job.sub_results + block.first_sub, job.subs + block.first_sub, block, rounds);
        if (threadIdx.x > 0)
            continue;
        bool ended = block.state == BLOCK_ENDED;
        block.after = ended && block.last == 0 ? pass_empty(job, block.end) : block.end;
        job.blocks[index] = block;
    }
}

} // namespace

void img_decode_blocks(const DecodeJob *job, void *stream)
{
    DecodeJob copy = *job;
    uint32_t some = decode_some(job);
    IMG_LAUNCH(tables_kernel, some, SUB_THREADS, 0, stream, copy);
    IMG_LAUNCH(speculate_kernel, some, DECODE_THREADS, 0, stream, copy);
    IMG_LAUNCH(correct_kernel, some, SUB_THREADS, 0, stream, copy);
}
