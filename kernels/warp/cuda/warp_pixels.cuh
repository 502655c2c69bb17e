/* Private to the fast image warp on CUDA: formats of pixels, and their layout in shared memory.
 *
 * One instruction multiplies two bytes of a column by two weights and adds the products. Therefore
 * shared memory has pairs: a byte of a row and the byte below it. A word has two pairs. A 16-bit
 * number is stored as two bytes; the sums of both bytes are combined before they are rounded.
 * Lifted numbers (window/lift.h) are also stored as unsigned 16-bit numbers. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_PIXELS_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_PIXELS_CUH

#include "kernels/warp/cuda/warp_task.cuh"

namespace warp_tiles
{

/* alpha of the result: NONE: it has no alpha; ADDED: only the result has alpha; OWN: the source has
 * alpha, too */
enum Alpha { NONE, ADDED, OWN };

template <int CHANNELS_, int BITS_, Alpha ALPHA_> struct Pixels {
    /* number of channels that are summed, and bits per sample */
    static constexpr int CHANNELS = CHANNELS_, BITS = BITS_;
    static constexpr Alpha ALPHA = ALPHA_;
    static constexpr bool IS_WIDE = BITS == 16 || ALPHA == OWN;
    /* true: samples are lifted (window/lift.h) by a shift */
    static constexpr bool IS_PLAIN = !IS_WIDE && ALPHA == NONE;
    static constexpr int SIZE = CHANNELS * BITS / 8; /* bytes per pixel of the source */
    static constexpr int RESULT_CHANNELS = CHANNELS + (ALPHA == ADDED ? 1 : 0);
    static constexpr int RESULT_SIZE = RESULT_CHANNELS * BITS / 8;
    /* Words per pixel in shared memory. For 8-bit gray, the second pair of a word belongs to the
     * next pixel. */
    static constexpr int WORDS = IS_WIDE ? CHANNELS : (CHANNELS + 1) / 2;
    static constexpr bool HAS_NEXT = !IS_WIDE && CHANNELS == 1;
    /* words per group of pixels in the format of the source */
    static constexpr int RAW_WORDS = HAS_NEXT ? 2 : SIZE;
    /* Words per row of a group before rows are combined to pairs. RGB of 8 bits has 4 words, one
     * more than in the source (`arrange`). */
    static constexpr int ROW_WORDS = IS_WIDE ? 2 * CHANNELS : CHANNELS == 1 ? 2 : 4;
};

/* Warps per block, smallest number of blocks that a multiprocessor must be able to run at the same
 * time, and rows of the largest tile. The values were measured. For small windows the start of a
 * block dominates the time; for large windows the number of registers does. */
template <typename K, int HALF> struct Team {
    static constexpr bool IS_SMALL = HALF == 1 && K::WORDS == 1;
    static constexpr bool IS_LARGE = HALF == 1 ? K::WORDS == 2 || K::WORDS == 3 : K::WORDS == 1;
    static constexpr int WARPS = IS_LARGE ? 8 : 4;
    static constexpr int BLOCKS = IS_SMALL ? 8 : 4;
    static constexpr int TALL = IS_SMALL ? 32 : 64;
    static constexpr int THREADS = LANES * WARPS;
};

/* --- Groups of a row of the source ------------------------------------------------------------ */

/* The lift functions convert pixels with alpha to the numbers that are summed, unsigned 16-bit
 * numbers. These are the lifted values of window/lift.h plus 32768:
 *
 *     8 bits    colour * alpha, and alpha * 255
 *     16 bits   round(colour * alpha / 65535), and alpha */

/* lift_two and lift_wide_two convert a pixel of gray and alpha, of 8 or of 16 bits. They return the
 * colour in the low half of a word and alpha in the high half. lift_four and lift_wide_four convert
 * an RGBA pixel: to[0] gets red and green, to[1] blue and alpha. */
__device__ inline uint32_t lift_two(uint32_t gray_alpha)
{
    return ((gray_alpha & 0xff) | 0xff0000) * (gray_alpha >> 8 & 0xff);
}

__device__ inline void lift_four(uint32_t rgba, uint32_t *to)
{
    const uint32_t alpha = rgba >> 24;
    const uint32_t red_blue = (rgba & 0xff00ff) * alpha;
    const uint32_t green_alpha = ((rgba >> 8 & 0xff) | 0xff0000) * alpha;
    to[0] = __byte_perm(red_blue, green_alpha, 0x5410);
    to[1] = __byte_perm(red_blue, green_alpha, 0x7632);
}

__device__ inline uint32_t lift_sample(uint32_t color, uint32_t alpha)
{
    return (color * alpha + 32767) / 65535;
}

__device__ inline uint32_t lift_wide_two(uint32_t gray_alpha)
{
    return lift_sample(gray_alpha & 0xffff, gray_alpha >> 16) | (gray_alpha & 0xffff0000);
}

__device__ inline void lift_wide_four(uint32_t red_green, uint32_t blue_alpha, uint32_t *to)
{
    const uint32_t alpha = blue_alpha >> 16;
    to[0] = lift_sample(red_green & 0xffff, alpha) | lift_sample(red_green >> 16, alpha) << 16;
    to[1] = lift_wide_two(blue_alpha);
}

/* Loads the words of a group of pixels, of SIZE bytes each, in the format of the source. */
template <int SIZE> __device__ inline void load_words(const uint8_t *from, uint32_t *words)
{
    if (SIZE % 4 == 0) {
#pragma unroll
        for (int i = 0; i < SIZE / 4; i++) {
            const uint4 four = __ldg(reinterpret_cast<const uint4 *>(from) + i);
            words[4 * i] = four.x;
            words[4 * i + 1] = four.y;
            words[4 * i + 2] = four.z;
            words[4 * i + 3] = four.w;
        }
    } else if (SIZE % 2 == 0) {
#pragma unroll
        for (int i = 0; i < SIZE / 2; i++) {
            const uint2 two = __ldg(reinterpret_cast<const uint2 *>(from) + i);
            words[2 * i] = two.x;
            words[2 * i + 1] = two.y;
        }
    } else {
#pragma unroll
        for (int i = 0; i < SIZE; i++)
            words[i] = __ldg(reinterpret_cast<const uint32_t *>(from) + i);
    }
}

/* Converts a row of a group from the format of the source to the words that make_pairs combines.
 * `scale` is the factor that converts samples of fewer than 8 bits to 8 bits; 1 for others. */
template <typename K>
__device__ inline void arrange(const uint32_t *raw, uint32_t scale, uint32_t *row)
{
    if (K::ALPHA == OWN && K::BITS == 8 && K::CHANNELS == 2) {
#pragma unroll
        for (int i = 0; i < GROUP; i++)
            row[i % K::ROW_WORDS] = lift_two(raw[i / 2] >> 16 * (i % 2));
    } else if (K::ALPHA == OWN && K::BITS == 8) {
#pragma unroll
        for (int i = 0; i < GROUP; i++)
            lift_four(raw[i], row + 2 * i % K::ROW_WORDS);
    } else if (K::ALPHA == OWN && K::CHANNELS == 2) {
#pragma unroll
        for (int i = 0; i < GROUP; i++)
            row[i % K::ROW_WORDS] = lift_wide_two(raw[i]);
    } else if (K::ALPHA == OWN) {
#pragma unroll
        for (int i = 0; i < GROUP; i++)
            lift_wide_four(raw[2 * i], raw[2 * i + 1], row + 2 * i % K::ROW_WORDS);
        /* the three words of four RGB pixels, and an additional word that begins with the second
         * pixel */
    } else if (K::SIZE == 3) {
        row[0] = raw[0];
        row[1] = __funnelshift_r(raw[0], raw[1], 24);
        row[2 % K::ROW_WORDS] = raw[1];
        row[3 % K::ROW_WORDS] = raw[2];
    } else {
#pragma unroll
        for (int i = 0; i < K::ROW_WORDS; i++)
            row[i] = K::HAS_NEXT ? scale * raw[i] : raw[i];
    }
}

template <typename K> __device__ inline void load_group(const uint8_t *from, uint32_t *raw)
{
    load_words<K::SIZE>(from, raw);
    if (K::HAS_NEXT)
        raw[1] = __ldg(reinterpret_cast<const uint32_t *>(from) + 1);
}

/* Loads the pixels of a group, and for 8-bit gray the pixel after it. `x` has the columns of these
 * pixels, in any order. */
template <typename K>
__device__ inline void load_pixels(const uint8_t *from, const int32_t *x, uint32_t *raw)
{
#pragma unroll
    for (int i = 0; i < K::RAW_WORDS; i++)
        raw[i] = 0;
#pragma unroll
    for (int i = 0; i < GROUP + (K::HAS_NEXT ? 1 : 0); i++)
#pragma unroll
        for (int c = 0; c < K::CHANNELS; c++) {
            const int at = (i * K::CHANNELS + c) * K::BITS;
            raw[at / 32] |= img_warp_sample(from, (int64_t)x[i] * K::CHANNELS + c, K::BITS)
                            << at % 32;
        }
}

/* Interleaves two adjacent rows of a group: each pair is a sample of `upper` and the sample below
 * it in `lower`. Writes GROUP * WORDS words of pairs. */
template <typename K>
__device__ inline void make_pairs(const uint32_t *upper, const uint32_t *lower, uint32_t *to)
{
    if (K::IS_WIDE) {
#pragma unroll
        for (int i = 0; i < GROUP * K::WORDS; i++)
            to[i] = __byte_perm(upper[i / 2], lower[i / 2], i % 2 == 0 ? 0x5140 : 0x7362);
    } else if (K::CHANNELS == 1) {
        to[0] = __byte_perm(upper[0], lower[0], 0x5140);
        to[1] = __byte_perm(upper[0], lower[0], 0x6251);
        to[2] = __byte_perm(upper[0], lower[0], 0x7362);
        to[3] = __byte_perm(to[2], __byte_perm(upper[1], lower[1], 0x5140), 0x5432);
        /* a pixel has two words: pairs of its first two bytes, then the pair of its third byte and
         * an unused pair */
    } else {
        to[0] = __byte_perm(upper[0], lower[0], 0x5140);
        to[1] = __byte_perm(upper[0], lower[0], 0x7362);
        to[2] = __byte_perm(upper[1], lower[1], 0x5140);
        to[3] = __byte_perm(upper[1], lower[1], 0x7362);
        to[4] = __byte_perm(upper[2], lower[2], 0x7362);
        to[5] = __byte_perm(upper[3], lower[3], 0x5140);
        to[6] = __byte_perm(upper[3], lower[3], 0x6251);
        to[7] = __byte_perm(upper[3], lower[3], 0x7373);
    }
}

} // namespace warp_tiles

#endif
