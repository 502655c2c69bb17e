/* Sums over the threads of a block, as textbooks develop them. Sources: Harris, "Optimizing
 * parallel reduction in CUDA" (2007); Cheng, Grossman, McKercher, "Professional CUDA C
 * Programming", 3.4; Hwu, Kirk, El Hajj, "Programming Massively Parallel Processors", chapter 10.
 * All sums are those of thread 0 only: other warps need not read what they do not use. */
#ifndef IMGTOOL_KERNELS_SUM_REDUCE_CUH
#define IMGTOOL_KERNELS_SUM_REDUCE_CUH

#include "kernels/core/cuda/cuda_launch.cuh"

/* How many of the rounds are made: experiments look at one after another. */
constexpr int ALL_ROUNDS = 32;

/* Neighbouring pairs: in round r thread i adds its neighbour 2^r further on if i is a multiple of
 * 2^(r + 1). The threads that work are spread over all warps, and every warp splits. */
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

/* Sequential addressing: the first half of the threads adds what the second half has, and so on.
 * Whole warps work or do not, until less than one is left. */
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

/* The sum of a warp in its first lane. */
template <typename T> __device__ T reduce_warp(T value)
{
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

/* Shuffles within warps, then within the first warp; `shared` holds a value a warp. */
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
