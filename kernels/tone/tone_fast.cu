/* Whole vectors, tables in shared memory: the fast way to change samples. */
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/tone/tone_cuda.cuh"

namespace
{

constexpr int THREADS = 256, WARPS = THREADS / 32, LANES = 32;

/* A run is what one thread takes at a time: 16 bytes, or with pixels of 3 and 6 bytes the 48 that
 * hold whole ones. */
template <typename Sample, int CHANNELS, int WAY> struct Run {
    static constexpr int COLORS = CHANNELS == 2 || CHANNELS == 4 ? CHANNELS - 1 : CHANNELS;
    static constexpr int RESULTS = WAY == IMG_TONE_SPLIT ? 1 + CHANNELS - COLORS : CHANNELS;
    static constexpr int PIECES = CHANNELS == 3 ? 3 : 1;
    static constexpr int BYTES = PIECES * WIDE_BYTES;
    static constexpr int PIXELS = BYTES / (CHANNELS * (int)sizeof(Sample));
    static constexpr int OUT_BYTES = PIXELS * RESULTS * (int)sizeof(Sample);
    static constexpr int STAGED = PIECES == 3 ? LANES * PIECES : 1; /* pieces per warp */
};

/* Sample i of a run in words. */
template <typename Sample> __device__ uint32_t get(const uint32_t *words, int i)
{
    constexpr int EACH = 4 / (int)sizeof(Sample), BITS = 32 / EACH;
    return words[i / EACH] >> i % EACH * BITS & (Sample)-1;
}

/* Into words that were 0. */
template <typename Sample> __device__ void put(uint32_t *words, int i, uint32_t value)
{
    constexpr int EACH = 4 / (int)sizeof(Sample), BITS = 32 / EACH;
    words[i / EACH] |= value << i % EACH * BITS;
}

/* 8 bits: a word for every value holds what all channels make of it, or the shift of luma; each
 * lane has a column of its own, its own bank, so that no two lanes ever wait for each other.
 * Entries beyond the last value are there for what lies past the end of a row. */

template <int COLORS, int WAY> __device__ void fill_columns(const ToneRun &run, uint32_t *columns)
{
    int bins = 1 << run.plan.bits;
    for (int v = (int)threadIdx.x; v < 256; v += THREADS) {
        uint32_t word = 0;
        if (v < bins && WAY == IMG_TONE_SHIFT)
            word = tone_entry(run, 0, (uint32_t)v) - (uint32_t)v;
        if (v < bins && WAY == IMG_TONE_SAMPLES)
            for (int c = 0; c < COLORS; c++)
                word |= tone_entry(run, c, (uint32_t)v) << 8 * c;
        /* Each thread starts at a bank of its own. */
        for (int i = 0; i < LANES; i++)
            columns[v * LANES + (i + v) % LANES] = word;
    }
    __syncthreads();
}

/* 16 bits: from the caches; 128 KiB a table are too much to hold in columns. */
template <typename Sample, int WAY> struct Lookup {
    const ToneRun &run;
    const uint32_t *column;

    __device__ uint32_t sample(int channel, uint32_t value) const
    {
        if (sizeof(Sample) == 1)
            return column[value * LANES] >> 8 * channel & 0xff;
        return tone_entry(run, channel, value);
    }

    __device__ int32_t shift(uint32_t luma) const
    {
        if (sizeof(Sample) == 1)
            return (int32_t)column[luma * LANES];
        return (int32_t)(tone_entry(run, 0, luma) - luma);
    }
};

template <typename Sample, int CHANNELS, int WAY>
__device__ void change_pixel(const ToneRun &run, const Lookup<Sample, WAY> &lookup, uint32_t level,
                             const uint32_t *in, int from, uint32_t *out, int to)
{
    using R = Run<Sample, CHANNELS, WAY>;
    int32_t maximum = (1 << run.plan.bits) - 1;
    uint32_t sample[CHANNELS];
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        sample[c] = get<Sample>(in, from + c);
    uint32_t bright = sample[0];
    if constexpr (R::COLORS == 3 && WAY != IMG_TONE_SAMPLES)
        bright = img_luma(run.plan.weights, sample[0], sample[1], sample[2]);
    if (WAY == IMG_TONE_SPLIT) {
        put<Sample>(out, to, bright > level ? (uint32_t)maximum : 0);
    } else if (WAY == IMG_TONE_SAMPLES) {
#pragma unroll
        for (int c = 0; c < R::COLORS; c++)
            put<Sample>(out, to + c, lookup.sample(c, sample[c]));
    } else {
        int32_t shift = lookup.shift(bright);
#pragma unroll
        for (int c = 0; c < R::COLORS; c++)
            put<Sample>(out, to + c, tone_clamped((int32_t)sample[c] + shift, maximum));
    }
    if (CHANNELS > R::COLORS)
        put<Sample>(out, to + R::RESULTS - 1, sample[CHANNELS - 1]);
}

/* 8 bytes at `offset` of a row, or as many as are left of it. */
__device__ void store_half(uint8_t *row, int64_t offset, int64_t row_bytes, uint32_t a, uint32_t b)
{
    if (offset + 8 <= row_bytes)
        *reinterpret_cast<uint2 *>(row + offset) = make_uint2(a, b);
    else if (offset < row_bytes)
        store_part(row + offset, make_uint4(a, b, 0, 0), (int)(row_bytes - offset));
}

/* Where a warp is: which of the warp-wide runs of which row. Warps go through the picture side by
 * side, so that the next place is found without dividing. */
struct Place {
    int64_t run, y;
};

template <typename Sample, int CHANNELS, int WAY> struct Worker {
    using R = Run<Sample, CHANNELS, WAY>;
    const ToneRun &run;
    Lookup<Sample, WAY> lookup;
    uint32_t level;
    int lane;
    uint4 *staged; /* of this warp */

    /* This lane's pieces of the warp's bytes, 16 apart; nothing from beyond the row's end. */
    __device__ void load(const Place &at, uint4 (&pieces)[R::PIECES]) const
    {
        int64_t row_bytes = (int64_t)run.width * CHANNELS * (int)sizeof(Sample);
        const uint8_t *row = run.src + at.y * run.src_stride;
#pragma unroll
        for (int q = 0; q < R::PIECES; q++) {
            int64_t offset = at.run * LANES * R::BYTES + (lane + LANES * q) * WIDE_BYTES;
            pieces[q] = make_uint4(0, 0, 0, 0);
            if (at.y < run.height && offset < row_bytes)
                pieces[q] = load_wide(row + offset);
        }
    }

    /* With three pieces, a lane's own pixels are 48 bytes in a row: the warp's bytes change places
     * through shared memory. Three pieces per lane are odd in number, and so without conflicts. */
    __device__ void work(const Place &at, const uint4 (&pieces)[R::PIECES]) const
    {
        uint32_t in[4 * R::PIECES], out[(R::OUT_BYTES + 3) / 4] = {};
        if (R::PIECES == 3) {
#pragma unroll
            for (int q = 0; q < R::PIECES; q++)
                staged[lane + LANES * q] = pieces[q];
            __syncwarp();
        }
#pragma unroll
        for (int q = 0; q < R::PIECES; q++)
            take_piece(in + 4 * q, R::PIECES == 3 ? staged[lane * R::PIECES + q] : pieces[q]);
#pragma unroll
        for (int p = 0; p < R::PIXELS; p++)
            change_pixel<Sample, CHANNELS, WAY>(run, lookup, level, in, p * CHANNELS, out,
                                                p * R::RESULTS);
        store(at, out);
    }

    __device__ void store(const Place &at, const uint32_t *out) const
    {
        int64_t row_bytes = (int64_t)run.width * R::RESULTS * (int)sizeof(Sample);
        int64_t start = at.run * LANES * R::OUT_BYTES;
        uint8_t *row = run.dst + at.y * run.dst_stride;
        if constexpr (R::OUT_BYTES == 8) {
            store_half(row, start + lane * 8, row_bytes, out[0], out[1]);
        } else if constexpr (R::OUT_BYTES == WIDE_BYTES) {
            store_wide(row, start + lane * WIDE_BYTES, row_bytes,
                       make_uint4(out[0], out[1], out[2], out[3]));
        } else {
            __syncwarp();
#pragma unroll
            for (int q = 0; q < R::PIECES; q++)
                staged[lane * R::PIECES + q] =
                    make_uint4(out[4 * q], out[4 * q + 1], out[4 * q + 2], out[4 * q + 3]);
            __syncwarp();
#pragma unroll
            for (int q = 0; q < R::PIECES; q++)
                store_wide(row, start + (lane + LANES * q) * WIDE_BYTES, row_bytes,
                           staged[lane + LANES * q]);
        }
        if (R::PIECES == 3)
            __syncwarp(); /* before the next run comes in */
    }
};

/* One warp per run of 512 or 1536 bytes of a row at a time, the next one on its way meanwhile; as
 * many blocks as fit the GPU at once, so that tables are filled once each. */
template <typename Sample, int CHANNELS, int WAY>
__global__ void __launch_bounds__(THREADS) tone_fast_kernel(ToneRun run, int64_t runs_across)
{
    using R = Run<Sample, CHANNELS, WAY>;
    constexpr bool COLUMNS = sizeof(Sample) == 1 && WAY != IMG_TONE_SPLIT;
    IMG_SHARED(uint32_t, columns, [COLUMNS ? 256 * LANES : 1]);
    IMG_SHARED(uint4, staged, [WARPS][R::STAGED]);
    if constexpr (COLUMNS)
        fill_columns<R::COLORS, WAY>(run, columns);
    int lane = (int)threadIdx.x % LANES, warp = (int)threadIdx.x / LANES;
    Worker<Sample, CHANNELS, WAY> worker = {run,
                                            {run, COLUMNS ? columns + lane : columns},
                                            WAY == IMG_TONE_SPLIT ? *run.made.level : 0,
                                            lane,
                                            staged[warp]};
    int64_t first = (int64_t)blockIdx.x * WARPS + warp, warps = (int64_t)gridDim.x * WARPS;
    Place at = {first % runs_across, first / runs_across};
    Place step = {warps % runs_across, warps / runs_across};
    uint4 pieces[R::PIECES];
    worker.load(at, pieces);
    while (at.y < run.height) {
        Place next = {at.run + step.run, at.y + step.y};
        if (next.run >= runs_across) {
            next.run -= runs_across;
            next.y++;
        }
        uint4 coming[R::PIECES];
        worker.load(next, coming);
        worker.work(at, pieces);
#pragma unroll
        for (int q = 0; q < R::PIECES; q++)
            pieces[q] = coming[q];
        at = next;
    }
}

constexpr int BLOCKS_PER_MULTIPROCESSOR = 5; /* 44 KiB of shared memory each */

template <typename Sample, int CHANNELS, int WAY>
ImgStatus launch(const ImgCall *call, const ToneRun &run, ImgError *err)
{
    using R = Run<Sample, CHANNELS, WAY>;
    int device, multiprocessors;
    CUDA_TRY(cudaGetDevice(&device), err);
    CUDA_TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), err);
    int64_t runs_across = (run.width + (int64_t)R::PIXELS * LANES - 1) / (R::PIXELS * LANES);
    int64_t needed = (runs_across * run.height + WARPS - 1) / WARPS;
    int64_t fitting = (int64_t)multiprocessors * BLOCKS_PER_MULTIPROCESSOR;
    IMG_LAUNCH((tone_fast_kernel<Sample, CHANNELS, WAY>),
               (unsigned)(needed < fitting ? needed : fitting), THREADS, 0, call->stream, run,
               runs_across);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

template <typename Sample, int CHANNELS>
ImgStatus launch_way(const ImgCall *call, const ToneRun &run, ImgError *err)
{
    if (run.plan.way == IMG_TONE_SPLIT)
        return launch<Sample, CHANNELS, IMG_TONE_SPLIT>(call, run, err);
    if constexpr (CHANNELS >= 3)
        if (run.plan.way == IMG_TONE_SHIFT)
            return launch<Sample, CHANNELS, IMG_TONE_SHIFT>(call, run, err);
    return launch<Sample, CHANNELS, IMG_TONE_SAMPLES>(call, run, err);
}

template <typename Sample>
ImgStatus launch_channels(const ImgCall *call, const ToneRun &run, ImgError *err)
{
    switch (run.plan.channels) {
    case 1:
        return launch_way<Sample, 1>(call, run, err);
    case 2:
        return launch_way<Sample, 2>(call, run, err);
    case 3:
        return launch_way<Sample, 3>(call, run, err);
    default:
        return launch_way<Sample, 4>(call, run, err);
    }
}

} // namespace

ImgStatus img_tone_cuda_fast(const ImgCall *call, ImgError *err)
{
    ImgTonePlan plan = img_tone_plan(call->op, call->src.format, call->params);
    ToneTables made;
    ImgStatus status = tone_make_tables(call, plan, &made, err);
    if (status != IMG_OK)
        return status;
    ToneRun run = tone_run_of(call, plan, made);
    return plan.bits == 16 ? launch_channels<uint16_t>(call, run, err)
                           : launch_channels<uint8_t>(call, run, err);
}
