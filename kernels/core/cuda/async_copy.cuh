/* Copies of 16 bytes from global to shared memory that go on while a thread does something else,
 * in groups. Before sm_80, and in the model of a GPU, they are done at once. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_ASYNC_COPY_CUH
#define IMGTOOL_KERNELS_CORE_CUDA_ASYNC_COPY_CUH

#include <stdint.h>

#include "kernels/core/cuda/cuda_launch.cuh"

/* Both are multiples of 16. If NEAR, through the first-level cache, for what others of the
 * processor read as well; else the second-level cache is asked for whole lines. */
template <bool NEAR = false> __device__ inline void begin_copy(uint8_t *shared, const uint8_t *from)
{
#if __CUDA_ARCH__ >= 800
    const uint32_t to = (uint32_t)__cvta_generic_to_shared(shared);
    if (NEAR)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
    else
        asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from)
                     : "memory");
#else
    *reinterpret_cast<uint4 *>(shared) = *reinterpret_cast<const uint4 *>(from);
#endif
}

/* What the thread began before is a group. */
__device__ inline void end_copy_group()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Until at most MOST of the thread's groups are not there yet. */
template <int MOST> __device__ inline void await_all_but()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(MOST) : "memory");
#endif
}

/* Until all of the thread's groups but its last `count` are there. */
__device__ inline void await_copies(int count)
{
    if (count >= 6)
        await_all_but<6>();
    else if (count >= 4)
        await_all_but<4>();
    else if (count == 3)
        await_all_but<3>();
    else if (count == 2)
        await_all_but<2>();
    else if (count == 1)
        await_all_but<1>();
    else
        await_all_but<0>();
}

#endif
