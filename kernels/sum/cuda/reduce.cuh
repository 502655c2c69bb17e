/* Functions that sum a value over the threads of a block: the versions, from slow to fast, that
 * textbooks present. Sources: Harris, "Optimizing parallel reduction in CUDA" (2007); Cheng,
 * Grossman, McKercher, "Professional CUDA C Programming", 3.4; Hwu, Kirk, El Hajj, "Programming
 * Massively Parallel Processors", chapter 10. Only thread 0 gets the sum, so the other warps do not
 * have to read it. */
#ifndef IMGTOOL_KERNELS_SUM_CUDA_REDUCE_CUH
#define IMGTOOL_KERNELS_SUM_CUDA_REDUCE_CUH

#include "kernels/core/cuda/cuda_launch.cuh"

/* Default number of rounds, enough for any block. Experiments pass a smaller number, to measure the
 * cost of each round. */
constexpr int ALL_ROUNDS = 32;

/* Returns the sum over a block in thread 0, by adding neighbouring pairs. In round r, thread i adds
 * the value of thread i + 2^r if i is a multiple of 2^(r + 1). The active threads are spread over
 * all warps, so every warp diverges. */
template <int THREADS, typename T>
__device__ T reduce_neighbours(T *shared, T value, int rounds = ALL_ROUNDS)
{
    int i = threadIdx.x;
    shared[i] = value;
    __syncthreads();
    for (int stride = 1; stride < THREADS && rounds > 0; stride *= 2, rounds--) {
        if (i % (2 * stride) == 0)
            shared[i] += shared[i + stride];
        __syncthreads();
    }
    return i == 0 ? shared[0] : (T)0;
}

/* Returns the sum over a block in thread 0, with sequential addressing. The threads of the first
 * half add the values of the second half. Then the first quarter adds the values of the second
 * quarter, and so on. All threads of a warp are either active or idle, until fewer than 32 are
 * active. */
template <int THREADS, typename T>
__device__ T reduce_sequential(T *shared, T value, int rounds = ALL_ROUNDS)
{
    int i = threadIdx.x;
    shared[i] = value;
    __syncthreads();
    for (int stride = THREADS / 2; stride > 0 && rounds > 0; stride /= 2, rounds--) {
        if (i < stride)
            shared[i] += shared[i + stride];
        __syncthreads();
    }
    return i == 0 ? shared[0] : (T)0;
}

/* Returns the sum of `value` over a warp in its first lane. Other lanes get undefined values. */
template <typename T> __device__ T reduce_warp(T value)
{
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

/* Returns the sum over a block in thread 0, with shuffles: first within each warp, then over the
 * sums of all warps within the first warp. `shared` has room for one value per warp. */
template <int THREADS, typename T> __device__ T reduce_shuffle(T *shared, T value)
{
    constexpr int WARPS = THREADS / 32;
    static_assert(THREADS % 32 == 0 && WARPS <= 32, "one warp adds up the others");
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    value = reduce_warp(value);
    if (lane == 0)
        shared[warp] = value;
    __syncthreads();
    if (warp == 0)
        value = reduce_warp(lane < WARPS ? shared[lane] : (T)0);
    return value;
}

#endif
