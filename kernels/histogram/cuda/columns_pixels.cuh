/* Private to the fast histogram of up to 8 bits: the pixels of a tile, in the registers of a
 * warp. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_COLUMNS_PIXELS_CUH
#define IMGTOOL_KERNELS_HISTOGRAM_COLUMNS_PIXELS_CUH

#include "kernels/histogram/cuda/columns_tiles.cuh"

/* The pixels of a tile that one lane counts. */
template <int CHANNELS> struct LanePixels {
    static constexpr int VECTORS = LANE_BYTES<CHANNELS> / 16, WORDS = 4 * VECTORS;
    uint32_t words[WORDS];

    __device__ void put(int v, uint4 vector)
    {
        words[4 * v] = vector.x;
        words[4 * v + 1] = vector.y;
        words[4 * v + 2] = vector.z;
        words[4 * v + 3] = vector.w;
    }

    /* Loads vectors of 16 bytes that are `apart` bytes from each other. Vectors that begin at or
     * after byte `rest` become zero. The code has no branch, so that all loads run at the same
     * time. */
    __device__ void load(const uint8_t *at, int apart, int rest)
    {
#pragma unroll
        for (int v = 0; v < VECTORS; v++)
            put(v, v * apart < rest ? __ldcs((const uint4 *)(at + v * apart))
                                    : make_uint4(0, 0, 0, 0));
    }

    /* Sets the bytes from byte `rest` on to zero. It changes only the vector that is partly inside
     * the row. */
    __device__ void cut(int apart, int rest)
    {
#pragma unroll
        for (int v = 0; v < VECTORS; v++) {
            int inside = rest - v * apart;
            if (inside <= 0 || inside >= 16)
                continue;
#pragma unroll
            for (int i = 0; i < 4; i++) {
                int bytes = inside - 4 * i;
                if (bytes < 4)
                    words[4 * v + i] &= bytes > 0 ? (1u << 8 * bytes) - 1 : 0;
            }
        }
    }
};

#endif
