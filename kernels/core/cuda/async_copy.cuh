/* Asynchronous copies of 16 bytes each from global to shared memory, in groups. GPUs before sm_80
 * and the emulator copy synchronously. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_ASYNC_COPY_CUH
#define IMGTOOL_KERNELS_CORE_CUDA_ASYNC_COPY_CUH

#include <stdint.h>

#include "kernels/core/cuda/cuda_launch.cuh"

/* Starts a copy of 16 bytes from `from` to `shared`; both addresses must be multiples of 16. NEAR
 * is for data that other blocks of the same multiprocessor also read: the copy goes through the
 * first-level cache. Other copies bypass that cache and prefetch 128 bytes into the second-level
 * cache. */
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

/* Closes a group: it consists of the copies that this thread has started since the previous
 * group. */
__device__ inline void end_copy_group()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Waits until at most MOST groups of this thread are unfinished. */
template <int MOST> __device__ inline void await_all_but()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(MOST) : "memory");
#endif
}

/* Waits until all groups of this thread, except the last `count`, are finished. May also wait for
 * some of the last `count` groups: the instruction needs the number as a constant, and this
 * function has branches for only some numbers. */
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
