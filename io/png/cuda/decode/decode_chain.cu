/* Determines the chain of blocks: the sequence of deflate blocks that makes up the stream. The
 * first block starts after the zlib header, each other block at the bit where the previous one
 * ends. The Adler-32 must follow the last block.
 *
 * The search (decode_find.cu) cannot find stored blocks, blocks with fixed codes and blocks without
 * distance codes. These are decoded here. A false header inside a block cuts that block short; the
 * rest of such a block is also decoded here. The kernel runs in a single thread block. */
#include "io/png/cuda/decode/decode_subsequences.cuh"

namespace
{

constexpr uint32_t MOST_STEPS = 1 << 14;

/* The state of the chain. All threads have equal copies. */
struct Chain {
    uint32_t at;    /* bit position of the next block of the chain */
    uint32_t index; /* index of the next found block to consider */
    uint32_t out;   /* number of inflated bytes of the chain so far */
    uint32_t extras, stored;
    uint32_t empty;  /* number of empty stored blocks so far */
    uint32_t rounds; /* number of correction rounds still allowed */
    /* Index of the found block that a false header has cut short and whose rest starts at `at`;
     * DECODE_NOWHERE: none. */
    uint32_t open;
    uint32_t failures; /* status bits (png_decode_cuda.h); if any bit is set, the chain stops */
    bool done;         /* true after the last block of the stream was added */
};

/* Copies thread 0's copy of the chain's state to all threads of the thread block. */
__device__ void share(Chain &mine, Chain *shared)
{
    __syncthreads();
    if (threadIdx.x == 0)
        *shared = mine;
    __syncthreads();
    mine = *shared;
}

/* --- Blocks that were found, many at a time --------------------------------------------------- */

/* Returns true if another block follows: the block was decoded to its end, and it is not the last
 * block of the stream. */
__device__ bool leads_on(const Block &block)
{
    return block.state == BLOCK_ENDED && block.last == 0;
}

/* Adds blocks that the search found to the chain, from index chain.index onwards, as long as each
 * block starts where the previous block ends. Adds at most one block per thread. */
__device__ void take_found(const DecodeJob &job, SubScratch &scratch, uint32_t found, Chain &chain)
{
    uint32_t index = chain.index + threadIdx.x, all;
    Block block = {};
    bool follows = false;
    if (index < found) {
        block = job.blocks[index];
        uint32_t start = chain.at;
        follows = true;
        if (threadIdx.x > 0) {
            Block before = job.blocks[index - 1];
            start = before.after;
            follows = leads_on(before);
        }
        follows = follows && block.start == start && block.state != BLOCK_INVALID;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        scratch.first_stop = SUB_THREADS;
    __syncthreads();
    if (!follows)
        atomicMin(&scratch.first_stop, threadIdx.x);
    __syncthreads();
    uint32_t count = scratch.first_stop;
    if (count == 0)
        return;
    bool taken = threadIdx.x < count;
    /* The sum of 256 sizes may exceed 32 bits, so the sizes are first added in units of 4 KB. That
     * cannot overflow, because each size is at most the expected total size. Each size is rounded
     * up by up to one unit, and the total is rounded down; `count` and 1 allow for that. */
    uint32_t blocks_of_4k = taken ? (block.size >> 12) + 1 : 0;
    (void)sum_before(scratch, blocks_of_4k, all);
    bool fits = all <= (job.inflated >> 12) + 1 + count;
    uint32_t before = sum_before(scratch, taken && fits ? block.size : 0, all);
    if (taken)
        job.blocks[index].out = chain.out + before;
    Block final = job.blocks[chain.index + count - 1];
    chain.at = final.after;
    chain.done = final.state == BLOCK_ENDED && final.last != 0;
    chain.open = final.state == BLOCK_OPEN ? chain.index + count - 1 : DECODE_NOWHERE;
    if (!fits || all > job.inflated - chain.out || final.state == BLOCK_DAMAGED)
        chain.failures |= IMG_PNG_CUDA_BAD_STREAM;
    else
        chain.out += all;
    chain.index += count;
}

/* Skips found blocks that start before chain.at. They are false headers inside blocks that the
 * chain already contains. Called by thread 0. */
__device__ void pass_found(const DecodeJob &job, uint32_t found, Chain &chain)
{
    uint32_t low = chain.index, high = found;
    if (low < found && job.blocks[low].start >= chain.at) /* the usual case: no block to skip */
        return;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (job.blocks[middle].start < chain.at)
            low = middle + 1;
        else
            high = middle;
    }
    chain.index = low;
}

/* --- Other blocks ----------------------------------------------------------------------------- */

/* Adds consecutive stored blocks to the chain. Returns false if no stored block starts at chain.at.
 * Called by thread 0. */
__device__ bool take_stored(const DecodeJob &job, Chain &chain)
{
    bool any = false;
    while (!chain.done && chain.failures == 0 && chain.at < job.end_bit) {
        Reader reader;
        reader.start(job, chain.at);
        bool last = reader.take(1) != 0;
        if (reader.take(2) != 0)
            break;
        uint32_t sizes = (chain.at + 3 + 7) / 8 * 8, byte = sizes / 8 + 4;
        reader.move(sizes);
        uint32_t size = reader.take(16), inverted = reader.take(16);
        bool fits = sizes + 32 + size * 8 <= job.end_bit && size <= job.inflated - chain.out;
        if (size != (inverted ^ 0xffff) || !fits)
            chain.failures |= IMG_PNG_CUDA_BAD_STREAM;
        else if ((size > 0 ? chain.stored : chain.empty) == job.stored_most)
            chain.failures |= IMG_PNG_CUDA_LISTS_FULL;
        if (chain.failures != 0)
            break;
        if (size > 0) {
            StoredData data = {byte, size, chain.out};
            job.stored[chain.stored++] = data;
        } else {
            chain.empty++;
        }
        chain.out += size;
        chain.at = sizes + 32 + size * 8;
        chain.done = last;
        any = true;
    }
    return any;
}

/* Decodes from chain.at onwards: a Huffman-coded block that the search did not find, or the rest of
 * a block that a false header cut short. Adds it to the chain. Called by all threads. */
__device__ void take_extra(const DecodeJob &job, Codes &codes, CodesScratch &codes_scratch,
                           SubScratch &scratch, Chain &chain)
{
    Block block = {};
    if (chain.extras == DECODE_EXTRAS) {
        chain.failures |= IMG_PNG_CUDA_LISTS_FULL;
        return;
    }
    block.start = chain.at;
    block.out = chain.out;
    if (chain.open == DECODE_NOWHERE) {
        make_codes(job, chain.at, codes_scratch, codes);
        block.codes = job.found_most + chain.extras;
        block.last = (uint8_t)codes_scratch.last;
        block.symbols = codes_scratch.symbols;
        if (codes_scratch.valid == 0)
            chain.failures |= IMG_PNG_CUDA_BAD_STREAM;
        else
            copy_codes(codes, job.codes[block.codes]);
    } else {
        block.codes = job.blocks[chain.open].codes;
        block.last = job.blocks[chain.open].last;
        block.symbols = chain.at;
        copy_codes(job.codes[block.codes], codes);
    }
    if (block.symbols >= job.end_bit)
        chain.failures |= IMG_PNG_CUDA_BAD_STREAM;
    if (chain.failures != 0)
        return;
    block.first_sub = chain.at / DECODE_STEP + chain.extras;
    decode_block(job, codes, scratch, job.end_bit, nullptr, job.extra_subs + block.first_sub, block,
                 chain.rounds);
    if (threadIdx.x == 0)
        job.blocks[job.found_most + chain.extras] = block;
    list_chunks(job, job.found_most + chain.extras, block.subs, &scratch.wrong);
    if (block.state != BLOCK_ENDED || block.size > job.inflated - chain.out)
        chain.failures |= IMG_PNG_CUDA_BAD_STREAM;
    else
        chain.out += block.size;
    chain.extras++;
    chain.at = block.end;
    chain.done = block.last != 0;
    chain.open = DECODE_NOWHERE;
}

__global__ void __launch_bounds__(SUB_THREADS) chain_kernel(DecodeJob job)
{
    IMG_SHARED(Codes, codes, [1]);
    IMG_SHARED(CodesScratch, codes_scratch, [1]);
    IMG_SHARED(SubScratch, scratch, [1]);
    IMG_SHARED(Chain, shared, [1]);
    uint32_t found = min(job.counters->found, job.found_most);
    Chain chain = {DECODE_FIRST_BIT, 0, 0, 0, 0, 0, CORRECTION_ROUNDS, DECODE_NOWHERE, 0, false};
    if (decode_has_failed(job))
        return;
    if (!has_zlib_header(job))
        chain.failures = IMG_PNG_CUDA_BAD_STREAM;
    for (uint32_t step = 0; !chain.done && chain.failures == 0; step++) {
        uint32_t at = chain.at;
        if (step == MOST_STEPS)
            chain.failures = IMG_PNG_CUDA_LISTS_FULL;
        if (chain.open == DECODE_NOWHERE) {
            if (threadIdx.x == 0)
                pass_found(job, found, chain);
            share(chain, shared);
            take_found(job, scratch[0], found, chain);
            if (threadIdx.x == 0 && !chain.done && chain.open == DECODE_NOWHERE)
                (void)take_stored(job, chain);
            share(chain, shared);
        }
        if (chain.at == at && !chain.done && chain.failures == 0)
            take_extra(job, codes[0], codes_scratch[0], scratch[0], chain);
    }
    if (threadIdx.x > 0)
        return;
    if ((chain.at + 7) / 8 * 8 != job.end_bit || chain.out != job.inflated)
        chain.failures |= IMG_PNG_CUDA_BAD_STREAM;
    job.counters->extras = chain.extras;
    job.counters->stored = chain.stored;
    if (chain.failures != 0)
        decode_fail(job, chain.failures);
}

} // namespace

void img_decode_chain(const DecodeJob *job, void *stream)
{
    DecodeJob copy = *job;
    IMG_LAUNCH(chain_kernel, 1, SUB_THREADS, 0, stream, copy);
}
