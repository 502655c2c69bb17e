/* Hysteresis on CUDA: runs of pixels become components, and strong components the result. */
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/edge/canny_cuda.cuh"

namespace
{

constexpr int THREADS = 256, LANES = 32;

/* The first run of a word, and what is left without it. */
struct Run {
    uint64_t bits;
    uint32_t rest;
    int start;
    __device__ explicit Run(uint32_t word)
    {
        const uint64_t all = word, carried = all + (all & (0 - all));
        bits = all & ~carried;
        rest = (uint32_t)(all & carried);
        start = __ffs((int)word) - 1;
    }
};

/* Where the run begins that `column` of a word is part of. */
__device__ int start_of(uint32_t word, int column)
{
    const uint32_t gaps = ~word & ((1u << column) - 1);
    return LANES - __clz((int)gaps);
}

/* What stands around a word of the row above it: bit 0 is the last of the word before, bit 33 the
 * first of the word after. */
struct Above {
    uint32_t left, middle;
    uint64_t bits;
    __device__ Above(const CannyRuns &runs, uint32_t word, int32_t column, int32_t y)
        : left(0), middle(0), bits(0)
    {
        if (y == 0)
            return;
        const uint32_t *above = runs.words + (word - (uint32_t)runs.across);
        middle = above[0];
        left = column > 0 ? above[-1] : 0;
        const uint32_t right = column + 1 < runs.across ? above[1] : 0;
        bits = (uint64_t)(right & 1) << 33 | (uint64_t)middle << 1 | left >> 31;
    }
};

/* A thread has a word. Runs of the row above that go on from one word to the next are joined by the
 * thread of that row, so that one of them is enough here. Few words have any: latency limits. */
__global__ void __launch_bounds__(THREADS) canny_runs_kernel(CannyRuns runs)
{
    const uint32_t word = blockIdx.x * THREADS + threadIdx.x;
    const uint32_t across = (uint32_t)runs.across;
    const int32_t y = (int32_t)(word / across), column = (int32_t)(word % across);
    const uint32_t own = y < runs.height ? runs.words[word] : 0;
    if (own == 0)
        return;
    const uint32_t before = (own & 1) != 0 && column > 0 ? runs.words[word - 1] : 0;
    if (before >> 31 != 0)
        canny_join(runs.parents, canny_parent(runs.parents, canny_node(word, 0)),
                   canny_parent(runs.parents, canny_node(word - 1, start_of(before, 31))));
    const Above above(runs, word, column, y);
    for (uint32_t left = own; left != 0;) {
        const Run run(left);
        const uint32_t node = canny_node(word, run.start);
        uint64_t touching = above.bits & (run.bits | run.bits << 1 | run.bits << 2);
        while (touching != 0) {
            const int bit = __ffsll((long long)touching) - 1;
            const uint32_t upper = word - across;
            const uint32_t other = bit == 0 ? canny_node(upper - 1, start_of(above.left, 31))
                                   : bit > CANNY_WORD
                                       ? canny_node(upper + 1, 0)
                                       : canny_node(upper, start_of(above.middle, bit - 1));
            canny_join(runs.parents, canny_parent(runs.parents, node),
                       canny_parent(runs.parents, other));
            const uint64_t from = above.bits >> bit << bit;
            touching &= from + (touching & (0 - touching));
        }
        left = run.rest;
    }
}

/* Four bits to four bytes. */
__device__ uint32_t white_of(uint32_t bits)
{
    return ((bits & 15) * 0x00204081u & 0x01010101u) * 255;
}

/* A thread decides on the runs of a word; the warp writes its 1024 pixels, 16 bytes to a store. */
__global__ void __launch_bounds__(THREADS) canny_write_kernel(CannyRuns runs, ImgView dst)
{
    const uint32_t word = blockIdx.x * THREADS + threadIdx.x;
    const uint32_t across = (uint32_t)runs.across, words = across * (uint32_t)runs.height;
    const int lane = (int)threadIdx.x % LANES;
    uint32_t kept = 0;
    for (uint32_t left = word < words ? runs.words[word] : 0; left != 0;) {
        const Run run(left);
        const uint32_t parent = runs.parents[canny_node(word, run.start)];
        if (canny_is_strong(canny_root(runs.parents, parent)))
            kept |= (uint32_t)run.bits;
        left = run.rest;
    }
#pragma unroll
    for (int half = 0; half < 2; half++) {
        const int from = half * LANES / 2 + lane / 2;
        const uint32_t bits = __shfl_sync(UINT32_MAX, kept, from) >> lane % 2 * WIDE_BYTES;
        const uint32_t place = word - (uint32_t)lane + (uint32_t)from;
        if (place < words)
            store_wide(dst.data + (size_t)(place / across) * dst.stride,
                       (int64_t)(place % across) * CANNY_WORD + lane % 2 * WIDE_BYTES, dst.width,
                       make_uint4(white_of(bits), white_of(bits >> 4), white_of(bits >> 8),
                                  white_of(bits >> 12)));
    }
}

} // namespace

ImgStatus canny_follow_runs(const ImgCall *call, const CannyRuns &runs, ImgError *err)
{
    const unsigned blocks = ((unsigned)runs.across * (unsigned)runs.height - 1) / THREADS + 1;
    IMG_LAUNCH(canny_runs_kernel, blocks, THREADS, 0, call->stream, runs);
    IMG_LAUNCH(canny_write_kernel, blocks, THREADS, 0, call->stream, runs, call->dst);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
