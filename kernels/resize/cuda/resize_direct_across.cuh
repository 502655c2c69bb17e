/* Private to the direct kernel of resize on CUDA: functions that compute horizontal sums. Their
 * input is the vertical sums of a lane, split into bytes, in registers (MiddleBytes). Their output
 * is samples of the result that are not yet clamped. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_DIRECT_ACROSS_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_DIRECT_ACROSS_CUH

#include "kernels/resize/cuda/resize_across.cuh"
#include "kernels/resize/cuda/resize_direct_down.cuh"

namespace resize
{

/* Sums of a lane for a pair, which is two groups of 8 columns of the result. The first index is the
 * group, the second index is the byte weight: sum k counts multiples of 256^k. */
template <typename K> struct PairSums {
    Sums half[2][ACROSS_WORTHS<K>];
};

/* Initial value of the wide sum of byte weight 4, which counts multiples of 256^4 = 2^32. It rounds
 * the result and subtracts the contribution of WIDE_BIAS. */
constexpr uint32_t WIDE_START_OF_4 =
    (uint32_t)((int64_t)(WIDE_END_START & ~(uint64_t)0xffffffff) / ((int64_t)1 << 32));

/* Byte weight (power of 256) of the sum whose initial value rounds the result. All other sums begin
 * with 0. */
template <typename K> constexpr int START = K::WIDE ? 4 : 0;

/* Computes the horizontal sums of a pair (two groups of 8 columns) from the vertical sums `bytes`
 * and the weights `across`. */
template <typename K>
__device__ inline void sum_columns(const Sums &start, PairSums<K> &sums,
                                   const MiddleBytes<K> &bytes, const uint32_t *across)
{
    const int lane = (int)threadIdx.x % 32;
    const Sums none = {0, 0, 0, 0};
#pragma unroll
    for (int half = 0; half < 2; half++) {
        const uint32_t *own_words = across + half * (K::WEIGHT * 64);
        uint32_t column[K::WEIGHT][2];
#pragma unroll
        for (int w = 0; w < K::WEIGHT; w++) {
            const uint2 two = *reinterpret_cast<const uint2 *>(own_words + (w * 32 + lane) * 2);
            column[w][0] = two.x;
            column[w][1] = two.y;
        }
#pragma unroll
        for (int b = 0; b < K::MIDDLE; b++)
#pragma unroll
            for (int w = 0; w < K::WEIGHT; w++) {
                Sums &own = sums.half[half][w + b];
                const Sums &now = own, &begin = w + b == START<K> ? start : none;
                const Sums &before = b == 0 || w + 1 == K::WEIGHT ? begin : now;
                if (w + 1 < K::WEIGHT)
                    multiply<32, false, false>(own, before, bytes.word[b], column[w]);
                else
                    multiply<32, false, true>(own, before, bytes.word[b], column[w]);
            }
    }
}

/* Returns a sample of the result, not yet clamped. From the lowest byte weight up, each sum is
 * divided by 256, rounded down, and added to the next sum. */
template <typename K, int WORTHS>
__device__ inline int32_t result_of(const DirectTask &task, const Sums (&sum)[WORTHS], int i)
{
    if (K::WIDE) {
        int32_t lower = (int32_t)sum[0][i];
#pragma unroll
        for (int w = 1; w < 5; w++)
            lower = (lower >> 8) + (int32_t)sum[w % WORTHS][i];
        return ((int32_t)(sum[5 % WORTHS][i] << 8) + lower) >> (WIDE_END - 32);
    }
    return (int32_t)((sum[2][i] << 16) + ((sum[1][i] << 8) + sum[0][i])) >> task.base.end_shift;
}

template <typename K>
__device__ inline void end_pair(const DirectTask &task, const PairSums<K> &sums,
                                int32_t (&value)[2][4])
{
#pragma unroll
    for (int i = 0; i < 8; i++)
        value[i / 4][i % 4] =
            result_of<K, ACROSS_WORTHS<K>>(task, sums.half[i / 2 % 2], i / 4 * 2 + i % 2);
}

} // namespace resize

#endif
