/* Macro that marks small functions for both the CPU and the GPU, so that both use the same
 * arithmetic. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_HOST_DEVICE_H
#define IMGTOOL_KERNELS_CORE_CUDA_HOST_DEVICE_H

/* The emulator (app/bench/model) requires that a device function is inlined into the kernel that
 * calls it. */
#if defined(__CUDACC__)
#define IMG_HOST_DEVICE __host__ __device__ static inline
#elif defined(IMGTOOL_EMULATOR) && defined(__cplusplus)
#define IMG_HOST_DEVICE __attribute__((always_inline)) static inline
#else
#define IMG_HOST_DEVICE static inline
#endif

#endif
