/* The tone family on CUDA, fast version for samples of 16 bits. It processes whole vectors. A table
 * of equalize fills most of the shared memory of a multiprocessor, but three tables fit if they are
 * packed. autolevel computes new values instead of looking them up in tables. */
#include "kernels/tone/cuda/tone_change.cuh"
#include "kernels/tone/cuda/tone_cuda.cuh"
#include "kernels/tone/cuda/tone_packed.cuh"

namespace
{

constexpr int TABLE_BYTES = 65536 * (int)sizeof(uint16_t);

/* One table for all channels, copied to shared memory. */
struct SharedTable {
    static constexpr int THREADS = 1024, BLOCKS = 1, FITTING = BLOCKS, AHEAD = 3,
                         SHARED_BYTES = TABLE_BYTES;
    const uint16_t *table;

    __device__ SharedTable(const ToneRun &run, uint4 *memory)
        : table(reinterpret_cast<const uint16_t *>(memory))
    {
        const uint4 *from = reinterpret_cast<const uint4 *>(run.found.tables);
#pragma unroll
        for (int i = 0; i < TABLE_BYTES / WIDE_BYTES / THREADS; i++)
            memory[i * THREADS + (int)threadIdx.x] = __ldcg(from + i * THREADS + threadIdx.x);
        __syncthreads();
    }
    __device__ uint32_t sample(int, uint32_t value) const
    {
        return table[value];
    }
    __device__ int32_t shift(uint32_t luma) const
    {
        return (int32_t)(table[luma] - luma);
    }
};

/* Tables that are read through the caches. They are used for small pictures, and if shared memory
 * is too small. */
struct CachedTables {
    static constexpr int THREADS = 256, BLOCKS = 4, FITTING = BLOCKS, AHEAD = 2, SHARED_BYTES = 0;
    const uint16_t *tables;
    uint32_t step;

    __device__ CachedTables(const ToneRun &run, uint4 *)
        : tables(run.found.tables), step(run.plan.tables == 1 ? 0 : 65536)
    {
    }
    __device__ uint32_t sample(int channel, uint32_t value) const
    {
        return __ldg(tables + (size_t)channel * step + value);
    }
    __device__ int32_t shift(uint32_t luma) const
    {
        return (int32_t)(__ldg(tables + luma) - luma);
    }
};

/* Computes img_stretched without a division. Let `inverse` = floor((2^32 - 1) / range), which is
 * (2^32 - rest) / range for a rest of 1 to range. Then for any n below 2^32
 *
 *     n / range - n * inverse / 2^32 = n / range * rest / 2^32 < 1,
 *
 * so the upper half of n * inverse is the quotient or 1 less. The remainder of n decides which. */
struct Stretch {
    uint32_t low, range, inverse;

    Stretch() = default;
    __device__ explicit Stretch(const ToneRange &from)
        : low(from.low), range(from.high - from.low), inverse(0xffffffff / range)
    {
    }
    __device__ uint32_t operator()(uint32_t value) const
    {
        int32_t above = min(max((int32_t)value - (int32_t)low, 0), (int32_t)range);
        uint32_t n = (uint32_t)above * 65535 + range / 2;
        uint32_t quotient = (uint32_t)((uint64_t)n * inverse >> 32);
        return quotient + (n - quotient * range >= range ? 1 : 0);
    }
};

template <int COLORS> struct Stretches {
    static constexpr int THREADS = 256, BLOCKS = COLORS == 3 ? 4 : 6, FITTING = BLOCKS, AHEAD = 3;
    static constexpr int SHARED_BYTES = 0;
    Stretch stretch[COLORS];

    __device__ Stretches(const ToneRun &run, uint4 *)
    {
#pragma unroll
        for (int c = 0; c < COLORS; c++)
            stretch[c] = Stretch(run.found.ranges[run.plan.tables == 1 ? 0 : c]);
    }
    __device__ uint32_t sample(int channel, uint32_t value) const
    {
        return stretch[channel](value);
    }
};

/* Changes samples to black or white, by comparing them with Otsu's level. */
struct Level {
    static constexpr int THREADS = 256, BLOCKS = 4, FITTING = BLOCKS, AHEAD = 3, SHARED_BYTES = 0;
    uint32_t level;

    __device__ Level(const ToneRun &run, uint4 *) : level(*run.found.level)
    {
    }
};

/* the emulator must also test tables in shared memory, but its pictures are small */
#ifdef IMGTOOL_EMULATOR
template <typename Change> constexpr int64_t PIXELS_WORTH_FILLING = 1 << 12;
#else
template <typename Change> constexpr int64_t PIXELS_WORTH_FILLING = 4 * Change::SHARED_BYTES;
#endif

/* Sets *worth to true if Change and R fit the shared memory of a block, and the picture has enough
 * pixels to make up for the time to fill this memory. */
template <typename R, typename Change>
ImgStatus is_worth_filling(const ToneRun &run, bool *worth, ImgError *err)
{
    constexpr int NEEDED = Change::SHARED_BYTES + Change::THREADS / LANES * R::STAGED * WIDE_BYTES;
    int shared;
    ImgStatus status = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared, err);
    *worth = status == IMG_OK && NEEDED <= shared &&
             (int64_t)run.width * run.height >= PIXELS_WORTH_FILLING<Change>;
    return status;
}

/* Changes pixels with tables. They are in shared memory (Filled) if filling it takes less time than
 * it saves; otherwise they are read through the caches (Cached). */
template <typename R, typename Filled, typename Cached>
ImgStatus change_by_tables(const ImgCall *call, const ToneRun &run, ImgError *err)
{
    bool worth;
    ImgStatus status = is_worth_filling<R, Filled>(run, &worth, err);
    if (status != IMG_OK)
        return status;
    return worth ? change_runs<R, Filled>(call, run, err)
                 : change_runs<Cached, CachedTables>(call, run, err);
}

template <int CHANNELS> ImgStatus change(const ImgCall *call, const ToneRun &run, ImgError *err)
{
    using Samples = Run<uint16_t, CHANNELS, IMG_TONE_SAMPLES>;
    if (run.plan.way == IMG_TONE_SPLIT)
        return change_runs<Run<uint16_t, CHANNELS, IMG_TONE_SPLIT>, Level>(call, run, err);
    if (run.plan.rule == IMG_TONE_STRETCH)
        return change_runs<Samples, Stretches<Samples::COLORS>>(call, run, err);
    if constexpr (CHANNELS >= 3) {
        using Shift = Run<uint16_t, CHANNELS, IMG_TONE_SHIFT>;
        using Flat = Run<uint16_t, CHANNELS, IMG_TONE_SAMPLES, true>;
        return run.plan.way == IMG_TONE_SHIFT
                   ? change_by_tables<Shift, SharedTable, Shift>(call, run, err)
                   : change_by_tables<Flat, PackedTables, Samples>(call, run, err);
    } else {
        return change_by_tables<Samples, SharedTable, Samples>(call, run, err);
    }
}

} // namespace

ImgStatus tone_fast_words(const ImgCall *call, const ImgTonePlan &plan, ImgError *err)
{
    ToneFound found;
    ImgStatus status = tone_find(call, plan, &found, err);
    if (status != IMG_OK)
        return status;
    ToneRun run = tone_run_of(call, plan, found);
    return with_channels(call->src.format, [&](auto channels) {
        return change<decltype(channels)::VALUE>(call, run, err);
    });
}
