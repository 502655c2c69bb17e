/* Writes the symbols of the chain, the sequence of deflate blocks that makes up the stream, as
 * cells: one 16-bit cell per inflated byte (decode_writer.cuh). Also writes the bytes of stored
 * blocks. */
#include "io/png/cuda/decode/decode_writer.cuh"

using namespace writer;

namespace
{

constexpr int THREADS = 256;

/* Stores the cells of the long matches that the write kernel has only listed. LANES_EACH lanes
 * process a list entry together; each lane stores one group of cells at a time. */
__global__ void __launch_bounds__(THREADS) list_kernel(DecodeJob job)
{
    if (decode_has_failed(job))
        return;
    const uint32_t lane = threadIdx.x % LANES_EACH, count = job.counters->copies;
    uint32_t index = (blockIdx.x * THREADS + threadIdx.x) / LANES_EACH;
    for (; index < count; index += gridDim.x * (THREADS / LANES_EACH))
        store_listed(job, index, lane);
}

/* Writes the blocks of the chain. A thread block processes a group of DECODE_THREADS subsequences
 * at a time. It skips found blocks that are not part of the chain, and groups past a block's last
 * subsequence. */
__global__ void __launch_bounds__(DECODE_THREADS) write_kernel(DecodeJob job)
{
    IMG_SHARED(Codes, codes, [1]);
    IMG_SHARED(uint32_t, over, [1]);
    if (threadIdx.x == 0)
        over[0] = decode_has_failed(job);
    __syncthreads();
    if (over[0] != 0)
        return;
    uint32_t parts = min(job.counters->chunks, job.chunks_most) * DECODE_CHUNK_PARTS;
    for (uint32_t i = blockIdx.x; i < parts; i += gridDim.x) {
        Chunk chunk = job.chunks[i / DECODE_CHUNK_PARTS];
        Block block = job.blocks[chunk.block];
        uint32_t first = first_of_part(chunk, i);
        if (block.out == DECODE_NOWHERE || first >= block.subs)
            continue;
        const Sub *subs = chunk.block < job.found_most ? job.subs : job.extra_subs;
        copy_codes(job.codes[block.codes], codes[0]);
        write_part(job, &job.counters->copies, codes[0], block, subs + block.first_sub, first);
    }
}

__global__ void __launch_bounds__(THREADS) stored_kernel(DecodeJob job)
{
    if (decode_has_failed(job))
        return;
    const uint8_t *bytes = (const uint8_t *)job.stream;
    if (blockIdx.x == 0 && threadIdx.x < DECODE_CELLS_BEHIND)
        job.cells[job.inflated + threadIdx.x] = 0;
    for (uint32_t i = blockIdx.x; i < job.counters->stored; i += gridDim.x) {
        StoredData data = job.stored[i];
        for (uint32_t k = threadIdx.x; k < data.size; k += THREADS)
            job.cells[data.out + k] = bytes[data.byte + k];
    }
}

} // namespace

void img_decode_write(const DecodeJob *job, void *stream)
{
    DecodeJob copy = *job;
    IMG_LAUNCH(write_kernel, decode_some(job), DECODE_THREADS, 0, stream, copy);
    IMG_LAUNCH(list_kernel, decode_some(job), THREADS, 0, stream, copy);
    IMG_LAUNCH(stored_kernel, decode_some(job), THREADS, 0, stream, copy);
}
