/* Where everything goes: bits of blocks, bytes of strips, chunks in the output. The sizes are known
 * from the counts, so that the output can be written in place. Small work of one block of threads:
 * a strip each, then the strips one after another. */
#include "io/png/cuda/encode/encode_kernels.h"
#include "kernels/core/cuda/cuda_launch.cuh"

namespace
{

constexpr int THREADS = 256;
constexpr uint32_t ADLER_MODULUS = 65521;
constexpr uint32_t STORED_MOST = 65535, STORED_FRAME = 5, OPENING_BITS = 3;

__device__ uint32_t stored_chunks(uint32_t size)
{
    return (size + STORED_MOST - 1) / STORED_MOST;
}

__device__ uint32_t stored_bytes(uint32_t size)
{
    return size + stored_chunks(size) * STORED_FRAME + 1;
}

__device__ uint64_t next_byte(uint64_t bit)
{
    return (bit + 7) / 8 * 8;
}

/* Behind the last block: an empty stored block brings other strips to a whole byte. */
__device__ uint64_t end_of_strip(uint64_t bit, bool is_last)
{
    return is_last ? next_byte(bit) : next_byte(bit + OPENING_BITS) + 32;
}

/* Places of a strip's blocks, from the strip's own start on. Returns its bits. */
__device__ uint64_t place_blocks(const EncodeJob &job, uint32_t strip)
{
    uint64_t bit = 0;
    uint32_t first = encode_first_block(&job, strip);
    for (uint32_t block = first; block < first + encode_strip_blocks(&job, strip); block++) {
        const EncodeRange range = encode_range(&job, block);
        const EncodeBlock made = job.blocks[block];
        uint32_t size = range.to - range.from;
        bool stored = made.is_worth == 0 || (bit % 8 + made.dynamic_bits) / 8 > stored_bytes(size);
        job.places[block] = {bit, stored};
        if (stored) /* the first frame begins where the bits are, the others with whole bytes */
            bit = next_byte(bit + OPENING_BITS) +
                  8 * ((uint64_t)size + stored_chunks(size) * STORED_FRAME - 1);
        else
            bit += made.dynamic_bits;
    }
    return end_of_strip(bit, strip + 1 == job.strips.count);
}

/* Adler-32 of one piece behind another: `sums` takes `next`, of `bytes` bytes. */
__device__ void append(EncodeRowSums *sums, EncodeRowSums next, uint64_t bytes)
{
    uint64_t weighted = sums->weighted + bytes % ADLER_MODULUS * sums->bytes + next.weighted;
    sums->weighted = (uint32_t)(weighted % ADLER_MODULUS);
    sums->bytes = (sums->bytes + next.bytes) % ADLER_MODULUS;
}

__device__ EncodeRowSums sum_rows(const EncodeJob &job, uint32_t strip)
{
    uint32_t rows = encode_strip_rows(&job, strip);
    uint32_t first = (uint32_t)(encode_strip_start(&job, strip) / (1 + job.row_bytes));
    EncodeRowSums sums = {0, 0};
    for (uint32_t y = first; y < first + rows; y++)
        append(&sums, job.row_sums[y], 1 + job.row_bytes);
    return sums;
}

/* One thread: strips become chunks, their sums one. */
__device__ void place_chunks(const EncodeJob &job)
{
    uint64_t at = 0, bytes = 0;
    EncodeRowSums sums = {0, 0};
    for (uint32_t strip = 0; strip < job.strips.count; strip++) {
        EncodeChunk *chunk = &job.chunks[strip];
        uint64_t size = (uint64_t)encode_strip_rows(&job, strip) * (1 + job.row_bytes);
        append(&sums, job.row_sums[encode_strip_start(&job, strip) / (1 + job.row_bytes)], size);
        bytes += size;
        chunk->data += (strip == 0 ? ENCODE_STREAM_HEAD : 0) +
                       (strip + 1 == job.strips.count ? ENCODE_STREAM_TAIL : 0);
        chunk->start = at;
        chunk->crc = 0;
        at += ENCODE_CHUNK_HEAD + chunk->data + ENCODE_CHUNK_TAIL;
    }
    uint32_t low = (1 + sums.bytes) % ADLER_MODULUS;
    uint32_t high = (uint32_t)((bytes % ADLER_MODULUS + sums.weighted) % ADLER_MODULUS);
    *job.adler = high << 16 | low;
    *job.size = at;
}

__global__ void __launch_bounds__(THREADS) strips_kernel(EncodeJob job)
{
    for (uint32_t strip = threadIdx.x; strip < job.strips.count; strip += THREADS) {
        job.chunks[strip].data = (uint32_t)(place_blocks(job, strip) / 8);
        EncodeRowSums sums = sum_rows(job, strip);
        job.row_sums[encode_strip_start(&job, strip) / (1 + job.row_bytes)] = sums;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        place_chunks(job);
}

/* A thread per block. Blocks share a word at their border, and a strip's ends share theirs with its
 * chunk: these words are made zeros, for all of them to add their bits. */
__global__ void __launch_bounds__(THREADS) borders_kernel(EncodeJob job, uint32_t blocks)
{
    uint32_t block = blockIdx.x * THREADS + threadIdx.x;
    if (block >= blocks)
        return;
    const EncodeRange range = encode_range(&job, block);
    const EncodeChunk chunk = job.chunks[range.strip];
    uint64_t start = chunk.start + ENCODE_CHUNK_HEAD;
    uint64_t data = start + (range.strip == 0 ? ENCODE_STREAM_HEAD : 0);
    uint64_t bit = job.places[block].bit + 8 * data;
    uint64_t end = start + chunk.data - (range.is_last ? ENCODE_STREAM_TAIL : 0);
    uint32_t *words = reinterpret_cast<uint32_t *>(job.output);
    job.places[block].bit = bit;
    words[bit / 32] = 0;
    if (range.ends_strip && end % 4 != 0)
        words[end / 4] = 0;
}

} // namespace

void img_encode_layout(const EncodeJob *job, uint32_t blocks, void *stream)
{
    IMG_LAUNCH(strips_kernel, 1, THREADS, 0, stream, *job);
    IMG_LAUNCH(borders_kernel, (blocks + THREADS - 1) / THREADS, THREADS, 0, stream, *job, blocks);
}
