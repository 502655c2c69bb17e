/* Private to the tone family: counters of 16 bits for all 16-bit values, in the shared memory of a
 * block.
 *
 * The counters of v and v + 32,768 share a word. So neighbouring values, which often occur
 * together, are in different banks. When a counter reaches LIMIT, before it can overflow, LIMIT is
 * subtracted from it and added to the row of counts in global memory. */
#ifndef IMGTOOL_KERNELS_TONE_TONE_WORDS_TABLE_CUH
#define IMGTOOL_KERNELS_TONE_TONE_WORDS_TABLE_CUH

#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/tone/cuda/tone_cuda.cuh"

constexpr int COUNT_THREADS = 1024;
constexpr uint32_t COUNTERS = 65536, WORDS = COUNTERS / 2;

/* The top bit of a counter. A thread that adds to a counter whose bit is already set clears the bit
 * before it continues with other pixels. After a counter has reached LIMIT, every thread adds at
 * most its current samples before it clears the bit. So a counter stays below 2 * LIMIT, in any
 * order in which the threads of a block run. */
constexpr uint32_t LIMIT = 0x8000, LIMIT_BITS = 0x80008000;
constexpr int PIXELS = 8, MOST_COLORS = 3;
static_assert(COUNT_THREADS * PIXELS * MOST_COLORS < LIMIT, "a counter could overflow");

/* Counts samples in the table of a block. Pixels with alpha 0 do not count. If HALVED, the block
 * has only half of the words and counts only the values in this half. */
template <int CHANNELS, bool LUMA, bool HALVED> struct WordsTable {
    using Pixels = Group<uint16_t, CHANNELS>;
    static constexpr bool SKIP = CHANNELS % 2 == 0;
    /* number of samples that are counted per pixel */
    static constexpr int SAMPLES = LUMA || CHANNELS < 3 ? 1 : 3;
    static_assert(Pixels::PIXELS == PIXELS && SAMPLES <= MOST_COLORS, "LIMIT");

    uint32_t *words;
    uint32_t first_word; /* first word of the table that this block has */
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

    /* Returns true if the pixels 0, 2, 4 ... are equal and the pixels 1, 3, 5 ... are equal. Then
     * two additions per channel count them all. Otherwise, in pictures of one value, all threads
     * would wait for the same counter. */
    static __device__ bool repeats(const Pixels &group)
    {
        uint32_t differences = 0;
#pragma unroll
        for (int i = CHANNELS; i < Pixels::WORDS; i++)
            differences |= group.words[i] ^ group.words[i - CHANNELS];
        return differences == 0;
    }

    /* Clears the top bit of the counter of `value`. If the bit was set, adds LIMIT to the row of
     * counts. */
    __device__ void carry(uint32_t value) const
    {
        uint32_t bit = LIMIT << (value / WORDS * 16);
        if ((atomicAnd(word(value), ~bit) & bit) == 0)
            return;
        IMG_AWAIT_PREVIOUS(); /* waits until the previous kernel has cleared the row of counts */
        atomicAdd(counts + value, (Count)LIMIT);
    }

    /* Adds `n` to the counters of COUNT pixels of the group, from pixel number `first` on. */
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

    /* Counts the pixels of a group. It adds several pixels at a time, so that additions do not wait
     * for each other. The registers limit their number. */
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
