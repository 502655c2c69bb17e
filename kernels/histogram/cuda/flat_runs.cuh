/* Private to the fast 16-bit histogram: flat areas. In a flat area, all additions of a warp would
 * go to one counter and wait for each other. The pixels of flat areas are therefore counted in
 * registers. When another area begins, the number of pixels is added to a counter of the block. If
 * the counter has too few bits for it, the number is added to the table in global memory. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_CUDA_FLAT_RUNS_CUH
#define IMGTOOL_KERNELS_HISTOGRAM_CUDA_FLAT_RUNS_CUH

#include "kernels/histogram/cuda/count_packed.cuh"

constexpr uint32_t WHOLE_WARP = 0xffffffff;

/* A run of equal words. `words` is the same in all lanes. Each lane counts in `times` how often it
 * has found these words. */
template <int WORDS> struct FlatRun {
    uint32_t words[WORDS] = {};
    uint32_t times = 0;

    __device__ bool matches(const uint32_t *others) const
    {
        bool same = true;
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            same = same && words[i] == others[i];
        return same;
    }

    /* If `others` are equal in all lanes, starts a new run with them and returns true. Before that,
     * one lane calls add(words, times) for the previous run, with the sum of the `times` of all
     * lanes. */
    template <typename Add> __device__ bool becomes(const uint32_t *others, Add add)
    {
        bool same = true;
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            same &= others[i] == __shfl_sync(WHOLE_WARP, others[i], 0);
        if (!__all_sync(WHOLE_WARP, same))
            return false;
        uint32_t all = all_times();
        if (threadIdx.x % 32 == 0 && all != 0)
            add(words, all);
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            words[i] = others[i];
        times = 0;
        return true;
    }

    /* Adds the runs of all threads of the block, by calling `add`. `scratch` is shared memory of
     * WORDS + 1 words. */
    template <typename Add> __device__ void finish(uint32_t *scratch, Add add) const
    {
        uint32_t all = all_times();
        if (threadIdx.x == 0) {
            for (int i = 0; i < WORDS; i++)
                scratch[i] = words[i];
            scratch[WORDS] = 0;
        }
        __syncthreads();
        if (threadIdx.x % 32 == 0 && all != 0) {
            if (matches(scratch))
                atomicAdd(scratch + WORDS, all);
            else
                add(words, all);
        }
        __syncthreads();
        if (threadIdx.x == 0 && scratch[WORDS] != 0)
            add(words, scratch[WORDS]);
    }

  private:
    __device__ uint32_t all_times() const
    {
        uint32_t all = times;
        for (int distance = 16; distance > 0; distance /= 2)
            all += __shfl_xor_sync(WHOLE_WARP, all, distance);
        return all;
    }
};

/* The two runs that a warp counts. A piece is the pixels that a thread counts together
 * (count_packed.cuh). `pixels` is a run of equal pieces. `alpha` is a run of other pieces; their
 * pixels all have the same alpha, and only alpha is counted. */
template <class Counter, int CHANNELS> struct FlatRuns {
    const Counter &counter;
    FlatRun<CHANNELS> pixels; /* run of pieces that repeat the same two pixels */
    /* run of pieces whose pixels all have the same alpha; the run's word has this alpha in its
     * upper half and 0 in its lower half */
    FlatRun<1> alpha;

    __device__ explicit FlatRuns(const Counter &counter_) : counter(counter_)
    {
    }

    /* Counts a piece, whose first `bytes` bytes are inside the row. All lanes of a warp must call
     * it together. */
    __device__ void count(const uint32_t *piece, int bytes)
    {
        constexpr int ALL = 4 * Counter::WORDS;
        bool whole = bytes >= ALL, repeats = whole && Counter::repeats(piece);
        bool flat = repeats && pixels.matches(piece);
        if (__all_sync(WHOLE_WARP, repeats) && !__all_sync(WHOLE_WARP, flat))
            flat = pixels.becomes(piece, adder<false>()) || flat;
        pixels.times += flat;
        bool settled = Counter::ALPHA && settles(piece, whole);
        alpha.times += settled && !flat;
        if (flat || bytes <= 0)
            return;
        if (repeats)
            counter.template add<PIECE_PIXELS / 2, 2>(piece, settled);
        else
            counter.template add<1, PIECE_PIXELS>(piece, settled);
    }

    __device__ void finish(uint32_t *scratch) const
    {
        pixels.finish(scratch, adder<true>());
        if (Counter::ALPHA) {
            __syncthreads();
            alpha.finish(scratch, alpha_adder<true>());
        }
    }

  private:
    static constexpr int STEP = CHANNELS / 2; /* number of words between the alphas of two pixels */

    /* Returns true if all pixels of the piece have the alpha of the run `alpha`. The caller then
     * adds the piece to this run instead of counting each alpha. */
    __device__ bool settles(const uint32_t *piece, bool whole)
    {
        bool settled = whole && alphas_are(piece, alpha.words[0]);
        uint32_t first = piece[STEP - 1] & 0xffff0000;
        bool may = whole && !settled && (piece[2 * STEP - 1] ^ first) < 0x10000;
        if (__all_sync(WHOLE_WARP, may) && __all_sync(WHOLE_WARP, alphas_are(piece, first)))
            settled = alpha.becomes(&first, alpha_adder<false>());
        return settled;
    }
    static __device__ bool alphas_are(const uint32_t *piece, uint32_t upper)
    {
        uint32_t differences = 0;
#pragma unroll
        for (int i = 0; i < PIECE_PIXELS; i++)
            differences |= piece[(i + 1) * STEP - 1] ^ upper;
        return differences < 0x10000;
    }
    template <bool GLOBALLY> __device__ auto adder() const
    {
        return [&counter = counter](const uint32_t *words, uint32_t times) {
            for (int pixel = 0; pixel < 2; pixel++)
                counter.template add_many<GLOBALLY>(words, pixel, times * (PIECE_PIXELS / 2));
        };
    }
    template <bool GLOBALLY> __device__ auto alpha_adder() const
    {
        return [&counter = counter](const uint32_t *upper, uint32_t times) {
            counter.template add_alpha<GLOBALLY>(upper[0] >> 16, times * PIECE_PIXELS);
        };
    }
};

#endif
