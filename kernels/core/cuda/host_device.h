/* For small functions that the CPU and the GPU share, so that both have the same arithmetic. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_HOST_DEVICE_H
#define IMGTOOL_KERNELS_CORE_CUDA_HOST_DEVICE_H

/* The model of a GPU wants what runs on a device to be part of the kernel that calls it. */
#if defined(__CUDACC__)
#define IMG_HOST_DEVICE __host__ __device__ static inline
#elif defined(IMGTOOL_EMULATOR) && defined(__cplusplus)
#define IMG_HOST_DEVICE __attribute__((always_inline)) static inline
#else
#define IMG_HOST_DEVICE static inline
#endif

#endif
