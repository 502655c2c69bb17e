/* Copies the parts of the stream (the data of the IDAT chunks) to contiguous memory. */
#include "io/png/cuda/decode/decode_bits.cuh"
#include "io/png/cuda/decode/decode_jobs.cuh"

namespace
{

constexpr int THREADS = 256;
constexpr uint32_t EACH = 16; /* number of bytes that one thread copies */

/* Returns the index of the part (IDAT chunk) that contains byte `at` of the stream. Empty parts are
 * skipped. */
__device__ uint32_t part_of_byte(const DecodeJob &job, uint32_t at)
{
    uint32_t low = 0, high = job.part_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (job.parts[middle].start <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Loads 16 bytes that lie in one part (IDAT chunk). Reads aligned words, so up to four bytes
 * outside the 16 may be read. This is safe, because other bytes of the file surround the part. */
__device__ uint4 load_whole(const uint8_t *from)
{
    uint32_t shift = (uint32_t)((uintptr_t)from & 3), words[5];
    const uint32_t *aligned = (const uint32_t *)(from - shift);
#pragma unroll
    for (int i = 0; i < 5; i++)
        words[i] = i < 4 || shift > 0 ? aligned[i] : 0;
#pragma unroll
    for (int i = 0; i < 4; i++)
        words[i] = __funnelshift_r(words[i], words[i + 1], 8 * shift);
    return make_uint4(words[0], words[1], words[2], words[3]);
}

/* Loads 16 bytes of the stream, from byte `at` onwards. `here` is the part that contains the first
 * byte. The bytes may come from several parts, and bytes past the end of the stream are zeros. */
__device__ uint4 load_bytes(const DecodeJob &job, ImgPngCudaPart here, uint32_t at)
{
    uint32_t words[4] = {};
#pragma unroll
    for (uint32_t i = 0; i < EACH; i++) {
        if (at + i >= job.stream_bytes)
            break;
        if (at + i - here.start >= here.size)
            here = job.parts[part_of_byte(job, at + i)];
        words[i / 4] |= (uint32_t)job.file[here.from + (at + i - here.start)] << (8 * (i % 4));
    }
    return make_uint4(words[0], words[1], words[2], words[3]);
}

/* Copies the stream; each thread copies four words. Bytes past the end of the stream become
 * zeros. */
template <typename Jobs> __global__ void __launch_bounds__(THREADS) gather_kernel(Jobs jobs)
{
    const DecodeJob job = jobs.get();
    uint32_t index = blockIdx.x * THREADS + threadIdx.x, at = index * EACH;
    uint4 words = make_uint4(0, 0, 0, 0);
    if (index >= job.stream_words / 4)
        return;
    if (at < job.stream_bytes) {
        ImgPngCudaPart here = job.parts[part_of_byte(job, at)];
        bool whole = at + EACH <= job.stream_bytes && at - here.start + EACH <= here.size;
        words = whole ? load_whole(job.file + here.from + (at - here.start))
                      : load_bytes(job, here, at);
    }
    ((uint4 *)job.stream)[index] = words;
}

} // namespace

void img_decode_gather(const DecodeJob *job, void *stream)
{
    OneJob one = {*job};
    IMG_LAUNCH(gather_kernel<OneJob>, (job->stream_words / 4 + THREADS - 1) / THREADS, THREADS, 0,
               stream, one);
}

void img_decode_gather_many(const DecodeBatch *batch, void *stream)
{
    ManyJobs many = {batch->jobs};
    dim3 grid((batch->stream_words / 4 + THREADS - 1) / THREADS, batch->count);
    IMG_LAUNCH(gather_kernel<ManyJobs>, grid, THREADS, 0, stream, many);
}
