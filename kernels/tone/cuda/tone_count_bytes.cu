/* Counts how often each value of up to 8 bits occurs, into one row of counts. It counts the gray
 * channel, luma, or all colours together. Every lane has a column of counters, as in the
 * histogram's fast kernel (kernels/histogram). There is only one table, so two blocks fit a
 * multiprocessor. Pixels stay in the second-level cache for the kernel that changes them. */
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/tone/cuda/tone_chunks.cuh"

namespace
{

constexpr int THREADS = 512, LANES = 32, BINS = 256;

/* Number of groups of pixels that a thread loads at the same time. Together they have 64 bytes, or
 * 48 with 3 samples per pixel. */
template <int CHANNELS> constexpr int GROUPS = CHANNELS == 3 ? 1 : 4;

/* A Group whose loads are cached, because the picture is read again. */
template <int CHANNELS> struct KeptGroup : Group<uint8_t, CHANNELS> {
    __device__ void load(const uint8_t *at, int bytes)
    {
#pragma unroll
        for (int v = 0; v < KeptGroup::VECTORS; v++)
            this->put(v, 16 * v < bytes ? __ldg((const uint4 *)at + v) : make_uint4(0, 0, 0, 0));
    }
};

/* Weights of the channels in luma, as bytes for dot products of four bytes: the high and the low
 * bytes of the weights. */
struct LumaBytes {
    uint32_t high, low;
};

LumaBytes luma_bytes(ImgLumaWeights weights)
{
    LumaBytes bytes;
    bytes.high = weights.red >> 8 | weights.green >> 8 << 8 | weights.blue >> 8 << 16;
    bytes.low = (weights.red & 0xff) | (weights.green & 0xff) << 8 | (weights.blue & 0xff) << 16;
    return bytes;
}

/* The column of counters that belongs to one lane. It counts the samples in words. Pixels with
 * alpha 0 do not count. */
template <int CHANNELS, bool LUMA> struct Column {
    static constexpr int BIN_SHIFT = 7; /* log2 of the number of bytes per bin */
    static constexpr uint32_t BIN_MASK = 0xffu << BIN_SHIFT;

    uint8_t *base;
    LumaBytes weights;

    /* Counts the sample in byte BYTE of `word`. A shift and a mask compute the byte offset of its
     * bin. */
    template <int BYTE> __device__ void add(uint32_t word) const
    {
        constexpr int shift = 8 * BYTE - BIN_SHIFT;
        uint32_t offset = (shift < 0 ? word << (-shift & 31) : word >> (shift & 31)) & BIN_MASK;
        atomicAdd((uint32_t *)(base + offset), 1u);
    }

    __device__ void add_luma(uint32_t rgb) const
    {
        uint32_t scaled = (__dp4a(rgb, weights.high, 0u) << 8) +
                          __dp4a(rgb, weights.low, (uint32_t)IMG_LUMA_HALF);
        /* the bin is in bits 15 to 22 of `scaled` */
        atomicAdd((uint32_t *)(base + (scaled >> (IMG_LUMA_SHIFT - BIN_SHIFT) & BIN_MASK)), 1u);
    }

    /* Counts the pixels of one word: four pixels of 1 sample, two of 2 samples, or one of 4
     * samples. */
    __device__ void add_word(uint32_t word) const
    {
        if (CHANNELS == 1) {
            add<0>(word), add<1>(word), add<2>(word), add<3>(word);
        } else if (CHANNELS == 2) {
            if ((word & 0xff00) != 0)
                add<0>(word);
            if ((word & 0xff000000) != 0)
                add<2>(word);
        } else if ((word & 0xff000000) != 0) {
            if (LUMA)
                add_luma(word);
            else
                add<0>(word), add<1>(word), add<2>(word);
        }
    }

    /* Counts the four pixels of 3 samples that three words contain. */
    __device__ void add_three(uint32_t a, uint32_t b, uint32_t c) const
    {
        if (LUMA) {
            add_luma(a), add_luma(__funnelshift_r(a, b, 24));
            add_luma(__funnelshift_r(b, c, 16)), add_luma(c >> 8);
            return;
        }
        add<0>(a), add<1>(a), add<2>(a), add<3>(a);
        add<0>(b), add<1>(b), add<2>(b), add<3>(b);
        add<0>(c), add<1>(c), add<2>(c), add<3>(c);
    }

    __device__ void operator()(const Group<uint8_t, CHANNELS> &group) const
    {
#pragma unroll
        for (int i = 0; i < group.WORDS; i += group.VECTORS) {
            if (CHANNELS == 3)
                add_three(group.words[i], group.words[i + group.VECTORS / 2],
                          group.words[i + group.VECTORS - 1]);
            else
                add_word(group.words[i]);
        }
    }
};

__global__ void __launch_bounds__(BINS) clear_bytes_kernel(Count *counts)
{
    tone_let_next_start();
    counts[threadIdx.x] = 0;
}

/* Returns the sum of all counters of a bin, which has one counter per lane. PARTS threads add up
 * LANES / PARTS counters each, and then exchange their sums. */
template <int PARTS> __device__ Count sum_columns(const uint32_t *counters)
{
    constexpr int PART = LANES / PARTS;
    int bin = (int)threadIdx.x / PARTS, first = (int)threadIdx.x % PARTS * PART;
    Count sum = 0;
#pragma unroll
    for (int i = 0; i < PART; i++)
        sum += counters[bin * LANES + first + (i + bin) % PART];
#pragma unroll
    for (int away = 1; away < PARTS; away *= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, away);
    return sum;
}

/* Counts the samples of the picture. Each thread walks over groups of pixels, and loads the next
 * group before it counts the current one. Groups contain `beyond` samples of value 0 past the ends
 * of rows; the first block subtracts them. */
template <int CHANNELS, bool LUMA>
__global__ void __launch_bounds__(THREADS, 2)
    count_bytes_kernel(PixelRows rows, LumaBytes weights, Groups groups, uint64_t beyond, int bins,
                       Count *counts)
{
    using Pixels = KeptGroup<CHANNELS>;
    constexpr int PARTS = THREADS / BINS;
    IMG_SHARED(uint32_t, counters, [BINS * LANES]);
    tone_let_next_start();
    Walk walk(rows, groups.a_row, Pixels::BYTES, blockIdx.x * THREADS + threadIdx.x,
              gridDim.x * THREADS);
    Batch<Pixels, GROUPS<CHANNELS>> batch, next;
    batch.load(walk, rows, groups);
    for (int i = (int)threadIdx.x; i < BINS * LANES / 4; i += THREADS)
        ((uint4 *)counters)[i] = make_uint4(0, 0, 0, 0);
    __syncthreads();
    Column<CHANNELS, LUMA> column = {(uint8_t *)(counters + threadIdx.x % LANES), weights};
    while (batch.bytes[0] > 0) {
        next.load(walk, rows, groups);
        batch.each(column);
        batch = next;
    }
    __syncthreads();
    Count sum = sum_columns<PARTS>(counters);
    int bin = (int)threadIdx.x / PARTS;
    if (blockIdx.x == 0 && bin == 0)
        sum -= beyond;
    IMG_AWAIT_PREVIOUS(); /* waits until the previous kernel has cleared the counts */
    if (threadIdx.x % PARTS == 0 && bin < bins && sum != 0)
        atomicAdd(counts + bin, sum);
}

template <int CHANNELS, bool LUMA>
ImgStatus launch(const ImgCall *call, const ImgTonePlan &plan, Count *counts, ImgError *err)
{
    PixelRows rows = pixel_rows(call->src);
    Groups groups = cut_in_groups<Group<uint8_t, CHANNELS>>(rows);
    uint64_t beyond = CHANNELS % 2 == 0 ? 0 : groups.beyond * (CHANNELS == 3 && !LUMA ? 3 : 1);
    int multiprocessors;
    ImgStatus status = device_attribute(cudaDevAttrMultiProcessorCount, &multiprocessors, err);
    if (status != IMG_OK)
        return status;
    uint64_t blocks = ((uint64_t)groups.a_row * (uint64_t)rows.height - 1) / THREADS + 1;
    unsigned grid = (unsigned)min(blocks, (uint64_t)multiprocessors);
    IMG_LAUNCH(clear_bytes_kernel, 1, 1u << plan.bits, 0, call->stream, counts);
    IMG_LAUNCH_EARLY((count_bytes_kernel<CHANNELS, LUMA>), grid, THREADS, 0, call->stream, rows,
                     luma_bytes(plan.weights), groups, beyond, 1 << plan.bits, counts);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus tone_count_bytes(const ImgCall *call, const ImgTonePlan &plan, Count *counts,
                           ImgError *err)
{
    bool luma = plan.rule != IMG_TONE_STRETCH;
    switch (plan.channels) {
    case 1:
        return launch<1, false>(call, plan, counts, err);
    case 2:
        return launch<2, false>(call, plan, counts, err);
    case 3:
        return luma ? launch<3, true>(call, plan, counts, err)
                    : launch<3, false>(call, plan, counts, err);
    default:
        return luma ? launch<4, true>(call, plan, counts, err)
                    : launch<4, false>(call, plan, counts, err);
    }
}
