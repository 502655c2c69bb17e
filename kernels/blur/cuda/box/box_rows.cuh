/* Private to the "near" box on CUDA (boxblur with a small radius): computes rows of means from
 * running sums in shared memory. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_ROWS_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_ROWS_CUH

#include "kernels/blur/cuda/box/box_columns.cuh"

/* The threads that process a strip together: a warp or a block. */
template <bool IS_WARP_> struct Team {
    static constexpr bool IS_WARP = IS_WARP_;
    static __device__ int self()
    {
        return IS_WARP ? (int)threadIdx.x % 32 : (int)threadIdx.x;
    }
    static __device__ int size()
    {
        return IS_WARP ? 32 : (int)blockDim.x;
    }
    /* Returns the number of this team among the teams of all blocks. */
    static __device__ uint32_t number()
    {
        return IS_WARP ? blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32 : blockIdx.x;
    }
    static __device__ void wait()
    {
        if (IS_WARP)
            __syncwarp();
        else
            __syncthreads();
    }
};

/* Returns sum / area, rounded to nearest. If column sums are packed, the mean is only one byte of
 * the result, which `task.quotients` selects. */
template <typename K> __device__ inline uint32_t mean_of(const BoxTask &task, uint32_t sum)
{
    const uint32_t rounded = sum + task.box.area / 2;
    const uint32_t high = (uint32_t)((uint64_t)rounded * task.box.multiplier >> 32);
    return K::PACKED ? high : high >> (task.box.shift - 32);
}

/* Positions of running sums, in the planes of a row, for four adjacent squares. The sum of a square
 * is the running sum at `upper` minus the one at `lower`. Positions for the next four squares
 * follow at constant distances. */
struct Corners {
    int upper[TOGETHER], lower[TOGETHER];
};

template <typename K> __device__ inline Corners corners_of(const BoxTask &task, int plane)
{
    const int right = (task.plan.margin + task.box.radius) * K::CHANNELS;
    const int left = (task.plan.margin - task.box.radius - 1) * K::CHANNELS;
    Corners corners;
#pragma unroll
    for (int i = 0; i < TOGETHER; i++) {
        corners.upper[i] = (right + i) % TOGETHER * plane + (right + i) / TOGETHER;
        corners.lower[i] = (left + i) % TOGETHER * plane + (left + i) / TOGETHER;
    }
    return corners;
}

/* Returns four means packed in the format of the picture. */
template <typename K>
__device__ inline uint2 pack_four(const BoxTask &task, const uint32_t (&mean)[TOGETHER])
{
    if (K::SIZE == 2)
        return make_uint2(mean[0] | mean[1] << 16, mean[2] | mean[3] << 16);
    return make_uint2(__byte_perm(__byte_perm(mean[0], mean[1], task.quotients),
                                  __byte_perm(mean[2], mean[3], task.quotients), 0x5410),
                      0);
}

/* Stores four results at `to`. `left` is the number of samples from `to` to the end of the row;
 * results beyond the end are not stored. */
template <typename K>
__device__ inline void put_four(typename K::Sample *to, uint2 four, int64_t left)
{
    if (left < TOGETHER) {
        for (int i = 0; i < (int)left; i++)
            to[i] =
                (typename K::Sample)((i * K::SIZE < 4 ? four.x : four.y) >> i * K::SIZE % 4 * 8);
    } else if (K::SIZE == 2) {
        *reinterpret_cast<uint2 *>(to) = four;
    } else {
        *reinterpret_cast<uint32_t *>(to) = four.x;
    }
}

template <typename K, typename T, bool IS_WHOLE>
__device__ inline void write_samples(const BoxTask &task, const uint32_t *planes,
                                     const Corners &corners, typename K::Sample *to, int64_t left)
{
    const int groups = task.plan.columns * K::CHANNELS / TOGETHER;
    const uint32_t *own = planes + T::self();
#pragma unroll
    for (int j = 0; j < K::PART; j++) {
        const int k = j * T::size(), number = T::self() + k;
        if (number >= groups || (!IS_WHOLE && number * TOGETHER >= left))
            break;
        uint32_t mean[TOGETHER];
#pragma unroll
        for (int i = 0; i < TOGETHER; i++)
            mean[i] = mean_of<K>(task, (own + corners.upper[i])[k] - (own + corners.lower[i])[k]);
        put_four<K>(to + number * TOGETHER, pack_four<K>(task, mean),
                    IS_WHOLE ? TOGETHER : left - number * TOGETHER);
    }
}

/* Computes and stores the results of a row of a strip, from `to` on. `left` is the number of
 * samples from `to` to the end of the row of the picture. */
template <typename K, typename T>
__device__ inline void write_row(const BoxTask &task, const uint32_t *planes,
                                 const Corners &corners, typename K::Sample *to, int64_t left)
{
    if (left >= task.plan.columns * K::CHANNELS)
        write_samples<K, T, true>(task, planes, corners, to, left);
    else
        write_samples<K, T, false>(task, planes, corners, to, left);
}

#endif
