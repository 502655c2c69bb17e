/* Private to the tone family: applies tables, a range or a level to the pixels of a picture on
 * CUDA. */
#ifndef IMGTOOL_KERNELS_TONE_CUDA_TONE_CHANGE_CUH
#define IMGTOOL_KERNELS_TONE_CUDA_TONE_CHANGE_CUH

#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/tone/cuda/tone_cuda.cuh"

/* --- Runs ------------------------------------------------------------------------------------- */

/* Warps walk over a picture in runs of whole vectors. */

constexpr int LANES = 32;

/* A run is the data that one thread processes at a time. It has 16 bytes, or 48 bytes for pixels of
 * 3 and 6 bytes, so that it consists of whole pixels. If FLAT, a run always has 16 bytes and may
 * start with any channel. */
template <typename Sample_, int CHANNELS_, int WAY_, bool FLAT_ = false> struct Run {
    using Sample = Sample_;
    static constexpr int CHANNELS = CHANNELS_, WAY = WAY_;
    static constexpr bool FLAT = FLAT_;
    static constexpr int COLORS = CHANNELS == 2 || CHANNELS == 4 ? CHANNELS - 1 : CHANNELS;
    static constexpr int RESULTS = WAY == IMG_TONE_SPLIT ? 1 + CHANNELS - COLORS : CHANNELS;
    static constexpr int PIECES = CHANNELS == 3 && !FLAT ? 3 : 1;
    static constexpr int BYTES = PIECES * WIDE_BYTES;
    static constexpr int SAMPLES = BYTES / (int)sizeof(Sample);
    static constexpr int PIXELS = BYTES / (CHANNELS * (int)sizeof(Sample));
    static constexpr int OUT_BYTES = FLAT ? BYTES : PIXELS * RESULTS * (int)sizeof(Sample);
    /* size of a warp's buffer in shared memory, in 16-byte pieces. The buffer serves only runs of
     * three pieces; otherwise its size is 1, because an array needs an element. */
    static constexpr int STAGED = PIECES == 3 ? LANES * PIECES : 1;
    static constexpr bool SPLITS_WORDS =
        WAY == IMG_TONE_SPLIT && CHANNELS == 1 && sizeof(Sample) == 1;
};

/* Returns sample number `i` of a run, which is stored in words. */
template <typename Sample> __device__ uint32_t get(const uint32_t *words, int i)
{
    /* A byte permutation is one instruction; a shift and a mask would be two. */
    if (sizeof(Sample) == 1)
        return __byte_perm(words[i / 4], 0, 0x4440 + i % 4);
    constexpr int EACH = 4 / (int)sizeof(Sample), BITS = 32 / EACH;
    return words[i / EACH] >> i % EACH * BITS & (Sample)-1;
}

/* Stores sample number `i` of a run. Its bits in `words` must be 0 before the call. */
template <typename Sample> __device__ void put(uint32_t *words, int i, uint32_t value)
{
    constexpr int EACH = 4 / (int)sizeof(Sample), BITS = 32 / EACH;
    words[i / EACH] |= value << i % EACH * BITS;
}

/* Stores 16 bytes at `offset` of a row, or fewer at its end, with a streaming hint. The result is
 * not read again, so it should leave the caches before the source does. */
__device__ inline void store_last(uint8_t *row, int64_t offset, int64_t row_bytes, uint4 v)
{
    if (offset + WIDE_BYTES <= row_bytes)
        __stcs(reinterpret_cast<uint4 *>(row + offset), v);
    else if (offset < row_bytes)
        store_part(row + offset, v, (int)(row_bytes - offset));
}

/* Stores 8 bytes at `offset` of a row, or fewer at its end. */
__device__ inline void store_half(uint8_t *row, int64_t offset, int64_t row_bytes, uint32_t a,
                                  uint32_t b)
{
    if (offset + 8 <= row_bytes)
        __stcs(reinterpret_cast<uint2 *>(row + offset), make_uint2(a, b));
    else if (offset < row_bytes)
        store_part(row + offset, make_uint4(a, b, 0, 0), (int)(row_bytes - offset));
}

/* Row of a warp's run, and index of the run in this row. Warps advance by a constant number of
 * runs, so the next position is found without a division. */
struct Place {
    uint32_t run, y;
};

struct Steps {
    Place step;
    uint32_t runs_across;

    __device__ Steps(uint32_t warps, uint32_t across)
        : step{warps % across, warps / across}, runs_across(across)
    {
    }
    __device__ void advance(Place &at) const
    {
        at.run += step.run;
        at.y += step.y;
        if (at.run >= runs_across) {
            at.run -= runs_across;
            at.y++;
        }
    }
};

/* Loads and stores the runs of one warp. */
template <typename R> struct Mover {
    const ToneRun &run;
    int lane;
    uint4 *staged; /* the part of shared memory that belongs to this warp */

    /* Loads the pieces of the warp's run. Lane i loads every 32nd piece of 16 bytes, beginning with
     * piece i. It reads nothing beyond the end of the row. */
    __device__ void load(const Place &at, uint4 (&pieces)[R::PIECES]) const
    {
        int64_t row_bytes = (int64_t)run.width * R::CHANNELS * (int)sizeof(typename R::Sample);
        const uint8_t *row = run.src + at.y * run.src_stride;
#pragma unroll
        for (int q = 0; q < R::PIECES; q++) {
            int64_t offset = (int64_t)at.run * LANES * R::BYTES + (lane + LANES * q) * WIDE_BYTES;
            pieces[q] = make_uint4(0, 0, 0, 0);
            if (at.y < (uint32_t)run.height && offset < row_bytes)
                pieces[q] = __ldcs(reinterpret_cast<const uint4 *>(row + offset));
        }
    }

    /* Gives each lane its own pixels. A run of three pieces has 48 adjacent bytes, which the lanes
     * exchange through shared memory. The number of pieces per lane is odd, so there are no bank
     * conflicts. */
    __device__ void take(const uint4 (&pieces)[R::PIECES], uint32_t (&words)[4 * R::PIECES]) const
    {
        if (R::PIECES == 3) {
#pragma unroll
            for (int q = 0; q < R::PIECES; q++)
                staged[lane + LANES * q] = pieces[q];
            __syncwarp();
        }
#pragma unroll
        for (int q = 0; q < R::PIECES; q++)
            take_piece(words + 4 * q, R::PIECES == 3 ? staged[lane * R::PIECES + q] : pieces[q]);
    }

    __device__ void store(const Place &at, const uint32_t *out) const
    {
        int64_t row_bytes = (int64_t)run.width * R::RESULTS * (int)sizeof(typename R::Sample);
        int64_t start = (int64_t)at.run * LANES * R::OUT_BYTES;
        uint8_t *row = run.dst + at.y * run.dst_stride;
        if constexpr (R::OUT_BYTES == 8) {
            store_half(row, start + lane * 8, row_bytes, out[0], out[1]);
        } else if constexpr (R::OUT_BYTES == WIDE_BYTES) {
            store_last(row, start + lane * WIDE_BYTES, row_bytes,
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
                store_last(row, start + (lane + LANES * q) * WIDE_BYTES, row_bytes,
                           staged[lane + LANES * q]);
        }
        if (R::PIECES == 3)
            /* waits until all lanes have stored their pieces, before the next run replaces them in
             * shared memory */
            __syncwarp();
    }
};

/* --- Changes ---------------------------------------------------------------------------------- */

/* Changes one pixel of a run. `change` computes the new value of a sample or of luma, or decides
 * whether the pixel becomes white. `from` and `to` are the positions of the pixel's first
 * sample. */
template <typename R, typename Change>
__device__ void change_pixel(const ToneRun &run, const Change &change, const uint32_t *in, int from,
                             uint32_t *out, int to)
{
    using Sample = typename R::Sample;
    int32_t maximum = (1 << run.plan.bits) - 1;
    uint32_t sample[R::CHANNELS];
#pragma unroll
    for (int c = 0; c < R::CHANNELS; c++)
        sample[c] = get<Sample>(in, from + c);
    uint32_t bright = sample[0];
    if constexpr (R::COLORS == 3 && R::WAY != IMG_TONE_SAMPLES)
        bright = img_luma(run.plan.weights, sample[0], sample[1], sample[2]);
    if constexpr (R::WAY == IMG_TONE_SPLIT) {
        put<Sample>(out, to, bright > change.level ? (uint32_t)maximum : 0);
    } else if constexpr (R::WAY == IMG_TONE_SAMPLES) {
#pragma unroll
        for (int c = 0; c < R::COLORS; c++)
            put<Sample>(out, to + c, change.sample(c, sample[c]));
    } else {
        int32_t shift = change.shift(bright);
#pragma unroll
        for (int c = 0; c < R::COLORS; c++)
            put<Sample>(out, to + c, tone_clamped((int32_t)sample[c] + shift, maximum));
    }
    if (R::CHANNELS > R::COLORS)
        put<Sample>(out, to + R::RESULTS - 1, sample[R::CHANNELS - 1]);
}

/* Compares four gray samples of up to 8 bits with the level: the result is `maximum` for a sample
 * above the level, else 0. For each sample, an addition to its lower seven bits sets the eighth bit
 * if they are above the lower seven bits of the level. If the eighth bits of sample and level
 * differ, the eighth bits decide instead. */
__device__ inline uint32_t split_word(uint32_t word, uint32_t level, uint32_t maximum)
{
    const uint32_t each = 0x01010101;
    uint32_t lower = (word & 0x7f * each) + (0x7f - (level & 0x7f)) * each;
    uint32_t top = (level >> 7) * 0x80 * each;
    uint32_t above = (word & lower) | ((word | lower) & ~top);
    return (above >> 7 & each) * maximum;
}

/* Changes a run sample by sample. Used if R::FLAT is true: the run then need not consist of whole
 * pixels. `place` is the index of the run in its row. */
template <typename R, typename Change>
__device__ void change_samples(const Change &change, uint32_t place, const uint32_t *in,
                               uint32_t *out)
{
    using Sample = typename R::Sample;
    uint32_t samples[R::SAMPLES];
#pragma unroll
    for (int i = 0; i < R::SAMPLES; i++)
        samples[i] = get<Sample>(in, i);
    change.template change<R::CHANNELS>(place, samples);
#pragma unroll
    for (int i = 0; i < R::SAMPLES; i++)
        put<Sample>(out, i, samples[i]);
}

/* Changes the pixels of one run. `place` is the index of the run in its row. */
template <typename R, typename Change>
__device__ void change_run(const ToneRun &run, const Change &change, uint32_t place,
                           const uint32_t *in, uint32_t *out)
{
    if constexpr (R::FLAT) {
        change_samples<R>(change, place, in, out);
    } else if constexpr (R::SPLITS_WORDS) {
#pragma unroll
        for (int i = 0; i < 4 * R::PIECES; i++)
            out[i] = split_word(in[i], change.level, (1u << run.plan.bits) - 1);
    } else {
#pragma unroll
        for (int p = 0; p < R::PIXELS; p++)
            change_pixel<R>(run, change, in, p * R::CHANNELS, out, p * R::RESULTS);
    }
}

/* Changes the picture. A warp processes 512 or 1536 bytes of a row at a time. Meanwhile it loads
 * the bytes that it processes next: Change::AHEAD runs per thread, or one run of 48 bytes. The
 * first runs are loaded while the previous kernel still computes the counts. The grid has only as
 * many blocks as run at the same time, because all threads of a block first build its Change
 * together. Registers are limited so that Change::FITTING blocks fit a multiprocessor, but only
 * Change::BLOCKS are launched. The remaining registers are for the kernel that still counts. */
template <typename R, typename Change>
__global__ void __launch_bounds__(Change::THREADS, Change::FITTING)
    change_kernel(ToneRun run, uint32_t runs_across)
{
    IMG_SHARED_DYNAMIC(uint4, memory);
    constexpr int WARPS = Change::THREADS / LANES, AHEAD = R::PIECES == 3 ? 1 : Change::AHEAD;
    IMG_SHARED(uint4, staged, [WARPS][R::STAGED]);
    int lane = (int)threadIdx.x % LANES, warp = (int)threadIdx.x / LANES;
    Mover<R> mover = {run, lane, staged[warp]};
    uint32_t first = blockIdx.x * WARPS + warp;
    Steps steps(gridDim.x * WARPS, runs_across);
    Place at = {first % runs_across, first / runs_across}, next = at;
    uint4 pieces[AHEAD][R::PIECES];
#pragma unroll
    for (int k = 0; k < AHEAD; k++) {
        mover.load(next, pieces[k]);
        steps.advance(next);
    }
    IMG_AWAIT_PREVIOUS();
    Change change(run, memory);
    for (;;) {
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            if (at.y >= (uint32_t)run.height)
                return;
            uint32_t in[4 * R::PIECES], out[(R::OUT_BYTES + 3) / 4] = {};
            mover.take(pieces[k], in);
            mover.load(next, pieces[k]);
            steps.advance(next);
            change_run<R>(run, change, at.run * LANES + (uint32_t)lane, in, out);
            mover.store(at, out);
            steps.advance(at);
        }
    }
}

template <typename R, typename Change>
ImgStatus change_runs(const ImgCall *call, const ToneRun &run, ImgError *err)
{
    constexpr int WARPS = Change::THREADS / LANES, SHARED = Change::SHARED_BYTES;
    int multiprocessors;
    ImgStatus status = device_attribute(cudaDevAttrMultiProcessorCount, &multiprocessors, err);
    if (status != IMG_OK)
        return status;
    int64_t row_bytes = (int64_t)run.width * R::CHANNELS * (int)sizeof(typename R::Sample);
    int64_t runs_across = (row_bytes - 1) / (R::BYTES * LANES) + 1;
    int64_t needed = (runs_across * run.height + WARPS - 1) / WARPS;
    int64_t fitting = (int64_t)multiprocessors * Change::BLOCKS;
    unsigned blocks = (unsigned)(needed < fitting ? needed : fitting);
    auto kernel = change_kernel<R, Change>;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED),
             err);
    IMG_LAUNCH_EARLY(kernel, blocks, Change::THREADS, SHARED, call->stream, run,
                     (uint32_t)runs_across);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

#endif
