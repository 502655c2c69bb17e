/* Private to the tone family: applies tables, a range or a level to the pixels of a picture on
 * CUDA. */
#ifndef IMGTOOL_KERNELS_TONE_CUDA_TONE_CHANGE_CUH
#define IMGTOOL_KERNELS_TONE_CUDA_TONE_CHANGE_CUH

#include "kernels/tone/cuda/tone_runs.cuh"

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
 * pixels (tone_runs.cuh). `place` is the index of the run in its row. */
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
