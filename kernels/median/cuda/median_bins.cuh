/* Private to median on CUDA: the counts of sixteen bins of a window, in registers. A bin counts the
 * samples in a range of values. */
#ifndef IMGTOOL_KERNELS_MEDIAN_CUDA_MEDIAN_BINS_CUH
#define IMGTOOL_KERNELS_MEDIAN_CUDA_MEDIAN_BINS_CUH

#include "kernels/core/cuda/cuda_launch.cuh"

/* Counts of sixteen bins, two per word. Of every four bins, a word of `even` has bins 0 and 2, and
 * a word of `odd` has bins 1 and 3. */
struct MedianBins {
    uint32_t even[4], odd[4];

    __device__ void clear()
    {
#pragma unroll
        for (int i = 0; i < 4; i++)
            even[i] = odd[i] = 0;
    }
    __device__ void add(const uint32_t (&bytes)[4])
    {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            even[i] += bytes[i] & 0x00ff00ff;
            odd[i] += bytes[i] >> 8 & 0x00ff00ff;
        }
    }
    __device__ void remove(const uint32_t (&bytes)[4])
    {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            even[i] -= bytes[i] & 0x00ff00ff;
            odd[i] -= bytes[i] >> 8 & 0x00ff00ff;
        }
    }
    /* Returns the bin that contains the sample with `before` smaller samples in the window.
     * Subtracts the number of samples in lower bins from `before`. */
    __device__ uint32_t find(uint32_t &before) const
    {
        uint32_t bin = 0, low = even[0], high = odd[0];
        bool searching = true;
#pragma unroll
        for (int i = 0; i < 3; i++) {
            const uint32_t both = even[i] + odd[i], sum = (both & 0xffff) + (both >> 16);
            searching = searching && before >= sum;
            before -= searching ? sum : 0;
            bin += searching ? 4 : 0;
            low = searching ? even[i + 1] : low;
            high = searching ? odd[i + 1] : high;
        }
        const uint32_t counts[3] = {low & 0xffff, high & 0xffff, low >> 16};
        searching = true;
#pragma unroll
        for (int i = 0; i < 3; i++) {
            searching = searching && before >= counts[i];
            before -= searching ? counts[i] : 0;
            bin += searching ? 1 : 0;
        }
        return bin;
    }
};

#endif
