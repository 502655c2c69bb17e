/* Private: counters of 16 bits for all 16-bit values, in the shared memory of a block.
 *
 * Two counters share a word, those of v and v + 32,768: neighbouring values, which meet often, are
 * then in different banks. A counter that reaches LIMIT is lowered by it before it can overflow,
 * and the row in global memory raised. */
#ifndef IMGTOOL_KERNELS_TONE_TONE_WORDS_TABLE_CUH
#define IMGTOOL_KERNELS_TONE_TONE_WORDS_TABLE_CUH

#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/tone/cuda/tone_cuda.cuh"

constexpr int COUNT_THREADS = 1024;
constexpr uint32_t COUNTERS = 65536, WORDS = COUNTERS / 2;

/* The top bit of a counter. Whoever adds to one in which it is set already clears it before going
 * on to other pixels. So after a counter has reached LIMIT every thread adds the samples at hand at
 * most, and then clears it: it stays below 2 * LIMIT, however the threads of a block run. */
constexpr uint32_t LIMIT = 0x8000, LIMIT_BITS = 0x80008000;
constexpr int PIXELS = 8, MOST_COLORS = 3;
static_assert(COUNT_THREADS * PIXELS * MOST_COLORS < LIMIT, "a counter could overflow");

/* Pixels whose alpha is 0 do not count. HALVED: nor what is in the other half of the words. */
template <int CHANNELS, bool LUMA, bool HALVED> struct WordsTable {
    using Pixels = Group<uint16_t, CHANNELS>;
    static constexpr bool SKIP = CHANNELS % 2 == 0;
    static constexpr int SAMPLES = LUMA || CHANNELS < 3 ? 1 : 3; /* of a pixel */
    static_assert(Pixels::PIXELS == PIXELS && SAMPLES <= MOST_COLORS, "LIMIT");

    uint32_t *words;
    uint32_t first_word; /* of those that are here */
    Count *counts;
    ImgLumaWeights weights;

    __device__ uint32_t *word(uint32_t value) const
    {
        return words + (value % WORDS - first_word);
    }

    __device__ uint32_t value(const Pixels &group, int pixel, int sample) const
    {
        int at = pixel * CHANNELS;
        if constexpr (LUMA)
            return img_luma(weights, group.sample(at), group.sample(at + 1), group.sample(at + 2));
        return group.sample(at + sample);
    }

    /* Is every second pixel of the group the same? Additions of two are enough then: pictures of
     * one value would otherwise wait for one counter. (Transparent pixels are the same too.) */
    static __device__ bool repeats(const Pixels &group)
    {
        uint32_t differences = 0;
#pragma unroll
        for (int i = CHANNELS; i < Pixels::WORDS; i++)
            differences |= group.words[i] ^ group.words[i - CHANNELS];
        return differences == 0;
    }

    /* Clears the top bit; if it was set, it goes to the row. */
    __device__ void carry(uint32_t value) const
    {
        uint32_t bit = LIMIT << (value / WORDS * 16);
        if ((atomicAnd(word(value), ~bit) & bit) == 0)
            return;
        IMG_AWAIT_PREVIOUS(); /* the row is clear now */
        atomicAdd(counts + value, (Count)LIMIT);
    }

    /* Adds `n` for each of COUNT pixels. */
    template <int COUNT> __device__ void add(const Pixels &group, int first, uint32_t n) const
    {
        uint32_t seen = 0, old[COUNT * SAMPLES];
#pragma unroll
        for (int i = 0; i < COUNT * SAMPLES; i++) {
            int pixel = first + i / SAMPLES;
            uint32_t v = value(group, pixel, i % SAMPLES);
            bool visible = !SKIP || group.sample(pixel * CHANNELS + CHANNELS - 1) != 0;
            old[i] = 0;
            if (visible && (!HALVED || v % WORDS - first_word < WORDS / 2))
                old[i] = atomicAdd(word(v), v < WORDS ? n : n << 16);
            seen |= old[i];
        }
        if ((seen & LIMIT_BITS) == 0)
            return;
#pragma unroll
        for (int i = 0; i < COUNT * SAMPLES; i++) {
            uint32_t v = value(group, first + i / SAMPLES, i % SAMPLES);
            if ((old[i] & (v < WORDS ? LIMIT : LIMIT << 16)) != 0)
                carry(v);
        }
    }

    /* Several at a time, so that they need not wait for each other, but as many as registers hold.
     */
    __device__ void operator()(const Pixels &group) const
    {
        constexpr int COUNT = SAMPLES == 1 ? PIXELS : PIXELS / 2;
        if (repeats(group)) {
            add<2>(group, 0, PIXELS / 2);
            return;
        }
#pragma unroll
        for (int first = 0; first < PIXELS; first += COUNT)
            add<COUNT>(group, first, 1);
    }
};

#endif
