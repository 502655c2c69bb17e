/* Calls each intrinsic of the emulator once, with values whose results are known. */
#include "kernels/core/cuda/cuda_launch.cuh"
#include "tests/emulator/intrinsics.h"

namespace
{

constexpr unsigned ALL = 0xffffffffu;

/* Runs every intrinsic in one warp. Lane `t` writes the result of intrinsic `k` to out[32 * k +
 * t]. */
__global__ void intrinsics_kernel(uint32_t *out)
{
    IMG_SHARED(unsigned, sum, [5]);
    unsigned lane = threadIdx.x;
    uint32_t *mine = out + lane;
    mine[32 * SHUFFLED] = __shfl_sync(ALL, 3 * lane, 5);
    mine[32 * SHUFFLED_IN_EIGHTS] = __shfl_sync(ALL, lane, 1, 8);
    mine[32 * SHUFFLED_UP] = __shfl_up_sync(ALL, lane, 1);
    mine[32 * SHUFFLED_DOWN] = __shfl_down_sync(ALL, lane, 2);
    mine[32 * SHUFFLED_XOR] = __shfl_xor_sync(ALL, lane, 7);
    mine[32 * BALLOT_OF_THIRDS] = __ballot_sync(ALL, lane % 3 == 0);
    mine[32 * ANY_AND_ALL] =
        (uint32_t)(__any_sync(ALL, lane == 31) + 2 * __all_sync(ALL, lane < 32) +
                   4 * __all_sync(ALL, lane < 31));
    mine[32 * REDUCED] = __reduce_add_sync(ALL, lane) + 1000 * __reduce_min_sync(ALL, lane + 2) +
                         10000 * __reduce_max_sync(ALL, lane);
    mine[32 * PERMUTED] = __byte_perm(0x33221100, 0x77665544, 0x7531);
    mine[32 * PERMUTED_HIGH] = __byte_perm(0x00000080, 0, 0x0008);
    mine[32 * FUNNELLED] = __funnelshift_r(0xaabbccdd, 0x11223344, 8);
    mine[32 * DOT_PRODUCT] = __dp4a(0x01020304u, 0x01010102u, 5u);
    mine[32 * DOT_OF_HALVES] = __dp2a_lo(0x0003ffffu, 0x99990502u, 7u);
    mine[32 * DOT_OF_HALVES_HIGH] = __dp2a_hi(0x0003ffffu, 0x05029999u, 7u);
    mine[32 * DISTANCE] = __vsadu4(0x01ff0280u, 0x02000180u);
    mine[32 * LEAST_OF_THREE] = __vimin3_u16x2(0x00058000u, 0x00040001u, 0xfffffff0u);
    mine[32 * LARGEST_OF_THREE] = __vimax3_u16x2(0x00058000u, 0x00040001u, 0x0003fff0u);
    mine[32 * SUM_DOWN] =
        __float_as_uint(__fadd_rd(__uint_as_float(0x4b00000a), __uint_as_float(0x4b000000 + lane)));
    mine[32 * CUT_DOWN] = __float_as_uint(__fmaf_rz((float)lane, 0.75F / 16384.0F, 512.0F));
    mine[32 * SATURATED] = __float_as_uint(__saturatef((float)lane - 1.0F));
    mine[32 * BITS] = (uint32_t)(__popc(0xf0f0) + 100 * __clz(0x00010000) +
                                 10000 * __ffs(0x00000080) + 1000000 * __ffsll(0x0000010000000000));
    mine[32 * REVERSED] = __brev(0x00000c35u);

    if (lane < 5)
        sum[lane] = lane == 2 ? 1000 : 0;
    __syncwarp();
    atomicAdd(&sum[0], lane);
    atomicMax(&sum[1], lane);
    atomicMin(&sum[2], lane + 7);
    atomicOr(&sum[3], 1u << lane);
    atomicXor(&sum[4], lane < 3 ? 0x10u << lane | 0x100u : 0u);
    __syncwarp();
    mine[32 * ATOMIC_XORS] = sum[4];
    mine[32 * ATOMICS] =
        sum[0] + 1000 * sum[1] + 100000 * sum[2] + (sum[3] == ALL ? 1000000000 : 0);
}

} // namespace

void run_intrinsics(uint32_t *out)
{
    IMG_LAUNCH(intrinsics_kernel, 1, 32, 0, nullptr, out);
}
