/* The fast histogram of samples of up to 8 bits: one pass over memory in 16-byte loads, one table a
 * multiprocessor for every channel and for luma, a column of counters for every lane.
 *
 * A bin's counters lie side by side, one per lane, so that the 32 additions of a warp always meet
 * 32 banks, whatever the picture holds: 30 additions per cycle were measured on an H100, where RGB
 * with luma needs 18 to keep up with its memory. Adding 1 without asking for the old value is an
 * instruction of its own there, and needs no carry as counters cannot overflow: a lane would have
 * to meet 2^32 pixels, and a picture more than any memory holds. */
#include "kernels/histogram/histogram_cuda.cuh"

namespace
{

constexpr int THREADS = 1024, LANES = 32, BINS = 256;

/* Loads in flight a thread: 64 bytes for pixels of 1, 2 and 4 samples, 48 for those of 3. */
template <int CHANNELS> constexpr int GROUPS = CHANNELS == 3 ? 1 : 4;

/* Luma by dot products of four bytes: the weights' high and low bytes. */
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

/* COLUMNS: 32, or fewer where shared memory is short; then lanes share columns. */
template <int CHANNELS, bool LUMA, bool SKIP, int COLUMNS> struct Tables {
    static constexpr int COUNT = CHANNELS + (LUMA ? 1 : 0);
    static constexpr int WORDS = COUNT * BINS * COLUMNS;
    static constexpr int BIN_SHIFT = COLUMNS == 32 ? 7 : 5; /* of a byte offset */
    static constexpr uint32_t BIN_MASK = 0xffu << BIN_SHIFT;
    static_assert(COLUMNS == 32 || COLUMNS == 8, "BIN_SHIFT");

    uint8_t *base; /* of this lane's column */

    /* Bits 8 * BYTE .. of `word` are the bin; shift and mask at once give the offset. */
    template <int BYTE> __device__ void add(int table, uint32_t word) const
    {
        constexpr int shift = 8 * BYTE - BIN_SHIFT;
        uint32_t offset = (shift < 0 ? word << (-shift & 31) : word >> (shift & 31)) & BIN_MASK;
        atomicAdd((uint32_t *)(base + table * BINS * COLUMNS * 4 + offset), 1u);
    }

    __device__ void add_luma(LumaBytes weights, uint32_t rgb) const
    {
        uint32_t scaled = (__dp4a(rgb, weights.high, 0u) << 8) +
                          __dp4a(rgb, weights.low, (uint32_t)IMG_LUMA_HALF);
        /* The bin is in bits 15 .. 22. */
        uint32_t offset = scaled >> (IMG_LUMA_SHIFT - BIN_SHIFT) & BIN_MASK;
        atomicAdd((uint32_t *)(base + CHANNELS * BINS * COLUMNS * 4 + offset), 1u);
    }

    /* Pixels in one word: four of 1 sample, two of 2, one of 4. */
    __device__ void add_word(LumaBytes weights, uint32_t word) const
    {
        if (CHANNELS == 1) {
            add<0>(0, word), add<1>(0, word), add<2>(0, word), add<3>(0, word);
        } else if (CHANNELS == 2) {
            if (!SKIP || (word & 0xff00) != 0)
                add<0>(0, word), add<1>(1, word);
            if (!SKIP || (word & 0xff000000) != 0)
                add<2>(0, word), add<3>(1, word);
        } else if (!SKIP || (word & 0xff000000) != 0) {
            add<0>(0, word), add<1>(1, word), add<2>(2, word), add<3>(3 % COUNT, word);
            if (LUMA)
                add_luma(weights, word);
        }
    }

    /* Four pixels of 3 samples, in three words. */
    __device__ void add_three(LumaBytes weights, uint32_t a, uint32_t b, uint32_t c) const
    {
        add<0>(0, a), add<1>(1, a), add<2>(2, a), add<3>(0, a);
        add<0>(1, b), add<1>(2, b), add<2>(0, b), add<3>(1, b);
        add<0>(2, c), add<1>(0, c), add<2>(1, c), add<3>(2, c);
        if (LUMA) {
            add_luma(weights, a);
            add_luma(weights, __funnelshift_r(a, b, 24));
            add_luma(weights, __funnelshift_r(b, c, 16));
            add_luma(weights, c >> 8);
        }
    }

    __device__ void add_group(LumaBytes weights, const Group<uint8_t, CHANNELS> &group) const
    {
#pragma unroll
        for (int i = 0; i < group.WORDS; i += group.VECTORS) {
            if (CHANNELS == 3)
                add_three(weights, group.words[i], group.words[i + group.VECTORS / 2],
                          group.words[i + group.VECTORS - 1]);
            else
                add_word(weights, group.words[i]);
        }
    }
};

/* One thread per group, the groups of the picture in turn. Black pixels that groups find past the
 * ends of rows are taken off again by the first block; where transparent pixels are skipped, so are
 * they. */
template <int CHANNELS, bool LUMA, bool SKIP, int COLUMNS>
__global__ void __launch_bounds__(THREADS)
    columns_kernel(HistogramTask task, LumaBytes weights, Groups groups)
{
    using Own = Tables<CHANNELS, LUMA, SKIP, COLUMNS>;
    using Pixels = Group<uint8_t, CHANNELS>;
    IMG_SHARED_DYNAMIC(uint4, shared);
    for (int i = threadIdx.x; i < Own::WORDS / 4; i += THREADS)
        shared[i] = make_uint4(0, 0, 0, 0);
    __syncthreads();

    Own tables;
    tables.base = (uint8_t *)shared + threadIdx.x % COLUMNS * 4;
    Walk walk(task, groups.a_row, Pixels::BYTES, (uint64_t)blockIdx.x * THREADS + threadIdx.x,
              (uint64_t)gridDim.x * THREADS);
    while (walk.y < (uint32_t)task.height) {
        Batch<Pixels, GROUPS<CHANNELS>> batch;
        batch.load(walk, task, groups);
        batch.each([&](const Pixels &group) { tables.add_group(weights, group); });
    }
    __syncthreads();

    IMG_AWAIT_PREVIOUS(); /* the table is clear now */
    const uint32_t *counters = (const uint32_t *)shared;
    for (int i = threadIdx.x; i < Own::COUNT * BINS; i += THREADS) {
        Count sum = 0;
        for (int column = 0; column < COLUMNS; column++)
            sum += counters[i * COLUMNS + (column + (int)threadIdx.x) % COLUMNS];
        if (!SKIP && blockIdx.x == 0 && i % BINS == 0)
            sum -= groups.beyond;
        if (sum != 0 && i % BINS < task.bins)
            atomicAdd(task.counts + i / BINS * task.row + i % BINS, sum);
    }
}

template <int CHANNELS, bool LUMA, bool SKIP, int COLUMNS>
ImgStatus launch(const ImgCall *call, int multiprocessors, ImgError *err)
{
    HistogramTask task = histogram_task(call);
    auto kernel = columns_kernel<CHANNELS, LUMA, SKIP, COLUMNS>;
    int shared = Tables<CHANNELS, LUMA, SKIP, COLUMNS>::WORDS * (int)sizeof(uint32_t);
    Groups groups = cut_in_groups<Group<uint8_t, CHANNELS>>(task);
    ImgStatus status = clear_counts(task, call->stream, err);
    if (status != IMG_OK)
        return status;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
             err);
    IMG_LAUNCH_EARLY(kernel, multiprocessors, THREADS, shared, call->stream, task,
                     luma_bytes(task.weights), groups);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

template <int CHANNELS, bool LUMA, bool SKIP>
ImgStatus by_columns(const ImgCall *call, ImgError *err)
{
    int multiprocessors = 0, available = 0;
    ImgStatus status = device_attribute(cudaDevAttrMultiProcessorCount, &multiprocessors, err);
    if (status == IMG_OK)
        status = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &available, err);
    if (status != IMG_OK)
        return status;
    constexpr int wide = Tables<CHANNELS, LUMA, SKIP, LANES>::WORDS * (int)sizeof(uint32_t);
    return wide <= available ? launch<CHANNELS, LUMA, SKIP, LANES>(call, multiprocessors, err)
                             : launch<CHANNELS, LUMA, SKIP, 8>(call, multiprocessors, err);
}

} // namespace

ImgStatus img_histogram_cuda_columns(const ImgCall *call, ImgError *err)
{
    const ImgHistogramParams *own = (const ImgHistogramParams *)call->params;
    ImgFormat format = call->src.format;
    bool luma = img_histogram_has_luma(format, own), skip = img_histogram_skips(format, own);
    switch (img_format_channels(format)) {
    case 1:
        return by_columns<1, false, false>(call, err);
    case 2:
        return skip ? by_columns<2, false, true>(call, err)
                    : by_columns<2, false, false>(call, err);
    case 3:
        return luma ? by_columns<3, true, false>(call, err)
                    : by_columns<3, false, false>(call, err);
    default:
        if (skip)
            return luma ? by_columns<4, true, true>(call, err)
                        : by_columns<4, false, true>(call, err);
        return luma ? by_columns<4, true, false>(call, err)
                    : by_columns<4, false, false>(call, err);
    }
}
