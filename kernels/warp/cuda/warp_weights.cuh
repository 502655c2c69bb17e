/* Private to the fast image warp on CUDA: weights of windows. Bilinear weights are computed; other
 * weights are in a table in shared memory. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_WEIGHTS_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_WEIGHTS_CUH

#include "kernels/warp/cuda/warp_task.cuh"

namespace warp_tiles
{

/* Weights of a phase in pairs, two in a word. Bilinear weights are computed without a table. */
template <int HALF> struct Weights {
    /* words per phase in the table; 0: there is no table */
    static constexpr int WORDS = HALF == 1 ? 0 : HALF == 2 ? 2 : 4;
    uint32_t pair[HALF];

    template <int THREADS> static __device__ void make_table(const ImgWarp *warp, uint32_t *table)
    {
        const int thread = (int)(threadIdx.y * LANES + threadIdx.x);
#pragma unroll
        for (int i = 0; WORDS > 0 && i < IMG_WARP_PHASES; i += THREADS) {
            const int phase = i + thread;
            if (HALF == 2)
                reinterpret_cast<uint2 *>(table)[phase] =
                    __ldg(reinterpret_cast<const uint2 *>(warp->weights[phase]));
            else
                reinterpret_cast<uint4 *>(table)[phase] =
                    __ldg(reinterpret_cast<const uint4 *>(warp->weights[phase]));
        }
    }

    __device__ Weights(const uint32_t *table, uint32_t phase)
    {
        if (HALF == 1) {
            constexpr uint32_t UNIT = 1 << (IMG_WARP_WEIGHT_PLACES - IMG_WARP_PHASE_PLACES);
            pair[0] = (1u << IMG_WARP_WEIGHT_PLACES) + phase * ((UNIT << 16) - UNIT);
        } else if (HALF == 2) {
            const uint2 two = *reinterpret_cast<const uint2 *>(table + phase * WORDS);
            pair[0] = two.x;
            pair[1 % HALF] = two.y;
        } else {
            const uint4 four = *reinterpret_cast<const uint4 *>(table + phase * WORDS);
            pair[0] = four.x;
            pair[1 % HALF] = four.y;
            pair[2 % HALF] = four.z;
            /* lanczos4 has four pairs, lanczos3 has three */
            pair[HALF - 1] = HALF == 4 ? four.w : four.z;
        }
    }
};

/* Weights of a phase along a row, each in its own register. */
template <int HALF> struct RowWeights {
    int32_t weight[2 * HALF];

    __device__ RowWeights(const uint32_t *table, uint32_t phase)
    {
        if (HALF == 1) {
            weight[1] = (int32_t)phase;
            weight[0] = IMG_WARP_PHASES - weight[1];
        } else {
            const Weights<HALF> pairs(table, phase);
#pragma unroll
            for (int i = 0; i < HALF; i++) {
                weight[2 * i] = (int16_t)(pairs.pair[i] & 0xffff);
                weight[2 * i + 1] = (int32_t)pairs.pair[i] >> 16;
            }
        }
    }
};

} // namespace warp_tiles

#endif
