/* The tone family on CUDA, fast version for samples of up to 8 bits. It processes whole vectors,
 * with tables in shared memory. Every block computes its tables from the counts, which saves a
 * kernel between counting and changing. */
#include "kernels/tone/cuda/tone_change.cuh"
#include "kernels/tone/cuda/tone_cuda.cuh"
#include "kernels/tone/cuda/tone_splits.cuh"

namespace
{

/* Returns a word with the new values of one old value, which is the index of this thread. The word
 * has one byte for each table. */
__device__ uint32_t find_entries(const ToneRun &run, BlockRoom &room)
{
    uint32_t value = threadIdx.x, maximum = (1u << run.plan.bits) - 1, entries = 0;
    for (int t = 0; t < run.plan.tables; t++) {
        uint64_t count =
            value <= maximum ? run.found.counts[((size_t)t << run.plan.bits) + value] : 0;
        uint32_t entry = 0;
        if (run.plan.rule == IMG_TONE_EQUALIZE) {
            entry = find_equalized(count, value, maximum, room);
        } else {
            ToneRange range = find_range(count, value, (uint32_t)run.plan.clip, maximum, room);
            entry = img_stretched(value, range.low, range.high, maximum);
        }
        entries |= entry << 8 * t;
    }
    return value <= maximum ? entries : 0;
}

/* Words of shared memory that are LANES words apart. The address is a 32-bit number in a register.
 * With a pointer, the compiler would compute the address again for every load. */
struct SharedColumn {
#ifdef IMGTOOL_EMULATOR
    const uint32_t *at;

    __device__ SharedColumn(const uint4 *memory, uint32_t lane)
        : at(reinterpret_cast<const uint32_t *>(memory) + lane)
    {
    }
    __device__ uint32_t operator[](uint32_t value) const
    {
        return at[value * LANES];
    }
#else
    uint32_t at;

    __device__ SharedColumn(const uint4 *memory, uint32_t lane)
        : at((uint32_t)__cvta_generic_to_shared(memory) + lane * 4)
    {
        /* must come after all stores to shared memory: the compiler does not see that loads from
         * the number `at` read what they stored */
        asm volatile("" : "+r"(at)::"memory");
    }
    __device__ uint32_t operator[](uint32_t value) const
    {
        uint32_t word;
        asm("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(at + value * (LANES * 4)));
        return word;
    }
#endif
};

/* A table with one word per value. The word has the new values of all channels, or the change of
 * luma. Each lane has its own copy, in its own bank, so there are no bank conflicts. Entries past
 * the largest value are for bytes past the end of a row. */
template <int WAY, int CHANNELS> struct Columns {
    static constexpr int THREADS = 512, BLOCKS = CHANNELS >= 3 ? 2 : 1;
    static constexpr int FITTING = 2, AHEAD = 6 / BLOCKS;
    static constexpr int VALUES = 256, SHARED_BYTES = VALUES * LANES * (int)sizeof(uint32_t);
    SharedColumn column;

    __device__ Columns(const ToneRun &run, uint4 *memory)
        : column(filled(run, memory), threadIdx.x % LANES)
    {
    }

    static __device__ const uint4 *filled(const ToneRun &run, uint4 *memory)
    {
        IMG_SHARED(BlockRoom, room, [1]);
        IMG_SHARED(uint32_t, once, [VALUES]);
        uint32_t value = threadIdx.x, word = find_entries(run, room[0]);
        if (WAY == IMG_TONE_SHIFT)
            word -= value;
        else if (run.plan.tables == 1)
            word *= 0x010101;
        if (value < VALUES)
            once[value] = word;
        __syncthreads();
        constexpr int EACH = LANES / 4;
        for (int i = (int)value; i < VALUES * EACH; i += THREADS) {
            uint32_t same = once[i / EACH];
            memory[i] = make_uint4(same, same, same, same);
        }
        __syncthreads();
        return memory;
    }

    __device__ uint32_t sample(int channel, uint32_t value) const
    {
        return column[value] >> 8 * channel & 0xff;
    }

    __device__ int32_t shift(uint32_t luma) const
    {
        return (int32_t)column[luma];
    }
};

/* Changes samples to black or white, by comparing them with Otsu's level. */
template <int CHANNELS> struct Level {
    static constexpr int THREADS = 512, BLOCKS = 1, FITTING = CHANNELS >= 3 ? 1 : 2;
    static constexpr int AHEAD = CHANNELS >= 3 ? 6 : 4, SHARED_BYTES = 0;
    uint32_t level;

    __device__ Level(const ToneRun &run, uint4 *)
    {
        IMG_SHARED(BlockRoom, scanned, [1]);
        IMG_SHARED(SplitRoom, room, [1]);
        IMG_SHARED(uint32_t, found, [1]);
        uint32_t value = threadIdx.x;
        uint64_t count = value >> run.plan.bits == 0 ? run.found.counts[value] : 0;
        uint64_t own[2] = {count, count * value}, before[2], total[2];
        block_scan(own, scanned[0], before, total);
        SplitAt split = {value, count, before[0] + own[0], before[1] + own[1], total[0], total[1]};
        if (is_best(split, room[0]))
            found[0] = count == 0 ? 0 : value;
        __syncthreads();
        level = found[0];
    }
};

template <int CHANNELS> ImgStatus change(const ImgCall *call, const ToneRun &run, ImgError *err)
{
    if (run.plan.way == IMG_TONE_SPLIT)
        return change_runs<Run<uint8_t, CHANNELS, IMG_TONE_SPLIT>, Level<CHANNELS>>(call, run, err);
    if constexpr (CHANNELS >= 3)
        if (run.plan.way == IMG_TONE_SHIFT)
            return change_runs<Run<uint8_t, CHANNELS, IMG_TONE_SHIFT>,
                               Columns<IMG_TONE_SHIFT, CHANNELS>>(call, run, err);
    return change_runs<Run<uint8_t, CHANNELS, IMG_TONE_SAMPLES>,
                       Columns<IMG_TONE_SAMPLES, CHANNELS>>(call, run, err);
}

} // namespace

ImgStatus tone_fast_bytes(const ImgCall *call, const ImgTonePlan &plan, ImgError *err)
{
    ToneFound found;
    ImgStatus status = tone_count(call, plan, &found, err);
    if (status != IMG_OK)
        return status;
    ToneRun run = tone_run_of(call, plan, found);
    return with_channels(call->src.format, [&](auto channels) {
        return change<decltype(channels)::VALUE>(call, run, err);
    });
}

ImgStatus img_tone_cuda_fast(const ImgCall *call, ImgError *err)
{
    ImgCall own;
    const ImgStatus status = img_prepass_cuda(img_tone_prepass(call->op), call, &own, err);
    if (status != IMG_OK)
        return status;
    ImgTonePlan plan = img_tone_plan(own.op, own.src.format, own.params);
    return (plan.bits == 16 ? tone_fast_words : tone_fast_bytes)(&own, plan, err);
}
