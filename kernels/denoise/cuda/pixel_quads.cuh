/* Private to the fast versions of bilateral and denoise: loads tiles of pixels as words
 * (pair_sums.cuh). A quad is a group of four neighbouring pixels that are loaded at once. */
#ifndef IMGTOOL_KERNELS_DENOISE_CUDA_PIXEL_QUADS_CUH
#define IMGTOOL_KERNELS_DENOISE_CUDA_PIXEL_QUADS_CUH

#include "kernels/denoise/cuda/pair_sums.cuh"
#include "kernels/denoise/decay.h"

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
