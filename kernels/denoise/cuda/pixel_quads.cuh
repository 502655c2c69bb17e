/* Private to the fast versions of bilateral and denoise: loads tiles of pixels as words.
 * A quad is a group of four neighbouring pixels that are loaded at once. */
#ifndef IMGTOOL_KERNELS_DENOISE_CUDA_PIXEL_QUADS_CUH
#define IMGTOOL_KERNELS_DENOISE_CUDA_PIXEL_QUADS_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/image.h"
#include "kernels/denoise/decay.h"

/* --- Weighted sums ---------------------------------------------------------------------------- */

/* Weighted sums of pixels. A dot product adds two pixels at a time. */

/* Unrolls the next loop. Builds for the emulator do not unroll, because their compilation would
 * take minutes. */
#ifdef IMGTOOL_EMULATOR
#define IMG_DENOISE_UNROLL
#else
#define IMG_DENOISE_UNROLL _Pragma("unroll")
#endif

/* Packs a pixel into a word. A pixel of 8 bits has its colours, and then a byte with the value 1,
 * so that the dot products also sum the weights. If WIDE, the word is a 16-bit gray sample, whose
 * two bytes are summed separately. */
template <bool WIDE, int COLORS> __device__ uint32_t pair_word(const uint32_t (&pixel)[4])
{
    if (WIDE)
        return pixel[0];
    return COLORS == 1 ? pixel[0] | 1 << 8 : pixel[0] | pixel[1] << 8 | pixel[2] << 16 | 1 << 24;
}

/* Returns a float slightly above 1 / d, by a factor of about 1 + 2^-20, so that quotients are never
 * too small. */
__device__ inline float inverse_above(float d)
{
#ifdef IMGTOOL_EMULATOR
    const float inverse = 1.0F / d;
#else
    float inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(d));
#endif
    return inverse * (1.0F + 1.0F / 1048576);
}

/* Returns n / d rounded down, for quotients below 65536. `one_by_d` is slightly above 1 / d.
 * Rounding errors are below 2^-21 of n, so the first estimate is correct or too large by one. The
 * sign of the remainder decides which; the remainder fits 32 bits even if n does not. */
__device__ inline uint32_t quotient(float n, uint32_t low_of_n, uint32_t d, float one_by_d)
{
    /* The bits of the float 2^23. For an integer n below 2^23, the last bits of the float 2^23 + n
     * are n. */
    const uint32_t two_23 = 0x4b000000;
    const uint32_t near = __float_as_uint(__fmaf_rz(n, one_by_d, __uint_as_float(two_23))) - two_23;
    return near - ((low_of_n - near * d) >> 31);
}

/* Sums for one pixel of the result: the sum of weights, and the weighted sum of each colour. If
 * WIDE, there are weighted sums of the high and of the low bytes. */
template <bool WIDE, int COLORS> struct PairSums {
    static constexpr int PARTS = WIDE ? 2 : COLORS;
    static constexpr int SECOND = PARTS > 1 ? 1 : 0, THIRD = PARTS > 2 ? 2 : 0;
    uint32_t parts[PARTS], weights;

    __device__ void clear()
    {
        weights = 0;
        IMG_DENOISE_UNROLL
        for (int p = 0; p < PARTS; p++)
            parts[p] = 0;
    }

    /* Adds the pixels `a` and `b` to the sums. `pair` has the weight of `a` in its low half and the
     * weight of `b` in its high half. */
    __device__ void add(uint32_t pair, uint32_t a, uint32_t b)
    {
        const uint32_t low = __byte_perm(a, b, 0x5140), high = __byte_perm(a, b, 0x7362);
        parts[0] = __dp2a_lo(pair, low, parts[0]);
        if (WIDE || COLORS == 3)
            parts[SECOND] = __dp2a_hi(pair, low, parts[SECOND]);
        if (COLORS == 3)
            parts[THIRD] = __dp2a_lo(pair, high, parts[THIRD]);
        if (WIDE)
            weights = __dp2a_lo(pair, 0x0101U, weights);
        else
            weights = __dp2a_hi(pair, COLORS == 3 ? high : low, weights);
    }

    /* Returns the weighted means: a byte per colour, or a 16-bit number if WIDE. The sum of weights
     * must not be 0. */
    __device__ uint32_t means() const
    {
        const uint32_t half = weights / 2;
        const float one_by = inverse_above((float)weights);
        if constexpr (WIDE) {
            const float sum = (float)parts[SECOND] * 256.0F + (float)(parts[0] + half);
            const uint32_t low = (parts[SECOND] << 8) + parts[0] + half;
            return quotient(sum, low, weights, one_by);
        } else {
            uint32_t mean[PARTS];
            IMG_DENOISE_UNROLL
            for (int p = 0; p < PARTS; p++) {
                const uint32_t sum = parts[p] + half;
                mean[p] = quotient((float)sum, sum, weights, one_by);
            }
            return COLORS == 1 ? mean[0] : mean[0] | mean[SECOND] << 8 | mean[THIRD] << 16;
        }
    }

    static __device__ void store(const ImgView &dst, int32_t x, int32_t y, uint32_t means)
    {
        uint8_t *row = dst.data + (size_t)y * dst.stride;
        if constexpr (WIDE) {
            reinterpret_cast<uint16_t *>(row)[x] = (uint16_t)means;
        } else {
            IMG_DENOISE_UNROLL
            for (int c = 0; c < COLORS; c++)
                row[(size_t)x * COLORS + c] = (uint8_t)(means >> 8 * c);
        }
    }
};

/* --- Tiles of pixels -------------------------------------------------------------------------- */

/* Four neighbouring pixels of a row of the picture, as they are stored there. */
template <bool WIDE, int COLORS> struct PixelQuad {
    static constexpr int WORDS = WIDE ? 2 : COLORS;
    uint32_t word[WORDS];

    __device__ void load(const ImgView &src, int32_t x, int32_t y)
    {
        const uint32_t *at = reinterpret_cast<const uint32_t *>(src.data + (size_t)y * src.stride);
        IMG_DENOISE_UNROLL
        for (int i = 0; i < WORDS; i++)
            word[i] = __ldg(at + (size_t)(x / 4) * WORDS + i);
    }
    /* Returns the four pixels as words in the format of pair_word. Samples of fewer than 8 bits are
     * multiplied by `scale`. */
    __device__ uint4 pixels(uint32_t scale) const
    {
        if constexpr (WIDE) {
            return make_uint4(word[0] & 0xffff, word[0] >> 16, word[1] & 0xffff, word[1] >> 16);
        } else if constexpr (COLORS == 1) {
            const uint32_t four = word[0] * scale, one = 1;
            return make_uint4(__byte_perm(four, one, 0x5540), __byte_perm(four, one, 0x5541),
                              __byte_perm(four, one, 0x5542), __byte_perm(four, one, 0x5543));
        } else {
            const uint32_t one = 1u << 24, a = word[0] * scale, b = word[1] * scale,
                           c = word[2] * scale;
            return make_uint4(
                __byte_perm(a, one, 0x7210), __byte_perm(__byte_perm(a, b, 0x0543), one, 0x7210),
                __byte_perm(__byte_perm(b, c, 0x0432), one, 0x7210), __byte_perm(c, one, 0x7321));
        }
    }
};

/* Loads a tile with a block of THREADS threads; a row has QUADS quads. Inside the picture, a thread
 * starts TOGETHER loads before it uses the first, to hide their latency. The type `Put` stores the
 * pixels: it must have the functions quad(line, quad, pixels) and pixel(line, column, pixel). */
template <bool WIDE, int COLORS, int THREADS, int QUADS, int TOGETHER> struct ReadQuads {
    /* number of rows that the block loads at the same time */
    static constexpr int LINES = THREADS / QUADS;
    typedef PixelQuad<WIDE, COLORS> Quad;

    /* Loads a tile of `lines` rows. Its corner is pixel (x, y) of the picture; x must be a multiple
     * of 4. */
    template <typename Put>
    __device__ static void run(const ImgWeighed &weighed, const ImgView &src, int32_t x, int32_t y,
                               int32_t lines, const Put &put)
    {
        const int32_t line = (int32_t)threadIdx.x / QUADS, quad = (int32_t)threadIdx.x % QUADS;
        if (line >= LINES)
            return;
        if (x >= 0 && y >= 0 && x + 4 * QUADS <= src.width && y + lines <= src.height)
            inside(weighed.scale, src, x + 4 * quad, y, lines, line, quad, put);
        else
#pragma unroll 1
            for (int32_t i = line; i < lines; i += LINES)
                edge(weighed, src, x + 4 * quad, (int64_t)y + i, i, quad, put);
    }

  private:
    template <typename Put>
    __device__ static void inside(uint32_t scale, const ImgView &src, int32_t x, int32_t y,
                                  int32_t lines, int32_t line, int32_t quad, const Put &put)
    {
#pragma unroll 1
        for (int32_t first = line; first < lines; first += TOGETHER * LINES) {
            Quad loaded[TOGETHER];
            IMG_DENOISE_UNROLL
            for (int i = 0; i < TOGETHER; i++)
                if (first + i * LINES < lines)
                    loaded[i].load(src, x, y + first + i * LINES);
            IMG_DENOISE_UNROLL
            for (int i = 0; i < TOGETHER; i++)
                if (first + i * LINES < lines)
                    put.quad(first + i * LINES, quad, loaded[i].pixels(scale));
        }
    }
    template <typename Put>
    __device__ static void edge(const ImgWeighed &weighed, const ImgView &src, int32_t x, int64_t y,
                                int32_t line, int32_t quad, const Put &put)
    {
        const int32_t row = img_border_place(y, src.height, weighed.border);
        if (x >= 0 && x + 4 <= src.width && row >= 0) {
            Quad loaded;
            loaded.load(src, x, row);
            put.quad(line, quad, loaded.pixels(weighed.scale));
            return;
        }
#pragma unroll 1
        for (int32_t i = 0; i < 4; i++) {
            uint32_t pixel[4];
            img_weighed_pixel(&weighed, &src, (int64_t)x + i, y, pixel);
            put.pixel(line, 4 * quad + i, pair_word<WIDE, COLORS>(pixel));
        }
    }
};

#endif
