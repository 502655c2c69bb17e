/* Makes the codes of a deflate block: one thread block finds its tokens, makes Huffman codes and a
 * header, and computes the size in bits of each part. The codes are made from the counts of a
 * sample of the literals. The sizes are computed from the counts of all literals, so they are exact
 * before anything is written. */
#include "io/png/cuda/encode/encode_block.cuh"
#include "io/png/cuda/encode/encode_launch.cuh"

namespace
{

using Shared = BlockScratch<ENCODE_BLOCK_WORDS>;

__device__ void store_words(const uint32_t *from, uint32_t *to, uint32_t count)
{
    for (uint32_t i = threadIdx.x; i < count; i += THREADS)
        to[i] = from[i];
}

/* Least number of thread blocks per multiprocessor. With this number a large GPU can run the
 * deflate blocks of a large photograph at the same time. Before compute capability 8.0 the threads
 * or the shared memory of a multiprocessor suffice for only two. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int BLOCKS_LEAST = 2;
#else
constexpr int BLOCKS_LEAST = 3;
#endif

template <typename Jobs>
__global__ void __launch_bounds__(THREADS, BLOCKS_LEAST) codes_kernel(Jobs jobs, EncodeGroup group)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(Shared, shared, [1]);
    const EncodeJob &job = jobs.get();
    const uint32_t block = blockIdx.x;
    if (block >= encode_blocks(&job))
        return;
    const EncodeRange range = encode_range(&job, block);
    if (encode_group(job.advice + range.strip) != group ||
        encode_strip_filters(&job, range.strip)[ENCODE_RUNS] == 0)
        return;
    const uint32_t bytes = range.to - range.from, words = (bytes + 31) / 32;
    uint32_t literals = find_tokens(range, job.sample_step, shared);
    store_words(shared->runs, job.runs + (size_t)block * ENCODE_BLOCK_WORDS, words);
    store_words(shared->equal, job.begins + (size_t)block * ENCODE_BLOCK_WORDS, words);
    make_lengths(job.sample_step, literals, shared);
    huffman::make_codes(&shared->huffman, shared->lengths, ENCODE_SYMBOLS, shared->codes);
    store_words(shared->codes, job.codes + (size_t)block * ENCODE_SYMBOLS, ENCODE_SYMBOLS);
    uint32_t header_bits = make_header(range, shared);
    store_words(shared->header.bits, job.headers + (size_t)block * ENCODE_HEADER_WORDS,
                ENCODE_HEADER_WORDS);
    if (threadIdx.x == 0)
        job.blocks[block] = measure(shared, header_bits, literals, bytes);
}

} // namespace

void img_encode_codes(const EncodeBatch *batch, EncodeGroup group, void *stream)
{
    const dim3 grid(batch->blocks, 1, batch->count);
    with_jobs(batch, [&](auto jobs) {
        IMG_LAUNCH_EARLY(codes_kernel<decltype(jobs)>, grid, THREADS, 0, stream, jobs, group);
    });
}
