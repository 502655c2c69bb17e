/* Private to the "far" box on CUDA (boxblur with a large radius): loads the samples of a lane in a
 * row and changes its column sums by them. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_FAR_WORDS_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_FAR_WORDS_CUH

#include "kernels/blur/cuda/box/box_far.cuh"

/* Format of samples and alignment of squares. PHASE is the radius modulo 8 (16-bit samples: modulo
 * 4), because 8 (or 4) pixels fill a multiple of 8 bytes. */
template <typename Group, int PHASE> struct Kind {
    typedef Group G;
    typedef typename BoxSums<typename G::Sample>::Total Total; /* type of the sum over a square */
    /* pairs of rows, one to add and one to subtract, that are in shared memory at the same time */
    static constexpr int STAGES = G::BYTES > 32 ? 2 : 3;
    /* Bytes between a multiple of 8 and the first column that a lane reads: RIGHT at the right edge
     * of its squares, LEFT before their left edge. */
    static constexpr int RIGHT = PHASE * G::PIXEL % 8;
    static constexpr int LEFT = (8 - (PHASE + 1) * G::PIXEL % 8) % 8;
};

/* --- Rows ------------------------------------------------------------------------------------- */

/* The samples of a lane in a row. In shared memory they begin SHIFT bytes after a multiple of 8. */
template <typename G, int SHIFT> struct Words {
    static constexpr int FIRST = SHIFT / 4, COUNT = G::WORDS + (SHIFT % 4 > 0 ? 1 : 0);
    uint32_t word[COUNT];
};

template <typename G, int SHIFT>
__device__ inline void load(const uint8_t *at, Words<G, SHIFT> &words)
{
    constexpr int FIRST = Words<G, SHIFT>::FIRST, COUNT = Words<G, SHIFT>::COUNT;
    const uint32_t *from = reinterpret_cast<const uint32_t *>(at);
    if (FIRST == 1)
        words.word[0] = from[FIRST];
#pragma unroll
    for (int i = FIRST; i < COUNT; i += 2)
        if (i + 1 < COUNT) {
            const uint2 pair = *reinterpret_cast<const uint2 *>(from + FIRST + i);
            words.word[i] = pair.x;
            words.word[(i + 1) % COUNT] = pair.y;
        } else {
            words.word[i] = from[FIRST + i];
        }
}

/* Returns `sum` plus sample `i` of the row `in`, which enters the square, minus sample `i` of the
 * row `out`, which leaves it. A dot product instruction leaves the units for byte selection and
 * addition free. */
template <typename G, int SHIFT>
__device__ inline uint32_t change(uint32_t sum, const Words<G, SHIFT> &in,
                                  const Words<G, SHIFT> &out, int i)
{
    const int at = i + SHIFT % 4 / G::SIZE, word = at / G::PER_WORD % Words<G, SHIFT>::COUNT;
    const int place = at % G::PER_WORD;
#if __CUDA_ARCH__ >= 610
    const uint32_t both =
        __byte_perm(in.word[word], out.word[word], place * G::SIZE < 2 ? 0x5410 : 0x7632);
    const uint32_t factors = G::SIZE == 2 ? 0xff01 : place % 2 == 0 ? 0x00ff0001 : 0xff000100;
    if (G::SIZE == 1)
        asm("dp4a.u32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(both), "r"(factors));
    else
        asm("dp2a.lo.u32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(both), "r"(factors));
    return sum;
#else
    const int shift = place * 8 * G::SIZE;
    const uint32_t mask = G::SIZE == 1 ? 0xff : 0xffff;
    return sum + (in.word[word] >> shift & mask) - (out.word[word] >> shift & mask);
#endif
}

#endif
